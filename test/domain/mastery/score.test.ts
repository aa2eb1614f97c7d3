import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { masteryScore, scoreReaches, seedScore } from '../../../src/domain/mastery/score.ts'
import { proves } from '../../spec/scenario.ts'

const anyQualities = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 8 })

describe('the mastery score', () => {
  test('weighs the latest five 1, 2, 4, 8, 16 towards the newest', () => {
    expect(masteryScore([5, 0, 0, 0, 0])).toBe(1 / 31)
    expect(masteryScore([0, 0, 0, 0, 5])).toBe(16 / 31)
    expect(masteryScore([0, 1, 2, 3, 4, 5])).toBe((1 + 4 + 12 + 32 + 80) / 155)
  })

  test('fewer responses use the heaviest weights', () => {
    expect(masteryScore([])).toBe(0)
    expect(masteryScore([4])).toBe(0.8)
    expect(masteryScore([5, 0])).toBe(8 / 24)
    expect(masteryScore([4, 4, 4])).toBe(0.8)
  })

  test('lies between 0 and 1 and never falls with a better answer', () => {
    fc.assert(
      fc.property(anyQualities, fc.integer({ min: 0, max: 4 }), (qualities, quality) => {
        const score = masteryScore([...qualities, quality])
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1)
        expect(masteryScore([...qualities, quality + 1])).toBeGreaterThan(score)
      }),
      { seed: 42, numRuns: 200 },
    )
  })

  test('is compared in integers: three fours reach 0.8 exactly', () => {
    expect(scoreReaches([4, 4, 4], 4, 5)).toBe(true)
    expect(scoreReaches([5, 5, 3], 4, 5)).toBe(false)
    expect(scoreReaches([], 0, 5)).toBe(false)
  })
})

test(
  'Mastery seeded conservatively from diagnostic scores',
  proves('000 D4 Diagnostic assessment: A diagnosis seeds scores of 0.3 to 0.7, never 1.0'),
  () => {
    expect([0, 1, 2, 3, 4, 5].map(seedScore)).toEqual([0, 0, 0, 0.3, 0.5, 0.7])
  },
)
