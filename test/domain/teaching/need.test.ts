import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byNeed, needOf, type PupilStanding } from '../../../src/domain/teaching/need.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-21T10:00:00Z')

const pupil = (name: string, change: Partial<PupilStanding> = {}): PupilStanding => ({
  name,
  isStuck: false,
  struggling: 0,
  lastActiveAt: NOW - DAY,
  ...change,
})

describe('who needs help', () => {
  it('is who is stuck, then who struggles with most, then who is silent for longest', () => {
    const pupils = [
      pupil('Ann, at work'),
      pupil('Ben, never there', { lastActiveAt: null }),
      pupil('Cem, silent for eight days', { lastActiveAt: NOW - 8 * DAY }),
      pupil('Dan, silent for a month', { lastActiveAt: NOW - 30 * DAY }),
      pupil('Eve, struggles with one', { struggling: 1 }),
      pupil('Fay, struggles with three, silent', { struggling: 3, lastActiveAt: NOW - 9 * DAY }),
      pupil('Gil, stuck', { isStuck: true }),
      pupil('Hal, stuck and struggles', { isStuck: true, struggling: 2 }),
    ]
    expect(byNeed(pupils, NOW).map(({ name }) => name.slice(0, 3))).toEqual([
      ...['Hal', 'Gil', 'Fay', 'Eve', 'Dan', 'Cem', 'Ann', 'Ben'],
    ])
  })

  it('is quiet from the seventh day on, and never who was never there', () => {
    const silentFor = (ms: number) => needOf({ ...pupil('x'), lastActiveAt: NOW - ms }, NOW)
    expect([silentFor(7 * DAY - 1), silentFor(7 * DAY)]).toEqual(['none', 'quiet'])
    expect(needOf({ ...pupil('x'), lastActiveAt: null }, NOW)).toBe('not_begun')
  })

  it('does not depend on the order in which the pupils were read', () => {
    const standing = fc.record({
      isStuck: fc.boolean(),
      struggling: fc.nat(3),
      lastActiveAt: fc.option(fc.integer({ min: NOW - 20 * DAY, max: NOW })),
    })
    fc.assert(
      fc.property(fc.array(standing, { maxLength: 12 }), (standings) => {
        const pupils = standings.map((one, index) => ({ ...one, name: `pupil ${index}` }))
        expect(byNeed(pupils.toReversed(), NOW)).toEqual(byNeed(pupils, NOW))
      }),
    )
  })
})
