import ical, { ICalCalendarMethod, ICalEventTransparency } from 'ical-generator'
import type { ReviewDay } from './forecast.ts'

export interface CalendarReview {
  topic: string
  label: string
}

/** Whose calendar it is, and how their days are shown in it. */
export interface CalendarOwner {
  /** Part of every event's `UID`. */
  id: string
  timeZone: string
  /** When the learner studies, HH:MM in their zone; null: a day's reviews have no hour. */
  studyTime: string | null
  /** How long the learner takes for one review. */
  secondsPerReview: number
  /** Where the reviews are done. */
  url: string
}

const HOUR_S = 3_600
const MINUTE_MS = 60_000
/** Shorter appointments cannot be read in most calendars. */
const SHORTEST_MIN = 5

/**
 * Reviews as an iCalendar document (RFC 5545): a day with reviews is one event, at the study time or all day, which keeps
 * its `UID` when its reviews change, so that a subscribed calendar moves with them. `stamp` in UTC ms.
 */
export function reviewCalendar(
  days: readonly ReviewDay<CalendarReview>[],
  owner: CalendarOwner,
  stamp: number,
): string {
  const calendar = ical({
    name: 'Meno reviews',
    prodId: { company: 'Meno', product: 'Reviews', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: HOUR_S,
    url: owner.url,
  })
  for (const { date, reviews } of days) {
    const minutes = minutesFor(reviews.length, owner.secondsPerReview)
    const topics = [...new Set(reviews.map(({ topic }) => topic))].join(', ')
    calendar.createEvent({
      id: `${date}-${owner.id}@meno`,
      stamp: new Date(stamp),
      ...timesOf(date, owner, minutes),
      summary: `${reviews.length} ${reviews.length === 1 ? 'review' : 'reviews'}: ${topics}`,
      description: [
        ...reviews.map(({ topic, label }) => `${topic}: ${label}`),
        '',
        `About ${minutes} minutes. ${owner.url}`,
      ].join('\n'),
      url: owner.url,
      transparency: ICalEventTransparency.TRANSPARENT,
    })
  }
  return `${calendar.toString()}\r\n`
}

/** Whole five minutes for so many reviews. */
const minutesFor = (count: number, seconds: number): number =>
  Math.max(1, Math.ceil((count * seconds) / 60 / SHORTEST_MIN)) * SHORTEST_MIN

/** An hour is written in UTC: the same moment in every calendar, without a description of the zone. */
function timesOf(date: string, { studyTime, timeZone }: CalendarOwner, minutes: number) {
  if (studyTime === null) return { allDay: true, start: new Date(`${date}T00:00:00Z`) }
  const start = momentOf(date, studyTime, timeZone)
  return { start: new Date(start), end: new Date(start + minutes * MINUTE_MS) }
}

/** A date and time of a zone in UTC ms; an hour that the clock leaps over is the one after it. */
function momentOf(date: string, time: string, timeZone: string): number {
  const wanted = Date.parse(`${date}T${time}:00Z`)
  const first = wanted - aheadOfUtc(wanted, timeZone)
  const second = wanted - aheadOfUtc(first, timeZone)
  return second + aheadOfUtc(second, timeZone) === wanted ? second : Math.max(first, second)
}

/** How far the clocks of a zone are ahead of UTC at a moment, in ms. */
function aheadOfUtc(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const local = Date.UTC(
    ...([part('year'), part('month') - 1, part('day'), part('hour'), part('minute')] as const),
  )
  return local - Math.floor(at / MINUTE_MS) * MINUTE_MS
}
