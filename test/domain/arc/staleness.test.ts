import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Attendance, staleness } from '../../../src/domain/arc/staleness.ts'

const DAY = 86_400_000
const now = 1_000 * DAY
const away = (days: number, more: Partial<Attendance> = {}): Attendance => ({
  wantedSince: now - days * DAY,
  lastMessageAt: null,
  warnedAt: null,
  paused: false,
  ...more,
})

describe('staleness', () => {
  it.each([
    ['wanted for 30 days', away(30), 'fine'],
    ['wanted for 31 days', away(31), 'warn'],
    ['warned six days ago', away(40, { warnedAt: now - 6 * DAY }), 'fine'],
    ['warned a week ago', away(40, { warnedAt: now - 7 * DAY }), 'abandon'],
    ['paused', away(400, { paused: true }), 'fine'],
    ['asleep until a review', away(400, { wantedSince: null }), 'fine'],
    ['came since', away(400, { lastMessageAt: now - DAY }), 'fine'],
    [
      'warned in an earlier absence',
      away(40, { lastMessageAt: now - 35 * DAY, warnedAt: now - 60 * DAY }),
      'warn',
    ],
  ])('%s: %s', (_, attendance, verdict) => {
    expect(staleness(attendance, now)).toBe(verdict)
  })

  it('never touches a learner who comes within thirty days of being wanted', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 }), (gaps) => {
        let at = 0
        let warnedAt: number | null = null
        for (const gap of gaps) {
          const wantedSince = at
          for (let day = 0; day <= gap; day += 1) {
            const verdict = staleness(
              { wantedSince, lastMessageAt: at, warnedAt, paused: false },
              at + day * DAY,
            )
            expect(verdict).toBe('fine')
            if (verdict !== 'fine') warnedAt = at
          }
          at += gap * DAY
        }
      }),
      { seed: 42, numRuns: 200 },
    )
  })
})
