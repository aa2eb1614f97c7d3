import type { AnswerKey } from '../../answers/answer-key.ts'
import type { CourseWords } from '../words.ts'

/** What the grader of a drill says. Seed 004 PF-4.1. */
export interface DrillGrade {
  readonly isCorrect: boolean
  readonly feedbackText: string
  readonly commonMistakeTag: string | null
}

/** What code makes of an answer: a grade; or only that it is equal; or nothing. */
export type CodeGrade =
  | { decided: true; grade: DrillGrade; isExplained: boolean }
  | { decided: false; verdict: 'equal' | null }

/** A drill as it was given, with its key. `issuedAt` is in UTC ms. */
export interface SealedDrill {
  id: string
  threadId: string
  unitId: string
  prompt: string
  questionLatex: string
  key: AnswerKey
  /** The answer the drill was made with, in words. */
  expectedAnswer: string
  source: string | null
  issuedAt: number
  /** Whether help with it was asked for; known when it is answered. */
  hinted?: boolean
}

/** How long a drill may be answered, in milliseconds. */
export const DRILL_LIFE_MS = 24 * 3_600_000

/** How a drill is told from others that a student has seen. */
export function shownAs({ prompt, questionLatex }: { prompt: string; questionLatex: string }) {
  return `${prompt}\n${questionLatex}`
}

/** Said where nobody could read the answer: it counts for nothing. */
export const notCounted = (words: CourseWords): DrillGrade => ({
  isCorrect: false,
  feedbackText: words.notCounted,
  commonMistakeTag: null,
})

/** The grade of an answer that code has only found equal, where no model can be asked. */
export const equalGrade = (words: CourseWords): DrillGrade => ({
  isCorrect: true,
  feedbackText: words.right,
  commonMistakeTag: null,
})

/**
 * The grade as it may be stored and shown: a tag stays only on a wrong answer and only if it is on
 * the course's fixed list. Seed 004 PF-4.1.
 */
export function keepKnownTag(grade: DrillGrade, courseTags: readonly string[]): DrillGrade {
  const { commonMistakeTag: tag } = grade
  const known = !grade.isCorrect && tag !== null && courseTags.includes(tag)
  return { ...grade, commonMistakeTag: known ? tag : null }
}
