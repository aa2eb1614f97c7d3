import { default_w, forgetting_curve } from 'ts-fsrs'
import { isPassed } from '../mastery/quality.ts'
import { type FsrsMemory, fsrsStep } from './fsrs.ts'
import type { DailyReview } from './review-log.ts'
import { type Sm2State, sm2 } from './sm2.ts'

/** A review, what was foreseen of it (0..1), and whether the concept was known (quality 3 and more). */
export interface Prediction {
  at: number
  predicted: number
  recalled: boolean
}

/** Reviews whose predictions lie close to each other. */
export interface CalibrationBin {
  /** The means of what was foreseen and of what was known, 0..1. */
  predicted: number
  recalled: number
  count: number
}

export interface Calibration {
  count: number
  /** Mean of −ln of the chance that was given to what happened; null without reviews. */
  logLoss: number | null
  /** Root of the mean squared difference in the bins, weighted by their counts; null without reviews. */
  rmseBins: number | null
  bins: CalibrationBin[]
}

const BINS = 20
/** A model is never so sure that one answer would outweigh all others. */
const LEAST = 1e-4
const SM2_START: Sm2State = { easeFactor: 2.5, repetitions: 0, intervalDays: 0 }
/** What SM-2's intervals are taken to aim at, as it says nothing of chances itself. */
const SM2_RETENTION = 0.9

/** What FSRS would have said of each review but the first of a concept, by these weights or the default ones. */
export function predictByFsrs(
  series: readonly (readonly DailyReview[])[],
  weights: readonly number[] = default_w,
): Prediction[] {
  return series.flatMap((reviews) => {
    let memory: FsrsMemory | null = null
    return reviews.flatMap(({ at, quality, elapsedDays }) => {
      const found = memory && {
        at,
        predicted: forgetting_curve(weights, elapsedDays, memory.stability),
        recalled: isPassed(quality),
      }
      memory = fsrsStep(memory, quality, elapsedDays, { weights })
      return found ? [found] : []
    })
  })
}

/** The same by SM-2: 0.9 after one interval, falling exponentially (P. A. Woźniak's reading of an interval). */
export function predictBySm2(series: readonly (readonly DailyReview[])[]): Prediction[] {
  return series.flatMap((reviews) => {
    let state = SM2_START
    return reviews.flatMap(({ at, quality, elapsedDays }, index) => {
      const predicted = SM2_RETENTION ** (elapsedDays / Math.max(state.intervalDays, 1))
      state = sm2(state, quality)
      return index === 0 ? [] : [{ at, predicted, recalled: isPassed(quality) }]
    })
  })
}

/** How well predictions fit what happened. */
export function calibration(predictions: readonly Prediction[]): Calibration {
  const count = predictions.length
  if (count === 0) return { count, logLoss: null, rmseBins: null, bins: [] }
  const groups = Map.groupBy(predictions, ({ predicted }) =>
    Math.min(BINS - 1, Math.floor(predicted * BINS)),
  )
  const bins = [...groups]
    .sort(([a], [b]) => a - b)
    .map(([, inBin]) => ({
      predicted: mean(inBin.map(({ predicted }) => predicted)),
      recalled: mean(inBin.map(({ recalled }) => Number(recalled))),
      count: inBin.length,
    }))
  const squares = bins.map((bin) => bin.count * (bin.predicted - bin.recalled) ** 2)
  return {
    count,
    logLoss: mean(predictions.map(loss)),
    rmseBins: Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / count),
    bins,
  }
}

function loss({ predicted, recalled }: Prediction): number {
  const chance = Math.min(1 - LEAST, Math.max(LEAST, predicted))
  return -Math.log(recalled ? chance : 1 - chance)
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length
