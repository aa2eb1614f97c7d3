import {
  currentProblem,
  IMPLICIT_END_AFTER_MS,
  OFFER_SKIP_AFTER_MS,
  PAUSE_AFTER_MS,
  type PracticeState,
} from './session.ts'

/**
 * Counts the time up to `at`, pausing on the way where half an hour has passed without a turn: time paused is in no
 * duration. Changes `state`; an `at` in the past changes nothing.
 */
export function tick(state: PracticeState, at: number): void {
  if (state.status !== 'active') return
  const pauseAt = state.lastTurnAt + PAUSE_AFTER_MS
  const spent = Math.min(at, pauseAt) - state.tickedAt
  if (spent > 0) {
    state.tickedAt += spent
    state.activeMs += spent
    const problem = currentProblem(state)
    if (problem) problem.activeMs += spent
  }
  if (at >= pauseAt) state.status = 'paused'
}

/** A message has come at `at`: a paused session goes on from there. Changes `state`. */
export function wakeUp(state: PracticeState, at: number): void {
  if (state.status === 'paused') {
    state.status = 'active'
    state.tickedAt = Math.max(state.tickedAt, at)
  }
  state.lastTurnAt = Math.max(state.lastTurnAt, at)
}

/** When the session wants to be looked at without a message (UTC ms), or null for never. */
export function wakeAt(state: PracticeState): number | null {
  if (state.status === 'completed') return null
  const end = state.implicit ? state.lastTurnAt + IMPLICIT_END_AFTER_MS : null
  if (state.status === 'paused') return end
  const pause = state.lastTurnAt + PAUSE_AFTER_MS
  const problem = currentProblem(state)
  if (problem === null || problem.skipDue) return pause
  return Math.min(pause, state.tickedAt + Math.max(0, OFFER_SKIP_AFTER_MS - problem.activeMs))
}
