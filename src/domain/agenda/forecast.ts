import { localClock } from '../analytics/local-clock.ts'

/** The reviews that fall on one date of the learner's calendar, YYYY-MM-DD. */
export interface ReviewDay<Review> {
  date: string
  reviews: Review[]
}

/** Reviews by date in the learner's IANA zone, earliest first; what is overdue counts for today. Times in UTC ms. */
export function reviewDays<Review extends { dueAt: number }>(
  reviews: readonly Review[],
  timeZone: string,
  now: number,
): ReviewDay<Review>[] {
  const days = new Map<string, Review[]>()
  for (const review of [...reviews].sort((a, b) => a.dueAt - b.dueAt)) {
    const { date } = localClock(Math.max(review.dueAt, now), timeZone)
    days.set(date, [...(days.get(date) ?? []), review])
  }
  return [...days].map(([date, on]) => ({ date, reviews: on }))
}
