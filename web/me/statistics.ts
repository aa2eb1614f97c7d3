import type { Activity } from '../../src/contracts/learner.ts'

export type Day = Activity['days'][number]

const DAY_MS = 86_400_000

/** A date of the calendar, YYYY-MM-DD, so many days on. */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Monday 0 to Sunday 6. */
export const weekdayOf = (date: string): number =>
  (new Date(`${date}T12:00:00Z`).getUTCDay() + 6) % 7

/** The days up to today, of so many back. */
export const since = (days: readonly Day[], today: string, back: number): Day[] =>
  days.filter(({ date }) => date > dateAfter(today, -back) && date <= today)

/** The share of reviews that went well; null without any. */
export function retention(days: readonly Day[]): number | null {
  const reviews = days.reduce((sum, day) => sum + day.reviews, 0)
  return reviews === 0 ? null : days.reduce((sum, day) => sum + day.recalled, 0) / reviews
}

/** Answers and seconds of the last seven days. */
export function weekOf(days: readonly Day[], today: string): { answers: number; seconds: number } {
  const week = since(days, today, 7)
  return {
    answers: week.reduce((sum, day) => sum + day.answers, 0),
    seconds: week.reduce((sum, day) => sum + day.seconds, 0),
  }
}

export interface Cell {
  date: string
  kind: 'past' | 'today' | 'future'
  count: number
  /** 0 for nothing, 1 to 4 by the count. */
  level: number
}

const LEVELS = [1, 4, 9, 16]

/** How dark a day is: from how many answers or reviews on each level begins. */
export const levelOf = (count: number): number => LEVELS.filter((from) => count >= from).length

/** Whole weeks, Monday first, from so many before this one to so many after it. */
export function calendarOf(
  past: readonly Pick<Day, 'date' | 'answers'>[],
  future: readonly { date: string; count: number }[],
  today: string,
  weeks: { before: number; after: number },
): Cell[][] {
  const done = new Map(past.map(({ date, answers }) => [date, answers]))
  const coming = new Map(future.map(({ date, count }) => [date, count]))
  const monday = dateAfter(today, -weekdayOf(today) - weeks.before * 7)
  return Array.from({ length: weeks.before + 1 + weeks.after }, (_, week) =>
    Array.from({ length: 7 }, (_, day): Cell => {
      const date = dateAfter(monday, week * 7 + day)
      const kind = date < today ? 'past' : date === today ? 'today' : 'future'
      const count = (kind === 'future' ? coming : done).get(date) ?? 0
      return { date, kind, count, level: levelOf(count) }
    }),
  )
}
