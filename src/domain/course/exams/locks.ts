import type { ExamStatus, ExamStatusById } from './exam-availability.ts'

/**
 * Locks a student was told of, by question: when each ends (ISO 8601) and whether the student has been called back to
 * it since.
 */
export type ExamLocks = Readonly<Record<string, { lockedUntil: string; calledBack: boolean }>>

/** The locks after the exam authority's word on one question. */
export function withLock(locks: ExamLocks, questionId: string, status: ExamStatus): ExamLocks {
  const { [questionId]: _, ...others } = locks
  return status.status === 'locked' && status.lockedUntil !== undefined
    ? { ...others, [questionId]: { lockedUntil: status.lockedUntil, calledBack: false } }
    : others
}

/** The end of the next lock the student has not been called back from, in UTC ms; null when there is none. */
export function nextCallBack(locks: ExamLocks): number | null {
  const ends = Object.values(locks)
    .filter(({ calledBack }) => !calledBack)
    .map(({ lockedUntil }) => Date.parse(lockedUntil))
  return ends.length === 0 ? null : Math.min(...ends)
}

/** What the locks say about the questions at `at` (UTC ms), without asking the authority again. */
export function statusesFromLocks(locks: ExamLocks, at: number): ExamStatusById {
  return Object.fromEntries(
    Object.entries(locks).map(([questionId, { lockedUntil }]) => [
      questionId,
      Date.parse(lockedUntil) > at
        ? { status: 'locked' as const, lockedUntil }
        : { status: 'available' as const },
    ]),
  )
}
