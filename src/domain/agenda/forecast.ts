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

/** How many reviews a learner wants in a day, and until when (UTC ms) none at all. */
export interface StudyPlan {
  timeZone: string
  dailyCap: number
  holidayUntil: number | null
}

/**
 * The days on which a learner is asked to review: what is due on a date of their zone, at most the daily cap with the
 * most overdue first; the rest moves to the next day, and what falls into a holiday to its end. Times in UTC ms.
 */
export function studyDays<Review extends { dueAt: number }>(
  reviews: readonly Review[],
  { timeZone, dailyCap, holidayUntil }: StudyPlan,
  now: number,
): ReviewDay<Review>[] {
  const days: ReviewDay<Review>[] = []
  let held: Review[] = []
  const ahead = reviewDays(reviews, timeZone, Math.max(now, holidayUntil ?? now))
  const take = (date: string, due: readonly Review[]) => {
    const all = [...held, ...due]
    days.push({ date, reviews: all.slice(0, dailyCap) })
    held = all.slice(dailyCap)
  }
  for (const { date, reviews: due } of ahead) {
    for (let next = dayAfter(days.at(-1)?.date); held.length > 0 && next < date; ) {
      take(next, [])
      next = dayAfter(next)
    }
    take(date, due)
  }
  while (held.length > 0) take(dayAfter(days.at(-1)?.date), [])
  return days
}

function dayAfter(date = ''): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day + 1)).toISOString().slice(0, 10)
}
