import { foreseenMistake, remedyOf } from '../answers/foreseen-mistake.ts'
import { judgeAnswer } from '../answers/judge.ts'
import { keyOfProblem } from './key-of.ts'
import { misconceptionOf } from './misconception.ts'
import { safeHints } from './reveals.ts'
import { type ProblemState, STRUGGLING_AT } from './session.ts'
import type { Problem, SmallerQuestion, TakenTurn } from './state.ts'
import type { Turn } from './turn.ts'

/** A problem with how far the student has come with it, after a turn. */
export interface ProblemInHand {
  problem: Problem
  state: ProblemState
}

/** What a turn's reply is made from, and what is noted of it so that nothing is said twice. */
export type Help = Pick<TakenTurn, 'turn' | 'misconception' | 'remedy' | 'solution'> & {
  changes: Partial<ProblemState>
}

/**
 * What the problem has for this turn: the solution where it is given up, what sets a foreseen mistake right, or a hint.
 * @param said the message, and the value that was read in it
 * @param showsSolution whether sessions of its kind show the solution of a problem that is given up
 */
export function helpOf(
  { problem, state }: ProblemInHand,
  turn: Turn,
  said: { text: string; value: string | null },
  showsSolution: boolean,
): Help {
  const isMissed = turn.category === 'wrong_operation' || turn.category === 'close'
  if (!turn.isMainAttempt || !isMissed) {
    const solution = showsSolution && isGivenUp(turn, state) ? solutionOf(problem) : null
    const isOpen = turn.opened === null && !turn.completed
    const changes = solution !== null && isOpen ? { shown: true } : {}
    return { turn, misconception: null, remedy: null, solution, changes }
  }
  const hinted = withHint(turn, problem)
  const { remedied = [] } = state
  const key = keyOfProblem(problem)
  const value = said.value ?? judgeAnswer(said.text, key, { text: problem.text }).value ?? null
  const foreseen = foreseenMistake(problem.help?.mistakes ?? [], value ?? said.text, key)
  const misconception =
    foreseen?.tag ?? misconceptionOf(value, problem.correct_answer, problem.text, problem.tags)
  const found = { turn: hinted, misconception, solution: null }
  const remedy = foreseen && remedyOf(foreseen)
  if (!remedy || remedied.includes(foreseen.tag)) {
    const hints = hinted.hint === null ? state.hints : hinted.hint + 1
    return { ...found, remedy: null, changes: { hints } }
  }
  // The hint is left for the next time.
  const changes = { hints: hinted.hint ?? state.hints, remedied: [...remedied, foreseen.tag] }
  return { ...found, remedy, changes }
}

/** Skipped, or stuck at for the third time; what was shown is not shown again. */
function isGivenUp({ category, action, teachBack }: Turn, { shown, stucks }: ProblemState) {
  if (shown) return false
  if (category === 'skip') return teachBack === null
  return category === 'stuck' && action === 'INTERVENE' && stucks > 2
}

const solutionOf = ({ help }: Problem): string | null => help?.solution ?? null

/** The third wrong answer brings the strongest hint that is left. */
function withHint(turn: Turn, problem: Problem): Turn {
  if (turn.hint === null || turn.attempts !== STRUGGLING_AT) return turn
  return { ...turn, hint: Math.max(turn.hint, safeHints(problem).length - 1) }
}

/** The next smaller question for who is stuck; it takes the place of a hint. Null where there is none left. */
export function nextSmaller(
  { problem, state }: ProblemInHand,
  { turn, solution }: TakenTurn,
): { smaller: SmallerQuestion; changes: Partial<ProblemState> } | null {
  if (turn.category !== 'stuck' || !state.scaffolding.active) return null
  if (solution !== null || state.shown) return null
  const { smallers = 0, hints } = state
  const smaller = problem.help?.smaller[smallers]
  return smaller ? { smaller, changes: { smallers: smallers + 1, hints: hints - 1 } } : null
}
