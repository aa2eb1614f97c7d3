import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { reviewCalendar } from '../../../src/domain/agenda/calendar.ts'
import { reviewDays, studyDays } from '../../../src/domain/agenda/forecast.ts'

const NOW = Date.UTC(2026, 2, 15, 22, 30)
const HOUR_MS = 3_600_000

describe('reviews by day', () => {
  test('of the learner’s calendar, earliest first; what is overdue is for today', () => {
    const reviews = [30, -50, 0.5, 3].map((hours) => ({ dueAt: NOW + hours * HOUR_MS }))
    const dates = (zone: string) =>
      reviewDays(reviews, zone, NOW).map(({ date, reviews: on }) => [date, on.length])
    expect(dates('UTC')).toEqual([
      ['2026-03-15', 2],
      ['2026-03-16', 1],
      ['2026-03-17', 1],
    ])
    expect(dates('Asia/Tokyo')).toEqual([
      ['2026-03-16', 3],
      ['2026-03-17', 1],
    ])
    expect(reviewDays([], 'UTC', NOW)).toEqual([])
  })

  const plan = { timeZone: 'UTC', dailyCap: 2, holidayUntil: null }
  const inDays = (...days: number[]) => days.map((day) => ({ dueAt: NOW + day * 24 * HOUR_MS }))
  const counts = (reviews: { dueAt: number }[], more = {}) =>
    studyDays(reviews, { ...plan, ...more }, NOW).map(({ date, reviews: on }) => [date, on.length])

  test('what is over the daily cap moves to the next days', () => {
    expect(counts(inDays(-3, -2, -1, 0, 0, 3))).toEqual([
      ['2026-03-15', 2],
      ['2026-03-16', 2],
      ['2026-03-17', 1],
      ['2026-03-18', 1],
    ])
    expect(counts(inDays(1, 1, 1))).toEqual([
      ['2026-03-16', 2],
      ['2026-03-17', 1],
    ])
    expect(counts([])).toEqual([])
  })

  test('what falls into a holiday is for its end', () => {
    const holidayUntil = NOW + 72 * HOUR_MS
    expect(counts(inDays(0, 1, 4), { holidayUntil })).toEqual([
      ['2026-03-18', 2],
      ['2026-03-19', 1],
    ])
  })
})

describe('the calendar', () => {
  const day = {
    date: '2026-03-16',
    reviews: [
      { topic: 'Algebra', label: 'Brackets, signs; and \\ more' },
      { topic: 'Algebra', label: 'Ω'.repeat(80) },
    ],
  }
  const owner = {
    id: 'me',
    timeZone: 'Europe/Berlin',
    studyTime: null,
    secondsPerReview: 60,
    url: 'https://meno.example',
  }

  /** As another program reads it. */
  const read = (text: string) => new ICAL.Component(ICAL.parse(text))
  const eventsOf = (text: string) =>
    read(text)
      .getAllSubcomponents('vevent')
      .map((event) => new ICAL.Event(event))
  const local = (at: Date, timeZone: string) =>
    at.toLocaleString('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })

  test('has a name, and says how often to look again', () => {
    const calendar = read(reviewCalendar([day], owner, NOW))
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Meno reviews')
    expect(String(calendar.getFirstPropertyValue('refresh-interval'))).toBe('PT1H')
    expect(calendar.getFirstPropertyValue('version')).toBe('2.0')
    expect(eventsOf(reviewCalendar([], owner, NOW))).toEqual([])
  })

  test('has one event a day, all day where no study time is set, which keeps its UID', () => {
    const [event, ...others] = eventsOf(reviewCalendar([day], owner, NOW))
    expect(others).toEqual([])
    expect(event?.uid).toBe('2026-03-16-me@meno')
    expect(event?.startDate.isDate).toBe(true)
    expect(event?.startDate.toString()).toBe('2026-03-16')
    expect(event?.summary).toBe('2 reviews: Algebra')
    expect(event?.component.getFirstPropertyValue('url')).toBe('https://meno.example')
    const fewer = { ...day, reviews: day.reviews.slice(1) }
    expect(eventsOf(reviewCalendar([fewer], owner, NOW))[0]?.uid).toBe(event?.uid)
  })

  test('what has a meaning in it is read back as it was, and no line is too long', () => {
    const text = reviewCalendar([day], owner, NOW)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    expect(eventsOf(text)[0]?.description).toContain(
      `Algebra: Brackets, signs; and \\ more\nAlgebra: ${'Ω'.repeat(80)}\n`,
    )
  })

  test.each([
    ['Europe/Berlin', '2026-03-16', '17:00'],
    ['Europe/Berlin', '2026-07-01', '00:30'],
    ['America/St_Johns', '2026-11-01', '07:15'],
    ['Asia/Kathmandu', '2026-03-16', '23:45'],
    ['Pacific/Kiritimati', '2026-03-16', '06:00'],
    ['Pacific/Pago_Pago', '2026-03-16', '20:00'],
    ['Australia/Lord_Howe', '2026-04-05', '03:00'],
  ])('in %s on %s it begins at %s by the clock there', (timeZone, date, studyTime) => {
    const text = reviewCalendar([{ ...day, date }], { ...owner, timeZone, studyTime }, NOW)
    const [event] = eventsOf(text)
    expect(local(event?.startDate.toJSDate() as Date, timeZone)).toBe(`${date} ${studyTime}`)
  })

  test('a study time that the clock leaps over is an hour later', () => {
    const leap = { ...day, date: '2026-03-29' }
    const [event] = eventsOf(reviewCalendar([leap], { ...owner, studyTime: '02:30' }, NOW))
    expect(local(event?.startDate.toJSDate() as Date, 'Europe/Berlin')).toBe('2026-03-29 03:30')
  })

  test('it takes as long as the learner takes, in steps of five minutes', () => {
    const many = { ...day, reviews: Array(14).fill({ topic: 'Algebra', label: 'Sums' }) }
    const lengths = [20, 60, 75].map((secondsPerReview) => {
      const slow = { ...owner, studyTime: '17:00', secondsPerReview }
      return eventsOf(reviewCalendar([many], slow, NOW))[0]?.duration.toSeconds()
    })
    expect(lengths).toEqual([5 * 60, 15 * 60, 20 * 60])
  })
})
