import { expect, test } from 'vitest'
import { problemOutcome } from '../../../src/domain/practice/outcome.ts'
import { newProblem, type ProblemState } from '../../../src/domain/practice/session.ts'

const helped = { ...newProblem('p').scaffolding, depth: 1, deepest: 1 }

const cases: [string, Partial<ProblemState>, string | null][] = [
  ['solved at once', { status: 'completed', signal: 'mastered', attempts: 1 }, 'mastered'],
  ['solved in the end', { status: 'completed', signal: 'learned', struggled: true }, 'learned'],
  ['left after three wrong answers', { status: 'in_progress', signal: 'struggling' }, 'struggling'],
  ['left after one wrong answer', { status: 'in_progress', attempts: 1, wrong: 1 }, 'struggling'],
  ['left in scaffolding', { status: 'in_progress', scaffolding: helped }, 'stuck'],
  ['left where a teacher was called', { status: 'in_progress', signal: 'stuck' }, 'stuck'],
  ['skipped untried', { status: 'skipped' }, 'skipped'],
  ['skipped after a struggle', { status: 'skipped', signal: 'struggling' }, 'skipped'],
  ['shown and not tried', { status: 'in_progress' }, null],
  ['never shown', { status: 'pending' }, null],
]

test.each(cases)('a problem %s counts as such', (_, problem, outcome) => {
  const { status, signal, attempts, scaffolding } = { ...newProblem('p'), ...problem }
  const { deepest } = scaffolding
  expect(problemOutcome({ status, signal, attempts, deepest })).toBe(outcome)
})
