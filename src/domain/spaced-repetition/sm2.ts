import { isPassed, requireQuality } from '../mastery/quality.ts'

/** What SM-2 remembers of one concept; the interval is in days. */
export interface Sm2State {
  easeFactor: number
  repetitions: number
  intervalDays: number
}

const LOWEST_EASE = 1.3

/** The first intervals, in days (seed 000 D2). */
export const LEARNING_STEPS: readonly number[] = [1, 6]

/**
 * One step of SM-2 (P. A. Woźniak, 1990, as in seed 000 D2): the first recalls take the learning
 * steps, later ones the last interval times the ease before this review; a failed recall starts
 * again at the first step. The ease moves at every quality.
 * @throws RangeError when the quality is not a whole number from 0 to 5
 */
export function sm2(
  state: Sm2State,
  quality: number,
  learningSteps: readonly number[] = LEARNING_STEPS,
): Sm2State {
  requireQuality(quality)
  const recalled = isPassed(quality)
  const missed = 5 - quality
  return {
    easeFactor: Math.max(LOWEST_EASE, state.easeFactor + 0.1 - missed * (0.08 + missed * 0.02)),
    repetitions: recalled ? state.repetitions + 1 : 0,
    intervalDays: recalled
      ? (learningSteps[state.repetitions] ?? state.intervalDays * state.easeFactor)
      : firstStep(learningSteps),
  }
}

/** The days until a concept that was not recalled is due again. */
export function firstStep(learningSteps: readonly number[]): number {
  return learningSteps[0] ?? 1
}
