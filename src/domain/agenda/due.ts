/** A concept of an open arc that is to be reviewed; times in UTC ms. */
export interface Review {
  arcId: string
  topic: string
  nodeId: string
  label: string
  dueAt: number
}

/** What is due, as it is listed. */
export interface Listing {
  /** What the cap lets through today, a review of each topic in turn. */
  listed: Review[]
  /** How many are due beyond the cap; they are listed on later days. */
  held: number
}

/**
 * What a learner is asked to review at a moment: the longest overdue of what is due, as many as the daily cap has left.
 * @param reviewed how many reviews the learner has answered on that day: they count against the cap
 */
export function listDue(
  reviews: readonly Review[],
  { at, cap, reviewed }: { at: number; cap: number; reviewed: number },
): Listing {
  const due = inOrderDue(reviews.filter(({ dueAt }) => dueAt <= at))
  const left = Math.max(0, cap - reviewed)
  return { listed: interleave(due.slice(0, left)), held: Math.max(0, due.length - left) }
}

/** Longest overdue first; of those due at one moment, in the order of their ids, so that it is always the same. */
export function inOrderDue<R extends Pick<Review, 'dueAt' | 'nodeId'>>(reviews: readonly R[]): R[] {
  return [...reviews].sort((a, b) => a.dueAt - b.dueAt || (a.nodeId < b.nodeId ? -1 : 1))
}

/** One of each arc in turn, the arc of the first one first; within an arc the order stays. */
export function interleave<R extends Pick<Review, 'arcId'>>(reviews: readonly R[]): R[] {
  const byArc = Map.groupBy(reviews, ({ arcId }) => arcId)
  const rounds = Math.max(0, ...[...byArc.values()].map((of) => of.length))
  return Array.from({ length: rounds }, (_, round) =>
    [...byArc.values()].flatMap((of) => of.slice(round, round + 1)),
  ).flat()
}

/** How long reviews take in whole minutes, at so many seconds each; a minute each where nobody knows. */
export function minutesFor(count: number, secondsEach: number | null): number {
  return Math.ceil((count * (secondsEach ?? 60)) / 60)
}
