import { expect, test } from 'vitest'
import { isForCode, messageKind } from '../../../src/tutor/steps/course/message-kind.ts'
import { DISTRESSED, LEAVES, NO_LEAVES } from '../../support/ordinary-words.ts'

test.each([...DISTRESSED, 'bye', 'see you tomorrow', 'tschüss'])(
  'code has the word on “%s”',
  (said) => {
    expect(isForCode(said)).toBe(true)
  },
)

test.each([...NO_LEAVES, 'i have to leave the x alone?'])('“%s” is left to who answers', (said) => {
  expect(isForCode(said)).toBe(false)
})

test.each(NO_LEAVES)('“%s” is no good-bye, without a model either', (said) => {
  expect(messageKind(said)).not.toBe('farewell')
})

test('there are words of leave to tell apart', () => {
  expect(LEAVES.filter(isForCode).length).toBeGreaterThan(30)
})

test.each([
  '23',
  'x = 23',
  'its 23 i guess',
  "it's 23",
  'the answer is 23',
  'i think 23',
  '23 i think',
  'die Antwort ist 23',
  'ich glaube 23',
])('“%s” is an answer', (said) => {
  expect(messageKind(said)).toBe('answer')
})
