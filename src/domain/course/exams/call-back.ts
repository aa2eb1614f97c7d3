import { findExam } from '../course.ts'
import { spokenIn } from '../spoken.ts'
import { type CourseEffect, type Decision, done, type LoadedCourse, takeInHand } from '../state.ts'
import { courseWords } from '../words.ts'
import { type ExamStatusById, examStatusOf } from './exam-availability.ts'
import type { ExamLocks } from './locks.ts'

/** How long to wait when the authority has no answer, as a part of a day: a minute of a full one. */
const TRY_AGAIN_DAYS = 1 / 1_440

/** Asks the authority about every question whose lock has ended; it has the last word. */
export function beginCallBack(loaded: LoadedCourse, at: number): Decision {
  const questionIds = Object.entries(loaded.state.locks)
    .filter(([, lock]) => !lock.calledBack && Date.parse(lock.lockedUntil) <= at)
    .map(([questionId]) => questionId)
  if (questionIds.length === 0) return { loaded, effects: [] }
  const stage = { step: 'exam-status' as const, questionIds }
  return takeInHand(loaded, { type: 'call_back', at, stage })
}

/**
 * Calls the student back to every question of the revisit queue that is open again, in the threads where it was put.
 * What the authority still holds locked, or does not speak of, is waited for again.
 */
export function callBack(
  loaded: LoadedCourse,
  questionIds: readonly string[],
  told: ExamStatusById,
  at: number,
): Decision {
  const { state, dayMs } = loaded
  const tryAgainAt = new Date(at + Math.max(1_000, dayMs * TRY_AGAIN_DAYS)).toISOString()
  const locks: Record<string, ExamLocks[string]> = { ...state.locks }
  const effects: CourseEffect[] = []
  for (const questionId of questionIds) {
    const { status, lockedUntil } = examStatusOf(told, questionId) ?? {}
    if (status === 'available') {
      const lock = state.locks[questionId]
      locks[questionId] = { lockedUntil: lock?.lockedUntil ?? tryAgainAt, calledBack: true }
      if (Object.hasOwn(state.snapshot.revisitQueue, questionId)) {
        effects.push(invitation(loaded, questionId))
      }
    } else if (status === 'passed') {
      delete locks[questionId]
    } else {
      const isLater = lockedUntil !== undefined && Date.parse(lockedUntil) > at
      locks[questionId] = { lockedUntil: isLater ? lockedUntil : tryAgainAt, calledBack: false }
    }
  }
  return { loaded: done(loaded, { locks }), effects }
}

function invitation(loaded: LoadedCourse, questionId: string): CourseEffect {
  const found = findExam(loaded.course, questionId)
  const exam = found && { tier: found.exam.tier, title: found.unit.title }
  return {
    type: 'invitation',
    questionId,
    unitId: found?.unit.unitId ?? null,
    text: courseWords(spokenIn(loaded)).openAgain(exam),
  }
}
