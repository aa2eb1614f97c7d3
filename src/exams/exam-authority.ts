import type { ExamStatus, ExamStatusById } from '../domain/course/exams/exam-availability.ts'
import type { ExamTier } from '../domain/course/snapshot/mastery-tier.ts'

/** Whose question of which course; `studentId` is the learner's uuid. */
export interface ExamSubject {
  studentId: string
  courseId: string
  questionId: string
  /** UTC ms. */
  at: number
  /** Names the call for good: the same key again has no further effect and gets the same answer. */
  key: string
}

export type ExamAttempt = ExamSubject & { tier: ExamTier; isCorrect: boolean }
export type SupportView = ExamSubject & { supportType: 'memo' | 'video' }

/**
 * Who decides about exam questions: which are open, locked until when, or passed. Its word is final; the tutor only
 * keeps what to come back to. Seed 004 PF-3.4 and EPIC F.
 *
 * Every call rejects with an `ExamAuthorityError` when there is no usable answer in time.
 */
export interface ExamAuthority {
  /** Only the questions asked about, and of these only those it knows. */
  status(query: {
    studentId: string
    courseId: string
    questionIds: readonly string[]
    at: number
  }): Promise<ExamStatusById>
  attempt(attempt: ExamAttempt): Promise<ExamStatus>
  supportView(view: SupportView): Promise<ExamStatus>
}

/** The authority is down, slow, or says something that cannot be understood. */
export class ExamAuthorityError extends Error {}
