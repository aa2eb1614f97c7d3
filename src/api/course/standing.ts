import type { Dependencies } from '../../commands/context.ts'
import type { SnapshotLite, TutorMessage } from '../../contracts/course-tutor.ts'
import { type ExamLocks, statusesFromLocks } from '../../domain/course/exams/locks.ts'
import { buildSnapshotLite } from '../../domain/course/snapshot/snapshot-lite.ts'
import { coldSnapshot } from '../../domain/course/snapshot/student-snapshot.ts'
import { passedQuestions } from '../../store/course/records.ts'
import { readStoredCourse } from '../../store/course/snapshots.ts'
import type { CourseThread } from '../../store/course/threads.ts'

/** Where the student of a thread stands in its course; null when the course is not installed any more. */
export async function standingOf(
  { db, courses }: Dependencies,
  { course_id: courseId, learner_id: learnerId }: CourseThread,
): Promise<SnapshotLite | null> {
  const course = courses.find((one) => one.courseId === courseId)
  if (!course) return null
  const { units, entryUnitId } = course
  const stored = await readStoredCourse(db, learnerId, courseId)
  const now = Date.now()
  return buildSnapshotLite({
    units,
    snapshot: stored?.snapshot ?? coldSnapshot(learnerId, courseId, entryUnitId, now),
    prereqBlockingUnitId: stored?.blocker ?? null,
    examStatusById: statusesFromLocks(stored?.locks ?? {}, now),
  })
}

/** The messages with their exam questions as they stand now, and not as they stood when they were put. */
export async function withExamsOfNow(
  { db }: Dependencies,
  { course_id: courseId, learner_id: learnerId }: CourseThread,
  messages: TutorMessage[],
): Promise<TutorMessage[]> {
  if (!messages.some(({ card }) => card?.type === 'EXAM')) return messages
  const [stored, passed] = await Promise.all([
    readStoredCourse(db, learnerId, courseId),
    passedQuestions(db, learnerId, courseId),
  ])
  const locks = stored?.locks ?? {}
  return messages.map((message) => ofNow(message, locks, passed, Date.now()))
}

function ofNow(
  message: TutorMessage,
  locks: ExamLocks,
  passed: ReadonlySet<string>,
  now: number,
): TutorMessage {
  if (message.card?.type !== 'EXAM') return message
  const { status: _status, lockedUntil: _lockedUntil, ...card } = message.card
  const { questionId } = card
  if (passed.has(questionId)) return { ...message, card: { ...card, status: 'passed' } }
  const status = statusesFromLocks(locks, now)[questionId] ?? { status: 'available' as const }
  return { ...message, card: { ...card, ...withoutUndefined(status) } }
}

function withoutUndefined({
  status,
  lockedUntil,
}: {
  status: 'available' | 'locked' | 'passed'
  lockedUntil?: string | undefined
}) {
  return lockedUntil === undefined ? { status } : { status, lockedUntil }
}
