import type { AgendaInput } from '../../domain/agenda/state.ts'
import { agendaEntity } from '../../store/agenda/entity.ts'
import type { Told } from '../spine/product.ts'

/** After so long without a message the agenda may have stopped looking for the learner's weeks. */
const LONG_ABSENCE_MS = 6 * 86_400_000

/** What is known of a learner before they wrote. */
export interface Awaited {
  learnerId: string
  /** Whether a nudge is out that they have not answered; null where they have no agenda. */
  isNudged: boolean | null
  /** When they last wrote, in UTC ms. */
  lastSeenAt: number | null
}

/** An input of a learner's agenda, from the entity `from`. */
export const toAgenda = (
  learnerId: string,
  type: AgendaInput,
  from: string,
  at: number,
): Told['sent'][number] => ({
  to: agendaEntity(learnerId),
  input: { entityId: learnerId, id: `${type}/${from}/${at}`, type, payload: {} },
})

/** Whether the agenda has to hear that a learner has written at `at`: a nudge is out, or they were away for long. */
export const isWaitedFor = ({ isNudged, lastSeenAt }: Awaited, at: number): boolean =>
  isNudged === true ||
  (isNudged !== null && lastSeenAt !== null && at - lastSeenAt > LONG_ABSENCE_MS)

/** What the agenda hears of a learner who has written to the entity `from`; most messages send nothing. */
export const seen = (awaited: Awaited | null, from: string, at: number): Told['sent'] =>
  awaited !== null && isWaitedFor(awaited, at)
    ? [toAgenda(awaited.learnerId, 'seen', from, at)]
    : []
