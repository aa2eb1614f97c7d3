import { gradeOf } from './fsrs.ts'

/** A graded answer about a concept; a diagnosis is none. `at` in UTC ms, oldest first. */
export interface LoggedAnswer {
  cardId: string
  at: number
  /** A whole number from 0 to 5. */
  quality: number
  type: 'teach' | 'review'
  /** From the question to the answer; null if it is not known. */
  durationMs: number | null
}

/** What a memory is asked once a day: the day's review, else the rounded mean of the day's quiz. */
export interface DailyReview {
  at: number
  quality: number
  /** Whole days since the one before; 0 for the first. */
  elapsedDays: number
}

const COLUMNS = 'card_id,review_time,review_rating,review_state,review_duration'
const NEW = 0
const LEARNING = 1
const REVIEW = 2
const RELEARNING = 3

/**
 * The answers in the log format of open-spaced-repetition: a line each with the concept, the time in ms, the rating of 1 to
 * 4 (as FSRS is given it in arcs), the state before it (0 new, 1 learning, 2 review, 3 relearning) and the duration in ms.
 */
export function reviewLogCsv(answers: readonly LoggedAnswer[]): string {
  const seen = new Map<string, boolean>()
  const lines = answers.map(({ cardId, at, quality, type, durationMs }) => {
    const wasReviewed = seen.get(cardId)
    seen.set(cardId, wasReviewed === true || type === 'review')
    const learning = wasReviewed ? RELEARNING : LEARNING
    const state = wasReviewed === undefined ? NEW : type === 'review' ? REVIEW : learning
    return [cardId, at, gradeOf(quality), state, durationMs ?? 0].join(',')
  })
  return `${[COLUMNS, ...lines].join('\n')}\n`
}

/** What FSRS learns from: of each concept one review a day, in the order of time. */
export function dailyReviews(answers: readonly LoggedAnswer[], dayMs: number): DailyReview[][] {
  const cards = Map.groupBy(answers, ({ cardId }) => cardId)
  return [...cards.values()].map((card) => {
    const days = [...Map.groupBy(card, ({ at }) => Math.floor(at / dayMs)).values()]
    const reviews: DailyReview[] = []
    for (const day of days) {
      const { at, quality } = ofDay(day)
      const before = reviews.at(-1)
      const elapsedDays = before ? Math.floor((at - before.at) / dayMs) : 0
      // Two sides of midnight are one occasion.
      if (!before || elapsedDays > 0) reviews.push({ at, quality, elapsedDays })
    }
    return reviews
  })
}

function ofDay(answers: readonly LoggedAnswer[]): { at: number; quality: number } {
  const review = answers.find(({ type }) => type === 'review')
  if (review) return review
  const sum = answers.reduce((total, { quality }) => total + quality, 0)
  return { at: answers.at(-1)?.at ?? 0, quality: Math.round(sum / answers.length) }
}
