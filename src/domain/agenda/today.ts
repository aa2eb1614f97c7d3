import { listDue, minutesFor, type Review } from './due.ts'
import type { AgendaFacts } from './facts.ts'
import type { StudyCalendar } from './study-calendar.ts'

/** What a learner has before them. */
export interface Today {
  date: string
  listed: Review[]
  minutes: number
  /** What waits behind the cap. */
  held: number
  /** How many come tomorrow, those that are held among them. */
  tomorrow: number
}

/** How many reviews were answered on the day of a moment. */
export function reviewedOn(
  { reviewedAt }: Pick<AgendaFacts, 'reviewedAt'>,
  calendar: StudyCalendar,
  at: number,
): number {
  const day = calendar.day(at)
  return reviewedAt.filter((moment) => moment <= at && calendar.day(moment) === day).length
}

/** The agenda at a moment, in UTC ms; it needs no workflow to have run. */
export function todayOf(facts: AgendaFacts, calendar: StudyCalendar, at: number): Today {
  const { reviews, cap, secondsEach } = facts
  const reviewed = reviewedOn(facts, calendar, at)
  const { listed, held } = listDue(reviews, { at, cap, reviewed })
  const day = calendar.day(at)
  const comes = (on: number) =>
    reviews.filter(({ dueAt }) => dueAt > at && calendar.day(dueAt) === on).length
  // What falls due later today beyond the cap waits until tomorrow too.
  const room = Math.max(0, cap - reviewed - listed.length)
  return {
    date: calendar.date(at),
    listed,
    minutes: minutesFor(listed.length, secondsEach),
    held,
    tomorrow: held + Math.max(0, comes(day) - room) + comes(day + 1),
  }
}
