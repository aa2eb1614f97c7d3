import type { AgendaInput } from '../../domain/agenda/state.ts'
import { earliestReview } from '../../domain/arc/next-activity.ts'
import type { LoadedArc } from '../../domain/arc/state.ts'
import { isOver } from '../../domain/arc/view.ts'
import { agendaEntity } from '../../store/agenda/entity.ts'
import type { Told } from '../spine/product.ts'

/** After so long without a message the agenda may have stopped looking for the learner's weeks. */
const LONG_ABSENCE_MS = 6 * 86_400_000

/**
 * What the learner's agenda has to hear of a decision; it reads the rest when it wakes, so that most turns send nothing.
 */
export function toldAgenda(arc: LoadedArc, at: number): Told['sent'] {
  const { agenda, arcId, learnerId, state, map } = arc
  if (!agenda) return []
  const send = (type: AgendaInput): Told['sent'][number] => ({
    to: agendaEntity(learnerId),
    input: { entityId: learnerId, id: `${type}/${arcId}/${at}`, type, payload: {} },
  })
  const wrote = state.lastMessageAt !== null && state.lastMessageAt !== agenda.lastMessageAt
  const isBack =
    agenda.lastMessageAt !== null &&
    (state.lastMessageAt ?? 0) - agenda.lastMessageAt > LONG_ABSENCE_MS
  if (wrote && (agenda.isNudged || isBack)) return [send('seen')]
  const reviewAt = isOver(arc) ? null : earliestReview(map)
  // While something overdue remains the learner is at it, or the agenda knows.
  const hasMoved = reviewAt !== agenda.reviewAt && (reviewAt === null || reviewAt > at)
  return hasMoved || state.paused !== agenda.paused ? [send('reviews-changed')] : []
}
