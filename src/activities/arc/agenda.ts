import type { LoadedArc } from '../../domain/arc/state.ts'
import { isOver } from '../../domain/arc/view.ts'
import { earliestReview } from '../../domain/spaced-repetition/due-reviews.ts'
import { isWaitedFor, toAgenda } from '../agenda/seen.ts'
import type { Told } from '../spine/product.ts'

/**
 * What the learner's agenda has to hear of a decision; it reads the rest when it wakes, so that most turns send nothing.
 */
export function toldAgenda(arc: LoadedArc, at: number): Told['sent'] {
  const { agenda, arcId, learnerId, state, map } = arc
  if (!agenda) return []
  const { isNudged, lastMessageAt: lastSeenAt } = agenda
  const wrote = state.lastMessageAt !== null && state.lastMessageAt !== lastSeenAt
  if (wrote && isWaitedFor({ learnerId, isNudged, lastSeenAt }, state.lastMessageAt ?? at)) {
    return [toAgenda(learnerId, 'seen', arcId, at)]
  }
  const reviewAt = isOver(arc) ? null : earliestReview(map)
  // While something overdue remains the learner is at it, or the agenda knows.
  const hasMoved = reviewAt !== agenda.reviewAt && (reviewAt === null || reviewAt > at)
  const isNews = hasMoved || state.paused !== agenda.paused
  return isNews ? [toAgenda(learnerId, 'reviews-changed', arcId, at)] : []
}
