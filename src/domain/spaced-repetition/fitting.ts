import { calibration, predictByFsrs } from './calibration.ts'
import type { DailyReview } from './review-log.ts'

/** Finds the weights of FSRS that fit series of reviews best, one series a concept. */
export type FitWeights = (series: readonly (readonly DailyReview[])[]) => Promise<number[]>

/** Weights that were tried on reviews they had not seen. */
export interface FittedMemory {
  /** Null: the default ones did as well or better. */
  weights: number[] | null
  /** Reviews that can be foreseen, and how many of them, the latest, were held out. */
  reviews: number
  heldOut: number
  logLoss: number
  defaultLogLoss: number
}

/** Fewer reviews say too little of a memory. */
export const LEAST_REVIEWS = 400
/** Of the reviews, the earliest to fit by; the rest is to judge. */
const FITTED_SHARE = 0.8

/**
 * Fits FSRS to a learner's reviews of before a moment and keeps the weights where they foresee the later ones better than
 * the default ones do; null of too few reviews.
 */
export async function fitMemory(
  series: readonly (readonly DailyReview[])[],
  optimize: FitWeights,
): Promise<FittedMemory | null> {
  const times = predictByFsrs(series)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  const from = times[Math.floor(times.length * FITTED_SHARE)]
  if (times.length < LEAST_REVIEWS || from === undefined) return null
  const earlier = series.map((reviews) => reviews.filter(({ at }) => at < from))
  const weights = await optimize(earlier.filter((reviews) => reviews.length > 1))
  const later = (by?: readonly number[]) =>
    calibration(predictByFsrs(series, by).filter(({ at }) => at >= from))
  const [fitted, standard] = [later(weights), later()]
  const [logLoss, defaultLogLoss] = [fitted.logLoss ?? 0, standard.logLoss ?? 0]
  return {
    weights: logLoss < defaultLogLoss ? weights : null,
    reviews: times.length,
    heldOut: fitted.count,
    logLoss,
    defaultLogLoss,
  }
}
