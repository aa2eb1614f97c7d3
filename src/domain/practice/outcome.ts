import type { PracticeOutcome } from '../mastery/quality.ts'
import type { MasterySignal, ProblemStatus } from './session.ts'

/** What counts of a problem; `deepest` is how deep scaffolding went. */
export interface FinishedProblem {
  status: ProblemStatus
  signal: MasterySignal | null
  attempts: number
  deepest: number
}

/** How much of a session was solved: the one count for the page, the reports and the arc. */
export function solvedOf(problems: readonly Pick<FinishedProblem, 'signal' | 'status'>[]): {
  solved: number
  total: number
} {
  return { solved: problems.filter(isSolved).length, total: problems.length }
}

const isSolved = ({ signal, status }: Pick<FinishedProblem, 'signal' | 'status'>): boolean =>
  status === 'completed' && (signal === 'mastered' || signal === 'learned')

/**
 * How a problem of a finished session counts for its concept. One that was left with a wrong answer counts like a
 * struggle, one that was left after help alone as stuck; null where nothing was tried.
 */
export function problemOutcome(problem: FinishedProblem): PracticeOutcome | null {
  if (problem.status === 'skipped') return 'skipped'
  if (problem.signal !== null) return problem.signal
  if (problem.attempts > 0) return 'struggling'
  return problem.deepest > 0 ? 'stuck' : null
}
