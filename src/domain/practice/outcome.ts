import type { PracticeOutcome } from '../mastery/quality.ts'
import type { ProblemState } from './session.ts'

/**
 * How a problem of a finished session counts for its concept. One that was left with a wrong answer counts like a
 * struggle, one that was left after help alone as stuck; null where nothing was tried.
 */
export function problemOutcome(problem: ProblemState): PracticeOutcome | null {
  if (problem.status === 'skipped') return 'skipped'
  if (problem.signal !== null) return problem.signal
  if (problem.attempts > 0) return 'struggling'
  return problem.scaffolding.deepest > 0 ? 'stuck' : null
}
