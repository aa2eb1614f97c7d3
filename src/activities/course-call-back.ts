import type { Course } from '../contracts/course-pack.ts'
import type { ExamStatusById } from '../domain/course-tutor/exam-availability.ts'
import { commitCallBack, type NewMessage } from '../store/course-commit.ts'
import type { ExamLocks } from '../store/course-locks.ts'
import type { StoredCourse } from '../store/course-snapshots.ts'
import { threadsWithExam } from '../store/course-threads.ts'
import { findExam } from '../tutor/steps/course/card.ts'
import type { CourseDependencies } from './course-dependencies.ts'

/** How long to wait when the authority has no answer, as a part of a day: a minute of a full one. */
const TRY_AGAIN_DAYS = 1 / 1_440

/**
 * Calls the student back to every question of the revisit queue whose lock has ended, in the threads where it was put.
 * The authority has the last word: what it still holds locked is waited for again.
 * @returns the course afterwards; null when the store has gone on in between
 */
export async function callBackToRevisits(
  { db, exams, dayMs }: CourseDependencies,
  course: Course,
  stored: StoredCourse,
  at: number,
): Promise<StoredCourse | null> {
  const { learnerId, courseId, locks } = stored
  const ended = Object.entries(locks)
    .filter(([, lock]) => !lock.calledBack && Date.parse(lock.lockedUntil) <= at)
    .map(([questionId]) => questionId)
  const told: ExamStatusById = await exams
    .status({ studentId: learnerId, courseId, questionIds: ended, at })
    .catch(() => ({}))
  const tryAgainAt = new Date(at + Math.max(1_000, dayMs * TRY_AGAIN_DAYS)).toISOString()
  const after: Record<string, ExamLocks[string]> = { ...locks }
  const messages: NewMessage[] = []
  for (const questionId of ended) {
    const { status, lockedUntil } = told[questionId] ?? {}
    if (status === 'available') {
      after[questionId] = {
        lockedUntil: locks[questionId]?.lockedUntil ?? tryAgainAt,
        calledBack: true,
      }
      if (!Object.hasOwn(stored.snapshot.revisitQueue, questionId)) continue
      const threads = await threadsWithExam(db, { learnerId, courseId }, questionId)
      messages.push(...threads.map((threadId) => invitation(course, questionId, threadId)))
    } else if (status === 'passed') {
      delete after[questionId]
    } else {
      const isLater = lockedUntil !== undefined && Date.parse(lockedUntil) > at
      after[questionId] = { lockedUntil: isLater ? lockedUntil : tryAgainAt, calledBack: false }
    }
  }
  return commitCallBack(db, stored, { at, locks: after, messages })
}

function invitation(course: Course, questionId: string, threadId: string): NewMessage {
  const found = findExam(course, questionId)
  const about = found
    ? `the ${found.exam.tier} exam question on **${found.unit.title}**`
    : 'an exam question'
  return {
    threadId,
    role: 'system',
    text: `A lock has ended: ${about} is open again. Do a drill to warm up, or go straight back to it.`,
    latex: null,
    action: null,
    unitId: found?.unit.unitId ?? null,
    card: null,
    turnId: null,
  }
}
