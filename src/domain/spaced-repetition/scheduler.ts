import { requireQuality } from '../mastery/quality.ts'
import { type FsrsMemory, type FsrsSettings, fsrsStep } from './fsrs.ts'
import { LEARNING_STEPS, type Sm2State, sm2 } from './sm2.ts'

export type SchedulerName = 'sm2' | 'fsrs'

/** What a scheduler remembers of one concept; `lastReviewedAt` in UTC milliseconds. */
export interface ReviewState extends Sm2State {
  lastReviewedAt: number | null
  fsrs?: FsrsMemory
}

export interface ScheduledReview {
  state: ReviewState
  /** UTC milliseconds, whole. */
  nextReviewAt: number
}

/** Decides when a concept is asked again; pure, the time of the review is an argument. */
export interface Scheduler {
  /**
   * @param at UTC milliseconds of the review
   * @param dayMs the length of one day in milliseconds
   * @throws RangeError when the quality is not a whole number from 0 to 5
   */
  review(state: ReviewState, quality: number, at: number, dayMs: number): ScheduledReview
}

const LONGEST_INTERVAL_DAYS = 36_500

/** The scheduler of an arc; the learning steps, in days, are SM-2's, the settings FSRS's. */
export function schedulerFor(
  name: SchedulerName,
  learningSteps: readonly number[] = LEARNING_STEPS,
  settings: FsrsSettings = {},
): Scheduler {
  return name === 'fsrs' ? fsrsScheduler(learningSteps, settings) : sm2Scheduler(learningSteps)
}

function sm2Scheduler(learningSteps: readonly number[]): Scheduler {
  return {
    review: (state, quality, at, dayMs) =>
      scheduled({ ...state, ...sm2(state, quality, learningSteps) }, at, dayMs),
  }
}

/** FSRS sets the interval; ease and repetitions move as in SM-2, by which due reviews are ranked. */
function fsrsScheduler(learningSteps: readonly number[], settings: FsrsSettings): Scheduler {
  return {
    review(state, quality, at, dayMs) {
      requireQuality(quality)
      const elapsedDays = state.lastReviewedAt === null ? 0 : (at - state.lastReviewedAt) / dayMs
      const fsrs = fsrsStep(state.fsrs ?? null, quality, elapsedDays, settings)
      const { easeFactor, repetitions } = sm2(state, quality, learningSteps)
      const intervalDays = fsrs.scheduledDays
      return scheduled({ ...state, easeFactor, repetitions, intervalDays, fsrs }, at, dayMs)
    },
  }
}

function scheduled(state: ReviewState, at: number, dayMs: number): ScheduledReview {
  const intervalDays = Math.min(state.intervalDays, LONGEST_INTERVAL_DAYS)
  return {
    state: { ...state, intervalDays, lastReviewedAt: at },
    nextReviewAt: dueAfter(intervalDays, at, dayMs),
  }
}

/** The whole UTC millisecond at which an interval of days that starts at `at` ends. */
export function dueAfter(intervalDays: number, at: number, dayMs: number): number {
  return at + Math.round(intervalDays * dayMs)
}
