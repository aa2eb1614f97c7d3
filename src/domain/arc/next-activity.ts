import { checkable, isComplete, nextNode } from '../mind-map/frontier.ts'
import type { MindMap } from '../mind-map/mind-map.ts'
import { dueReviews, REVIEWS_PER_SESSION } from '../spaced-repetition/due-reviews.ts'
import type { ArcRules, ArcState } from './state.ts'

/** What an arc does when nothing is asked of the learner. */
export type Activity =
  | { do: 'complete' }
  /** `nodeIds`: the batch of reviews, in order; the first is the next. */
  | { do: 'review'; nodeIds: string[] }
  /** Asks whether it is enough for now. */
  | { do: 'offer-stop' }
  /** A placed concept is checked. */
  | { do: 'check'; nodeId: string }
  | { do: 'go-on' }
  | { do: 'teach'; nodeId: string }
  | { do: 'sleep' }

/**
 * Chooses between review, check, lesson and sleep for an arc that has its map. Due reviews go before lessons, but a quiz
 * that has begun is finished first; a learner who rests, or is asked whether it is enough, is asked due reviews only.
 * `now` in UTC ms.
 */
export function nextActivity(
  state: Pick<ArcState, 'lesson' | 'batch' | 'sitting' | 'question'>,
  map: MindMap,
  rules: Pick<ArcRules, 'unlockAt' | 'onMastered'>,
  now: number,
): Activity {
  const { lesson, sitting, question } = state
  if (isComplete(map) && rules.onMastered === 'complete') return { do: 'complete' }
  if (sitting.resting || question?.kind === 'choice') {
    return dueReview(state, map, now) ?? { do: 'sleep' }
  }
  if (sitting.offersStop) return dueReview(state, map, now) ?? { do: 'offer-stop' }
  if (lesson?.stage === 'feedback') return { do: 'go-on' }
  if (lesson?.stage === 'quiz' && lesson.quiz !== null) return { do: 'go-on' }
  const due = dueReview(state, map, now)
  if (due) return due
  if (lesson) return { do: 'go-on' }
  const [placed] = checkable(map, rules.unlockAt)
  if (placed && sitting.checksLeft > 0) return { do: 'check', nodeId: placed.id }
  const next = nextNode(map, rules.unlockAt)
  if (!next) return { do: 'sleep' }
  return next.id === placed?.id
    ? { do: 'check', nodeId: next.id }
    : { do: 'teach', nodeId: next.id }
}

function dueReview({ batch }: Pick<ArcState, 'batch'>, map: MindMap, now: number): Activity | null {
  const due = dueReviews(map, now, map.nodes.length).map((node) => node.id)
  const left = batch.filter((id) => due.includes(id))
  if (left.length > 0) return { do: 'review', nodeIds: left }
  return due.length > 0 ? { do: 'review', nodeIds: due.slice(0, REVIEWS_PER_SESSION) } : null
}
