import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  computeUnitPriorityScore,
  drillEvidenceValue,
  inProgressValue,
  mappedValue,
  rankCandidateUnits,
  recencyValue,
  tierNeedValue,
} from '../../../src/domain/course/units/unit-priority.ts'
import { proves } from '../../spec/scenario.ts'
import { T0 } from './random-course.ts'
import { drill, snapshotAfter } from './sample-course.ts'

test.each([
  [0, 1],
  [36, 0.5],
  [72, 0],
  [100, 0],
  [-5, 1],
  [Number.POSITIVE_INFINITY, 0],
  [Number.NaN, 0],
])('recency of %d hours is %d', (hours, value) => {
  expect(recencyValue(hours)).toBe(value)
})

test.each([
  [-1, 0],
  [0.4, 0.4],
  [3, 1],
  [Number.NaN, 0],
])('a confidence of %d counts %d', (confidence, value) => {
  expect(mappedValue(confidence)).toBe(value)
})

test.each([
  [-1, 0],
  [0, 0],
  [1, 0.5],
  [2, 1],
  [7, 1],
])('a streak of %d counts %d', (streak, value) => {
  expect(drillEvidenceValue(streak)).toBe(value)
})

test('tiers are the more urgent the lower they are', () => {
  expect((['none', 'bronze', 'silver', 'gold'] as const).map(tierNeedValue)).toEqual([
    1, 0.7, 0.4, 0.1,
  ])
  expect([inProgressValue(true), inProgressValue(false)]).toEqual([1, 0])
})

describe(
  'computeUnitPriorityScore',
  proves('004 Scoring (PF-3.3): Unit priority is the weighted sum of normalised values'),
  () => {
    const untouched = {
      mappedConfidence: 0,
      isFocus: false,
      isInProgress: false,
      recencyHours: Number.POSITIVE_INFINITY,
      masteryTier: 'none' as const,
      drillStreak: 0,
    }

    test.each([
      ['untouched', {}, 0.2],
      ['mapped', { mappedConfidence: 1 }, 0.2 + 0.35 * 0.7],
      ['focus', { isFocus: true }, 0.2 + 0.35 * 0.3],
      ['recent', { recencyHours: 36 }, 0.2 + 0.075],
      ['in progress', { isInProgress: true }, 0.2 + 0.15],
      ['one correct', { drillStreak: 1 }, 0.2 + 0.075],
      ['gold', { masteryTier: 'gold' as const }, 0.02],
    ])('%s', (_title, fields, score) => {
      expect(computeUnitPriorityScore({ ...untouched, ...fields })).toBeCloseTo(score, 10)
    })

    test('everything at once is 1', () => {
      const all = {
        mappedConfidence: 1,
        isFocus: true,
        isInProgress: true,
        recencyHours: 0,
        masteryTier: 'none' as const,
        drillStreak: 2,
      }
      expect(computeUnitPriorityScore(all)).toBeCloseTo(1, 10)
    })

    test('more confidence never ranks lower', () => {
      const confidence = fc.double({ min: 0, max: 1, noNaN: true })
      fc.assert(
        fc.property(confidence, confidence, (a, b) => {
          const [less, more] = [Math.min(a, b), Math.max(a, b)].map((mappedConfidence) =>
            computeUnitPriorityScore({ ...untouched, mappedConfidence }),
          )
          expect(more).toBeGreaterThanOrEqual(less ?? 1)
        }),
        { seed: 42, numRuns: 100 },
      )
    })
  },
)

test('rankCandidateUnits puts the most relevant first and breaks ties by unit id', () => {
  const ranked = rankCandidateUnits({
    candidateUnitIds: ['ALG-02', 'ALG-01', 'ALG-00'],
    snapshot: snapshotAfter(drill('ALG-00', true)),
    focusUnitId: 'ALG-00',
    mappedUnits: [],
    now: T0 + 60_000 + 36 * 3_600_000,
  })
  expect(ranked.map(({ unitId }) => unitId)).toEqual(['ALG-00', 'ALG-01', 'ALG-02'])
  expect(ranked[0]?.score).toBeCloseTo(0.35 * 0.3 + 0.15 * 0.5 + 0.15 + 0.2 + 0.15 * 0.5, 10)
  expect(ranked[1]?.score).toBeCloseTo(0.2, 10)
})
