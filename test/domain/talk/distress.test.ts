import { expect, test } from 'vitest'
import { isDistress } from '../../../src/domain/talk/distress.ts'
import { DISTRESSED, NO_DISTRESS } from '../../support/ordinary-words.ts'

test.each(DISTRESSED)('“%s” is heard', (said) => {
  expect(isDistress(said)).toBe(true)
})

test.each(NO_DISTRESS)('“%s” is about something else', (said) => {
  expect(isDistress(said)).toBe(false)
})
