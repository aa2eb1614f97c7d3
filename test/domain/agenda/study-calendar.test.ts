import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StudyCalendar } from '../../../src/domain/agenda/study-calendar.ts'

const HOUR_MS = 3_600_000
const ZONES = [
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'UTC',
]

const calendar = (timeZone: string, studyTime: string | null = null, dayMs?: number) =>
  new StudyCalendar({ timeZone, studyTime, quietFrom: '21:00', quietTo: '08:00' }, dayMs)

/** What a clock in the zone shows, by the platform's own formatter. */
function shown(at: number, timeZone: string): { date: string; time: string } {
  const [date = '', time = ''] = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  })
    .format(at)
    .split(' ')
  return { date, time: time.slice(0, 5) }
}

const moment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2030, 0, 1) })
const zone = fc.constantFrom(...ZONES)

describe('quiet hours', () => {
  test('what is let through lies outside them, and nothing earlier did', () => {
    fc.assert(
      fc.property(moment, zone, (at, timeZone) => {
        const free = calendar(timeZone).outsideQuietHours(at)
        const { time } = shown(free, timeZone)
        expect(time >= '08:00' && time < '21:00').toBe(true)
        for (let before = at; before < free; before += 10 * 60_000) {
          const { time } = shown(before, timeZone)
          expect(time >= '21:00' || time < '08:00').toBe(true)
        }
      }),
    )
  })

  test.each([
    // The clock goes forward in the night: the quiet hours are ten.
    ['2026-03-28T20:00:00Z', '2026-03-29T06:00:00Z'],
    // It goes back: they are twelve.
    ['2026-10-24T19:00:00Z', '2026-10-25T07:00:00Z'],
  ])('in Berlin from %s to %s', (from, to) => {
    const free = calendar('Europe/Berlin').outsideQuietHours(Date.parse(from))
    expect(new Date(free).toISOString()).toBe(new Date(to).toISOString())
  })

  test('by day, when somebody works at night; none where both ends are the same', () => {
    const at = Date.parse('2026-11-22T10:00:00Z')
    const by = (quietFrom: string, quietTo: string) =>
      new StudyCalendar({ timeZone: 'UTC', studyTime: null, quietFrom, quietTo }).outsideQuietHours(
        at,
      )
    expect(by('09:00', '17:30')).toBe(Date.parse('2026-11-22T17:30:00Z'))
    expect(by('10:00', '10:00')).toBe(at)
  })

  test('that end in the hour which the clock shows twice end once', () => {
    const night = new StudyCalendar({
      timeZone: 'Europe/Berlin',
      studyTime: null,
      quietFrom: '21:00',
      quietTo: '02:30',
    })
    for (const at of ['2026-10-25T00:00:00Z', '2026-10-25T01:10:00Z']) {
      const free = night.outsideQuietHours(Date.parse(at))
      expect(night.outsideQuietHours(free)).toBe(free)
      expect(free).toBe(Date.parse('2026-10-25T01:30:00Z'))
    }
  })
})

describe('days', () => {
  test('a day begins where the date changes', () => {
    fc.assert(
      fc.property(moment, zone, (at, timeZone) => {
        const days = calendar(timeZone)
        const start = days.startOf(days.day(at))
        expect(start).toBeLessThanOrEqual(at)
        expect(shown(start, timeZone).date).toBe(shown(at, timeZone).date)
        expect(shown(start - 1, timeZone).date).not.toBe(shown(at, timeZone).date)
        expect(days.date(at)).toBe(shown(at, timeZone).date)
        expect(days.day(start - 1)).toBe(days.day(at) - 1)
      }),
    )
  })

  test('of a minute are counted by the minute, without quiet hours and study time', () => {
    const short = calendar('Europe/Berlin', '18:00', 60_000)
    const at = Date.parse('2026-11-22T23:00:30Z')
    expect(short.day(at) + 1).toBe(short.day(at + 60_000))
    expect(short.startOf(short.day(at))).toBe(at - 30_000)
    expect(short.outsideQuietHours(at)).toBe(at)
    expect(short.fromStudyTime(at)).toBe(at)
    expect(short.date(at)).toBe('2026-11-23')
  })
})

test('before the study time it is waited for; after it, not', () => {
  fc.assert(
    fc.property(moment, zone, (at, timeZone) => {
      const from = calendar(timeZone, '17:30').fromStudyTime(at)
      const { time, date } = shown(from, timeZone)
      if (shown(at, timeZone).time < '17:30') expect(time).toBe('17:30')
      else expect(from).toBe(at)
      expect(date).toBe(shown(at, timeZone).date)
    }),
  )
})

test('Sunday at nine is found from any moment', () => {
  fc.assert(
    fc.property(moment, zone, (at, timeZone) => {
      const sunday = calendar(timeZone).nextOn(7, '09:00', at)
      const weekday = new Intl.DateTimeFormat('en', { timeZone, weekday: 'long' }).format(sunday)
      expect(weekday).toBe('Sunday')
      expect(shown(sunday, timeZone).time).toBe('09:00')
      expect(sunday).toBeGreaterThan(at)
      expect(sunday - at).toBeLessThanOrEqual(7 * 24 * HOUR_MS + 2 * HOUR_MS)
    }),
  )
})
