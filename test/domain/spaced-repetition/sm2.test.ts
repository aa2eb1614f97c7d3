import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sm2 } from '../../../src/domain/spaced-repetition/sm2.ts'
import { proves } from '../../spec/scenario.ts'

const FRESH = { easeFactor: 2.5, repetitions: 0, intervalDays: 0 }

function walk(qualities: number[], learningSteps?: number[]) {
  return qualities.map(
    (
      (state) => (quality: number) =>
        (state = sm2(state, quality, learningSteps))
    )(FRESH),
  )
}

describe('SM-2', () => {
  test(
    'takes 1 day, then 6, then the last interval times the ease before the review',
    proves(
      '000 D2 Spaced repetition: Successful recalls are due after 1 day, then 6, then the last interval times the ease',
    ),
    () => {
      expect(walk([4, 4, 4, 4]).map(({ intervalDays }) => intervalDays)).toEqual([1, 6, 15, 37.5])
      const [, , third] = walk([5, 5, 5])
      expect(third?.intervalDays).toBeCloseTo(6 * 2.7, 10)
      expect(third?.easeFactor).toBeCloseTo(2.8, 10)
    },
  )

  test(
    'a failed recall starts again at the first step and still moves the ease',
    proves('000 D2 Spaced repetition: A failed recall starts again at one day'),
    () => {
      const after = sm2({ easeFactor: 2.5, repetitions: 4, intervalDays: 37.5 }, 2)
      expect(after).toEqual({ easeFactor: 2.5 + 0.1 - 3 * 0.14, repetitions: 0, intervalDays: 1 })
    },
  )

  test.each([
    [0, 1.7],
    [1, 1.96],
    [2, 2.18],
    [3, 2.36],
    [4, 2.5],
    [5, 2.6],
  ])(
    'quality %i moves the ease from 2.5 to %f',
    proves('000 D2 Spaced repetition: The ease moves with every quality and never falls below 1.3'),
    (quality, ease) => {
      expect(sm2(FRESH, quality).easeFactor).toBeCloseTo(ease, 10)
    },
  )

  test('takes learning steps of any length', () => {
    const days = (steps: number[]) =>
      walk([4, 4, 4, 4], steps).map(({ intervalDays }) => intervalDays)
    expect(days([2])).toEqual([2, 5, 12.5, 31.25])
    expect(days([0.5, 1, 3, 7, 14, 30])).toEqual([0.5, 1, 3, 7])
    expect(sm2({ ...FRESH, repetitions: 5 }, 1, [0.5, 1]).intervalDays).toBe(0.5)
  })

  test('refuses what is no quality', () => {
    for (const quality of [-1, 6, 2.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => sm2(FRESH, quality)).toThrow(RangeError)
    }
  })

  test(
    'whatever is answered, the ease stays at 1.3 or above and the interval positive',
    proves('000 D2 Spaced repetition: The ease moves with every quality and never falls below 1.3'),
    () => {
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 }), (qualities) => {
          for (const [index, state] of walk(qualities).entries()) {
            expect(state.easeFactor).toBeGreaterThanOrEqual(1.3)
            expect(state.intervalDays).toBeGreaterThanOrEqual(1)
            if ((qualities[index] ?? 0) < 3) expect(state.repetitions).toBe(0)
          }
        }),
        { seed: 42, numRuns: 200 },
      )
    },
  )
})
