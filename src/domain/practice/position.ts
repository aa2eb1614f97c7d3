import type { View } from '../spine/decision.ts'
import { wakeAt as rulesWakeAt } from './clock.ts'
import { currentProblem, modeOf } from './session.ts'
import type { AskedMessage, Practice, SessionState } from './state.ts'

/** A verdict is waited for so long; what is unjudged then stays so. */
const VERDICT_EXPIRES_MS = 10 * 60_000

/** Until when the verdict on a message still counts. */
export const expiresAt = ({ at }: AskedMessage): number => at + VERDICT_EXPIRES_MS

/** When the session wants to be looked at without an input, in epoch milliseconds. */
export function wakeAt({ turn, progress, asked, delivery }: SessionState): number | null {
  const dates = [
    turn ? turn.until : rulesWakeAt(progress),
    ...asked.filter(({ verdict }) => verdict === null).map(expiresAt),
    delivery?.status === 'pending' ? delivery.nextAt : null,
  ].filter((date) => date !== null)
  return dates.length > 0 ? Math.min(...dates) : null
}

/** Whether the last problem is done, or somebody has ended it, and the last turn is answered. */
export const isCompleted = ({ progress, turn }: SessionState): boolean =>
  progress.status === 'completed' && turn === null

/** Whether nothing is left to do, neither here nor outside. */
export const isOver = (state: SessionState): boolean =>
  isCompleted(state) && state.delivery?.status !== 'pending'

/** Whether an input may be taken up now: one turn at a time. */
export const admits = ({ turn }: SessionState): boolean => turn === null

/** The session as a person would want to read it in the Temporal UI. */
export function viewOf({ state }: Practice): View {
  const { progress } = state
  const problem = currentProblem(progress)
  const number = Math.min(progress.index + 1, progress.problems.length)
  const details = [
    `**${progress.status}**, problem ${number} of ${progress.problems.length}`,
    '',
    `- Turns: ${progress.turns}, attempts at this problem: ${problem?.attempts ?? 0}`,
    `- Mode: ${modeOf(progress)}, scaffolding depth ${problem?.scaffolding.depth ?? 0}`,
    `- Signal: ${problem?.signal ?? 'none'}`,
  ]
  if (state.delivery) details.push(`- Report: ${state.delivery.status}`)
  return { phase: progress.status, attributes: {}, details: details.join('\n'), query: null }
}
