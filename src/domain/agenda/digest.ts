/** What a learner did in one topic in a week, by its snapshots and its rows. */
export interface TopicWeek {
  topic: string
  /** Shares of 0..1 by the first and the last of the week's snapshots; null where there is none. */
  masteryBefore: number | null
  masteryAfter: number | null
  /** Reviews kept among the reviews of the week, by the last snapshot; null without reviews. */
  retention: number | null
  /** Concepts that became mastered in it. */
  mastered: string[]
  struggling: string[]
  /** How many reviews fall due in the week that follows. */
  due: number
}

/** A learner's week over all topics. */
export interface Week {
  answers: number
  reviews: number
  /** Reviews that were right, with or without help. */
  kept: number
  /** Days of the learner's calendar with an answer. */
  days: number
  topics: TopicWeek[]
}

/** Whether there is something to tell of a week. */
export const isWorthTelling = ({ answers, topics }: Week): boolean =>
  answers > 0 || topics.some(({ mastered }) => mastered.length > 0)

/** How a topic's mastery has moved, in whole percentage points; null where nobody knows. */
export function movement({ masteryBefore, masteryAfter }: TopicWeek): number | null {
  if (masteryBefore === null || masteryAfter === null) return null
  return Math.round(100 * masteryAfter) - Math.round(100 * masteryBefore)
}
