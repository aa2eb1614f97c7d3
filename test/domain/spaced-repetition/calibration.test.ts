import { default_w } from 'ts-fsrs'
import { describe, expect, it } from 'vitest'
import {
  calibration,
  predictByFsrs,
  predictBySm2,
} from '../../../src/domain/spaced-repetition/calibration.ts'
import { dailyReviews, reviewLogCsv } from '../../../src/domain/spaced-repetition/review-log.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2026, 0, 5, 9)
const answer = (
  day: number,
  quality: number,
  type: 'teach' | 'review' = 'review',
  cardId = 'a',
) => ({
  cardId,
  at: START + day * DAY_MS,
  quality,
  type,
  durationMs: 1_500,
})

describe('the log of reviews', () => {
  it('has the columns of open-spaced-repetition, ratings from 1 to 4 and the state before', () => {
    const log = [
      answer(0, 5, 'teach'),
      answer(0.001, 2, 'teach'),
      answer(1, 4),
      answer(7, 1),
      answer(7.1, 3, 'teach'),
      { ...answer(8, 0, 'review', 'b'), durationMs: null },
    ]
    expect(reviewLogCsv(log).split('\n')).toEqual([
      'card_id,review_time,review_rating,review_state,review_duration',
      `a,${START},4,0,1500`,
      `a,${START + 86_400},1,1,1500`,
      `a,${START + DAY_MS},3,2,1500`,
      `a,${START + 7 * DAY_MS},1,2,1500`,
      `a,${START + 7.1 * DAY_MS},2,3,1500`,
      `b,${START + 8 * DAY_MS},1,0,0`,
      '',
    ])
  })

  it('has one occasion a day: the review, else the mean of the quiz', () => {
    const log = [
      answer(0, 5, 'teach'),
      answer(0.01, 3, 'teach'),
      answer(0.02, 5, 'teach'),
      answer(1.1, 1),
      answer(1.11, 5, 'teach'),
      answer(4.2, 4),
    ]
    expect(dailyReviews(log, DAY_MS)).toEqual([
      [
        { at: START + 0.02 * DAY_MS, quality: 4, elapsedDays: 0 },
        { at: START + 1.1 * DAY_MS, quality: 1, elapsedDays: 1 },
        { at: START + 4.2 * DAY_MS, quality: 4, elapsedDays: 3 },
      ],
    ])
  })
})

describe('calibration', () => {
  it('says how likely what happened was held to be, and how far each chance was from the share', () => {
    const seen = (predicted: number, ...recalled: boolean[]) =>
      recalled.map((each) => ({ at: START, predicted, recalled: each }))
    const { count, logLoss, rmseBins, bins } = calibration([
      ...seen(0.9, true, true, true, false),
      ...seen(0.51, true, false),
    ])
    expect(count).toBe(6)
    expect(logLoss).toBeCloseTo(
      -(3 * Math.log(0.9) + Math.log(0.1) + Math.log(0.51) + Math.log(0.49)) / 6,
      12,
    )
    expect(bins).toEqual([
      { predicted: 0.51, recalled: 0.5, count: 2 },
      { predicted: expect.closeTo(0.9, 12), recalled: 0.75, count: 4 },
    ])
    expect(rmseBins).toBeCloseTo(Math.sqrt((2 * 0.01 ** 2 + 4 * 0.15 ** 2) / 6), 12)
    expect(calibration([])).toEqual({ count: 0, logLoss: null, rmseBins: null, bins: [] })
  })

  it('FSRS holds 0.9 after the stability of a first answer, SM-2 after its interval', () => {
    const stability = Math.round(default_w[3] ?? 0)
    const series = [
      [
        { at: START, quality: 5, elapsedDays: 0 },
        { at: START + stability * DAY_MS, quality: 5, elapsedDays: stability },
      ],
    ]
    const [fsrs] = predictByFsrs(series)
    expect(fsrs?.predicted).toBeCloseTo(0.9, 2)
    const oneDay = [
      [
        { at: 0, quality: 4, elapsedDays: 0 },
        { at: DAY_MS, quality: 4, elapsedDays: 1 },
      ],
    ]
    expect(predictBySm2(oneDay)).toEqual([{ at: DAY_MS, predicted: 0.9, recalled: true }])
  })
})
