import { isComplete, nextNode } from '../mind-map/frontier.ts'
import type { MindMap } from '../mind-map/mind-map.ts'
import { dueReviews, REVIEWS_PER_SESSION } from '../spaced-repetition/scheduler.ts'
import type { ArcRules, ArcState } from './state.ts'

/** What an arc does when nothing is asked of the learner. */
export type Activity =
  | { do: 'complete' }
  /** `nodeIds`: the batch of reviews, in order; the first is the next. */
  | { do: 'review'; nodeIds: string[] }
  | { do: 'go-on' }
  | { do: 'teach'; nodeId: string }
  | { do: 'sleep' }

/**
 * Chooses between lesson, review and sleep for an arc that has its map. Due reviews go before lessons,
 * but a quiz that has begun is finished first. `now` in UTC ms.
 */
export function nextActivity(
  state: Pick<ArcState, 'lesson' | 'batch'>,
  map: MindMap,
  rules: Pick<ArcRules, 'unlockAt'>,
  now: number,
): Activity {
  if (isComplete(map)) return { do: 'complete' }
  if (state.lesson?.stage === 'feedback') return { do: 'go-on' }
  if (state.lesson?.stage === 'quiz' && state.lesson.quiz !== null) return { do: 'go-on' }
  const due = dueReviews(map, now, map.nodes.length).map((node) => node.id)
  const batch = state.batch.filter((id) => due.includes(id))
  if (batch.length > 0) return { do: 'review', nodeIds: batch }
  if (due.length > 0) return { do: 'review', nodeIds: due.slice(0, REVIEWS_PER_SESSION) }
  if (state.lesson) return { do: 'go-on' }
  const next = nextNode(map, rules.unlockAt)
  return next ? { do: 'teach', nodeId: next.id } : { do: 'sleep' }
}

/** The earliest review date of the map in UTC ms, or null. */
export function earliestReview(map: MindMap): number | null {
  let earliest: number | null = null
  for (const { nextReviewAt } of map.nodes) {
    if (nextReviewAt !== null && (earliest === null || nextReviewAt < earliest)) {
      earliest = nextReviewAt
    }
  }
  return earliest
}
