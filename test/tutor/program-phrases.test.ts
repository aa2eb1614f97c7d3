import { expect, it } from 'vitest'
import type { FailedCase } from '../../src/domain/answers/program.ts'
import { programFailed } from '../../src/tutor/program-phrases.ts'

const failed = (got: string): FailedCase => ({
  fault: { kind: 'differs' },
  ...{ input: '3', hidden: false, expected: '9', got },
})

it('shows what a program gave, and says so where it gave nothing', () => {
  expect(programFailed(failed('6'), 'en')).toContain('Your program gave:\n\n```text\n6\n```')
  expect(programFailed(failed(''), 'en')).toMatch(/\n\nYour program printed nothing\.$/)
  expect(programFailed(failed(''), 'de')).toMatch(/\n\nDein Programm hat nichts ausgegeben\.$/)
})
