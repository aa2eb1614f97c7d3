/** How a question with a key ended; `abstained` and `shown` are answers not given. */
export type Verdict = 'correct' | 'close' | 'wrong' | 'abstained' | 'shown'

/** How the answer came about: `attempt` counts from 1. */
export interface AnswerCircumstances {
  attempt: number
  hinted: boolean
}

export type PracticeOutcome = 'mastered' | 'learned' | 'struggling' | 'stuck' | 'skipped'

export const PASSING_QUALITY = 3
export const FULL_QUALITY = 5

/** Whether an answer of that quality counts as known: 3 is the least that does (seed 000 D2, D4). */
export function isPassed(quality: number): boolean {
  return quality >= PASSING_QUALITY
}

/** Whether an answer of that quality was right, but with a hint, a remedy or at a second try. */
export function isHelped(quality: number): boolean {
  return quality === PASSING_QUALITY
}

const OUTCOMES: Record<PracticeOutcome, number> = {
  mastered: 5,
  learned: 3,
  struggling: 1,
  stuck: 0,
  skipped: 0,
}

/** The quality (0–5) of an answer that code judged: full marks only at first try and unaided. */
export function verdictQuality(verdict: Verdict, { attempt, hinted }: AnswerCircumstances): number {
  switch (verdict) {
    case 'correct':
      return attempt > 1 || hinted ? PASSING_QUALITY : FULL_QUALITY
    case 'close':
      return 2
    case 'wrong':
      return 1
    default:
      return 0
  }
}

/** The quality of a practised problem's outcome (seed 002), which counts as a teach response. */
export function outcomeQuality(outcome: PracticeOutcome): number {
  return OUTCOMES[outcome]
}

/** The quality of a side response: right counts 5 or 3, whatever is not right 1. */
export function sideQuality(quality: number): number {
  return isPassed(quality) ? quality : 1
}

/**
 * Lets only whole qualities from 0 to 5 through.
 * @throws RangeError for anything else
 */
export function requireQuality(quality: number): void {
  if (!Number.isInteger(quality) || quality < 0 || quality > 5) {
    throw new RangeError(`A quality is a whole number from 0 to 5, not ${quality}.`)
  }
}
