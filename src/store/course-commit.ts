import { randomUUID } from 'node:crypto'
import type { TurnDebug, TutorCard, TutorMessage } from '../contracts/course-tutor.ts'
import type { Evidence } from '../domain/course-tutor/evidence.ts'
import { applyEvidence } from '../domain/course-tutor/evidence.ts'
import type { MappedUnit } from '../domain/course-tutor/mapped-units.ts'
import type { StudentSnapshot } from '../domain/course-tutor/student-snapshot.ts'
import type { TutorAction } from '../domain/course-tutor/tutor-policy.ts'
import type { ExamLocks } from './course-locks.ts'
import type { RequestResult } from './course-requests.ts'
import { readStoredCourse, type StoredCourse } from './course-snapshots.ts'
import { messageOf } from './course-threads.ts'
import type { Db, Trx } from './database.ts'

/** A message to be written; `turnId` is null for what belongs to no turn. */
export interface NewMessage {
  threadId: string
  role: TutorMessage['role']
  text: string
  latex: string | null
  action: TutorAction | null
  unitId: string | null
  card: TutorCard | null
  turnId: string | null
}

/** What a request changes: at most one entry of evidence, from which the snapshot follows. */
export interface CourseChange {
  evidence: Evidence | null
  blocker?: string | null
  locks?: ExamLocks
  messages: NewMessage[]
  drillId?: string
  turn?: { mind: string; action: TutorAction; mapped: readonly MappedUnit[]; debug: TurnDebug }
}

export interface RequestCommit {
  requestId: string
  threadId: string
  learnerId: string
  courseId: string
  /** The generation the change was made for; a write of another one is refused. */
  generation: number
  /** UTC ms. */
  at: number
  change: CourseChange
  /** Made of the new snapshot and the messages as they were stored. */
  resultOf: (snapshot: StudentSnapshot, messages: TutorMessage[], locks: ExamLocks) => RequestResult
}

/**
 * Writes all that a request changes, and its answer, in one transaction.
 * @returns the course afterwards; null when the stored generation is another, and nothing was written. A request that
 *   was answered or withdrawn before changes nothing.
 */
export async function commitRequest(db: Db, commit: RequestCommit): Promise<StoredCourse | null> {
  const { requestId, learnerId, courseId, change } = commit
  return db.transaction().execute(async (trx) => {
    const stored = await readStoredCourse(trx, learnerId, courseId, true)
    if (!stored) return null
    if (!(await isOpen(trx, requestId))) return stored
    if (stored.generation !== commit.generation) return null
    const after = applyChange(stored, change)
    await writeCourse(trx, after, commit.at)
    const messages = await writeMessages(trx, change.messages, commit.at)
    if (change.evidence) await writeEvidence(trx, commit, change.evidence)
    if (change.drillId !== undefined) await writeDrill(trx, commit, change.drillId)
    if (change.turn) await writeTurn(trx, commit, change.turn)
    await writeResult(trx, commit, commit.resultOf(after.snapshot, messages, after.locks))
    return after
  })
}

/** Ends a request that changes nothing: it was refused. */
export async function refuseRequest(db: Db, id: string, result: RequestResult): Promise<void> {
  await db
    .updateTable('course_requests')
    .set({ status: result.status, result: JSON.stringify(result.body), done_at: new Date() })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .execute()
}

/** Writes messages and locks that no request asked for, under the same check of the generation. */
export async function commitCallBack(
  db: Db,
  before: StoredCourse,
  call: { at: number; locks: ExamLocks; messages: NewMessage[] },
): Promise<StoredCourse | null> {
  return db.transaction().execute(async (trx) => {
    const stored = await readStoredCourse(trx, before.learnerId, before.courseId, true)
    if (stored?.generation !== before.generation) return null
    const after = applyChange(stored, { evidence: null, locks: call.locks, messages: [] })
    await writeCourse(trx, after, call.at)
    await writeMessages(trx, call.messages, call.at)
    return after
  })
}

async function isOpen(trx: Trx, requestId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('course_requests')
    .select(['done_at', 'withdrawn_at'])
    .where('id', '=', requestId)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined && row.done_at === null && row.withdrawn_at === null
}

function applyChange(stored: StoredCourse, change: CourseChange): StoredCourse {
  const { evidence, blocker = stored.blocker, locks = stored.locks } = change
  const snapshot = evidence ? applyEvidence(stored.snapshot, evidence) : stored.snapshot
  return { ...stored, snapshot, blocker, locks, generation: stored.generation + 1 }
}

async function writeCourse(trx: Trx, course: StoredCourse, at: number): Promise<void> {
  await trx
    .updateTable('course_snapshots')
    .set({
      snapshot: JSON.stringify(course.snapshot),
      blocker: course.blocker,
      locks: JSON.stringify(course.locks),
      generation: course.generation,
      updated_at: new Date(at),
    })
    .where('learner_id', '=', course.learnerId)
    .where('course_id', '=', course.courseId)
    .execute()
}

async function writeMessages(trx: Trx, messages: readonly NewMessage[], at: number) {
  if (messages.length === 0) return []
  const rows = await trx
    .insertInto('course_messages')
    .values(
      messages.map((message) => ({
        thread_id: message.threadId,
        id: randomUUID(),
        role: message.role,
        text: message.text,
        latex: message.latex,
        action: message.action,
        unit_id: message.unitId,
        card: message.card === null ? null : JSON.stringify(message.card),
        turn_id: message.turnId,
        created_at: new Date(at),
      })),
    )
    .returningAll()
    .execute()
  const threads = [...new Set(messages.map(({ threadId }) => threadId))]
  await trx
    .updateTable('course_threads')
    .set({ last_message_at: new Date(at) })
    .where('id', 'in', threads)
    .execute()
  return rows.sort((a, b) => Number(a.position) - Number(b.position)).map(messageOf)
}

async function writeEvidence(trx: Trx, commit: RequestCommit, evidence: Evidence): Promise<void> {
  await trx
    .insertInto('course_evidence')
    .values({
      learner_id: commit.learnerId,
      course_id: commit.courseId,
      request_id: commit.requestId,
      type: evidence.type,
      data: JSON.stringify(evidence),
      at: new Date(commit.at),
    })
    .execute()
}

async function writeDrill(trx: Trx, commit: RequestCommit, drillId: string): Promise<void> {
  await trx
    .insertInto('course_drills_graded')
    .values({
      drill_id: drillId,
      request_id: commit.requestId,
      learner_id: commit.learnerId,
      at: new Date(commit.at),
    })
    .execute()
}

async function writeTurn(
  trx: Trx,
  commit: RequestCommit,
  { mind, action, mapped, debug }: NonNullable<CourseChange['turn']>,
): Promise<void> {
  await trx
    .insertInto('course_turns')
    .values({
      turn_id: commit.requestId,
      thread_id: commit.threadId,
      mind,
      action,
      mapped: JSON.stringify(mapped),
      passed: debug.validation.passed,
      fallback: debug.fallback,
      debug: JSON.stringify(debug),
      at: new Date(commit.at),
    })
    .execute()
}

async function writeResult(trx: Trx, { requestId, at }: RequestCommit, result: RequestResult) {
  await trx
    .updateTable('course_requests')
    .set({
      status: result.status,
      result: JSON.stringify(result.body),
      prepared: null,
      done_at: new Date(at),
    })
    .where('id', '=', requestId)
    .execute()
}
