import { requireOpen } from '../../domain/mind-map/lifecycle.ts'
import { schedulerFor } from '../../domain/spaced-repetition/scheduler.ts'
import type { DbOrTrx } from '../database.ts'
import { type Moment, nodeOf, withNode } from './responses.ts'
import { changeMap } from './stored-map.ts'
import { writeMap } from './writing.ts'

export interface ScheduledNode {
  easeFactor: number
  repetitions: number
  intervalDays: number
  /** UTC ms; stored on `reviewing` and `mastered` nodes only. */
  nextReviewAt: number
}

/**
 * One step of SM-2 (seed 000 D2) on a node of any status: its state alone, no response row.
 * @throws RangeError for a quality that is none; MapStatusError on a terminal map; GraphRefusal
 */
export async function recordReview(
  db: DbOrTrx,
  review: { mindMapId: string; nodeId: string; quality: number },
  { at, dayMs }: Moment,
): Promise<ScheduledNode> {
  return changeMap(db, review.mindMapId, async (trx, map) => {
    requireOpen(map, 'schedule reviews')
    const node = nodeOf(map, review.nodeId)
    const { easeFactor, repetitions, intervalDays, lastReviewedAt } = node
    const { state, nextReviewAt } = schedulerFor('sm2').review(
      { easeFactor, repetitions, intervalDays, lastReviewedAt },
      review.quality,
      at,
      dayMs,
    )
    const isReviewed = node.masteryStatus === 'reviewing' || node.masteryStatus === 'mastered'
    const changed = { ...node, ...state, nextReviewAt: isReviewed ? nextReviewAt : null }
    await writeMap(trx, map, withNode(map, changed))
    return { ...state, nextReviewAt }
  })
}
