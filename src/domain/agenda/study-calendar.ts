import { Temporal } from 'temporal-polyfill'

const REAL_DAY_MS = 86_400_000

/** When a learner wants to be asked, as they set it: times of day as HH:MM in their zone. */
export interface StudyTimes {
  timeZone: string
  studyTime: string | null
  quietFrom: string
  quietTo: string
}

/**
 * The days and the clock of a learner. Moments are UTC ms; a day is its number, from the local date 1970-01-01 on. Where
 * a day is shortened (`dayMs` below 86,400,000), days are counted in that length, and there are no quiet hours and no
 * study time.
 */
export class StudyCalendar {
  readonly #times: StudyTimes
  readonly #dayMs: number

  constructor(times: StudyTimes, dayMs = REAL_DAY_MS) {
    this.#times = times
    this.#dayMs = dayMs
  }

  get #isShortened(): boolean {
    return this.#dayMs < REAL_DAY_MS
  }

  #local(at: number): Temporal.ZonedDateTime {
    return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(this.#times.timeZone)
  }

  /** The date in the learner's zone, YYYY-MM-DD; also under a shortened day. */
  date(at: number): string {
    return this.#local(at).toPlainDate().toString()
  }

  /** The day that a moment falls on. */
  day(at: number): number {
    if (this.#isShortened) return Math.floor(at / this.#dayMs)
    return dayOfDate(this.#local(at).toPlainDate())
  }

  /** The first moment of a day. */
  startOf(day: number): number {
    if (this.#isShortened) return day * this.#dayMs
    return dateOfDay(day).toZonedDateTime(this.#times.timeZone).epochMilliseconds
  }

  /** The weekday of a real date: 1 for Monday to 7 for Sunday. */
  weekday(at: number): number {
    return this.#local(at).dayOfWeek
  }

  /**
   * The next moment after `at` at which the clock shows `time` on that weekday, whatever the length of a day.
   * @param weekday 1 for Monday to 7 for Sunday
   */
  nextOn(weekday: number, time: string, at: number): number {
    const today = this.#local(at).toPlainDate()
    const ahead = (weekday - today.dayOfWeek + 7) % 7
    const first = this.#clock(today.add({ days: ahead }), time)
    return first > at ? first : this.#clock(today.add({ days: ahead + 7 }), time)
  }

  /** The same time of day on the next day; on a day that has not that time, the moment after the gap. */
  sameTimeNextDay(at: number): number {
    if (this.#isShortened) return at + this.#dayMs
    return this.#local(at).add({ days: 1 }).epochMilliseconds
  }

  /** The first moment from `at` on that is not in the quiet hours. */
  outsideQuietHours(at: number): number {
    const { quietFrom: from, quietTo: to } = this.#times
    if (this.#isShortened || from === to) return at
    const local = this.#local(at)
    const clock = local.toPlainTime().toString({ smallestUnit: 'minute' })
    const isOvernight = from > to
    const isQuiet = isOvernight ? clock >= from || clock < to : clock >= from && clock < to
    if (!isQuiet) return at
    const date = local.toPlainDate()
    const ends = isOvernight && clock >= from ? date.add({ days: 1 }) : date
    // Where the clock is put back and shows it twice, the quiet hours end with the second time.
    return this.#clock(ends, to, 'later')
  }

  /** The first moment from `at` on that is not before the study time of its day. */
  fromStudyTime(at: number): number {
    const { studyTime } = this.#times
    if (this.#isShortened || studyTime === null) return at
    return Math.max(at, this.#clock(this.#local(at).toPlainDate(), studyTime))
  }

  #clock(
    date: Temporal.PlainDate,
    time: string,
    disambiguation: 'compatible' | 'later' = 'compatible',
  ): number {
    return date.toPlainDateTime(time).toZonedDateTime(this.#times.timeZone, { disambiguation })
      .epochMilliseconds
  }
}

const EPOCH = Temporal.PlainDate.from('1970-01-01')

const dayOfDate = (date: Temporal.PlainDate) => EPOCH.until(date, { largestUnit: 'day' }).days
const dateOfDay = (day: number) => EPOCH.add({ days: day })
