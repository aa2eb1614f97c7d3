/** The phases of a learning arc (seed 000 D3) and the moves between them. */
export type ArcPhase =
  | 'PENDING'
  | 'DIAGNOSING'
  | 'PLANNING'
  | 'TEACHING'
  | 'QUIZZING'
  | 'REVIEWING'
  | 'COMPLETED'
  | 'ABANDONED'

/** Where a lesson stands while the arc is in TEACHING. */
export type SubPhase = 'explaining' | 'questioning' | 'evaluating'

const MOVES: Record<ArcPhase, readonly ArcPhase[]> = {
  PENDING: ['DIAGNOSING', 'ABANDONED'],
  DIAGNOSING: ['PLANNING', 'ABANDONED'],
  PLANNING: ['TEACHING', 'ABANDONED'],
  TEACHING: ['QUIZZING', 'REVIEWING', 'DIAGNOSING', 'COMPLETED', 'ABANDONED'],
  QUIZZING: ['TEACHING', 'REVIEWING', 'DIAGNOSING', 'COMPLETED', 'ABANDONED'],
  REVIEWING: ['TEACHING', 'DIAGNOSING', 'COMPLETED', 'ABANDONED'],
  COMPLETED: [],
  ABANDONED: [],
}

export const isTerminal = (phase: ArcPhase): boolean => MOVES[phase].length === 0

export class ForbiddenMove extends Error {
  constructor(from: ArcPhase, to: ArcPhase) {
    super(`an arc does not move from ${from} to ${to}`)
    this.name = 'ForbiddenMove'
  }
}

/**
 * The phase after the move; staying is no move.
 * @throws {ForbiddenMove} naming both phases
 */
export function moveTo(from: ArcPhase, to: ArcPhase): ArcPhase {
  if (from !== to && !MOVES[from].includes(to)) throw new ForbiddenMove(from, to)
  return to
}
