import { describe, expect, test } from 'vitest'
import { reviewCalendar } from '../../../src/domain/agenda/calendar.ts'
import { reviewDays } from '../../../src/domain/agenda/forecast.ts'

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
})

describe('the calendar', () => {
  const day = {
    date: '2026-03-16',
    reviews: [
      { topic: 'Algebra', label: 'Brackets, signs; and \\ more' },
      { topic: 'Algebra', label: 'Ω'.repeat(80) },
    ],
  }

  test('has one all-day event a day, which keeps its UID', () => {
    const lines = reviewCalendar([day], 'me', NOW).split('\r\n')
    expect(lines.slice(0, 2)).toEqual(['BEGIN:VCALENDAR', 'VERSION:2.0'])
    expect(lines).toContain('UID:2026-03-16-me@meno')
    expect(lines).toContain('DTSTAMP:20260315T223000Z')
    expect(lines).toContain('DTSTART;VALUE=DATE:20260316')
    expect(lines).toContain('SUMMARY:2 reviews: Algebra')
    expect(lines.slice(-2)).toEqual(['END:VCALENDAR', ''])
    expect(reviewCalendar([], 'me', NOW)).not.toContain('VEVENT')
  })

  test('escapes what has a meaning in it, and folds long lines between characters', () => {
    const text = reviewCalendar([day], 'me', NOW)
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    const unfolded = text.replaceAll('\r\n ', '')
    expect(unfolded).toContain(
      `DESCRIPTION:Algebra: Brackets\\, signs\\; and \\\\ more\\nAlgebra: ${'Ω'.repeat(80)}\r\n`,
    )
  })
})
