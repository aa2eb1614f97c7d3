import { randomUUID } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import type { TutorCard, TutorMessage } from '../contracts/course-tutor.ts'
import type { Evidence } from '../domain/course/evidence.ts'
import { applyEvidence } from '../domain/course/evidence.ts'
import type { MappedUnit } from '../domain/course/mapped-units.ts'
import type { StudentSnapshot } from '../domain/course/student-snapshot.ts'
import type { TutorAction } from '../domain/course/tutor-policy.ts'
import type { ExamLocks } from './course-locks.ts'
import type { CourseRequest, RequestResult } from './course-requests.ts'
import { readStoredCourse, type StoredCourse } from './course-snapshots.ts'
import { messageOf } from './course-threads.ts'
import type { Db, Trx } from './database.ts'
import { ARC_CHANNEL } from './events.ts'
import type { Database, StoredTurnDebug } from './schema.ts'

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
  turn?: {
    mind: string
    action: TutorAction
    mapped: readonly MappedUnit[]
    debug: StoredTurnDebug
  }
}

/** What is written for a request, and its answer, made of the new snapshot and the messages as they are stored. */
export interface RequestConclusion {
  change: CourseChange
  resultOf: (snapshot: StudentSnapshot, messages: TutorMessage[]) => RequestResult
}

export interface RequestCommit {
  requestId: string
  learnerId: string
  courseId: string
  /** The generation the workflow knows; a write on another one is refused. */
  generation: number
  /** UTC ms. */
  at: number
}

/**
 * Writes all that a request changes, and its answer, in one transaction. A request that was answered or withdrawn before
 * changes nothing. `conclude` gets the request and the course as they are locked; null when it is not ready.
 * @returns `superseded` when the stored generation is another or the request is not ready: nothing was written
 */
export async function commitRequest(
  db: Db,
  commit: RequestCommit,
  conclude: (found: { request: CourseRequest; stored: StoredCourse }) => RequestConclusion | null,
): Promise<{ outcome: 'written' | 'superseded'; stored: StoredCourse }> {
  const { requestId, learnerId, courseId, at } = commit
  return db.transaction().execute(async (trx) => {
    const stored = await readStoredCourse(trx, learnerId, courseId, true)
    if (!stored) throw new Error(`the course ${courseId} is not stored`)
    const request = await trx
      .selectFrom('course_requests')
      .selectAll()
      .where('id', '=', requestId)
      .forUpdate()
      .executeTakeFirst()
    const isOpen = request && request.done_at === null && request.withdrawn_at === null
    if (!isOpen) return { outcome: 'written' as const, stored }
    const conclusion =
      stored.generation === commit.generation ? conclude({ request, stored }) : null
    if (!conclusion) return { outcome: 'superseded' as const, stored }
    const { change, resultOf } = conclusion
    const after = applyChange(stored, change)
    const messages = messageRows(change.messages, at)
    const result = resultOf(after.snapshot, messages.map(messageOf))
    await writeAll(trx, { commit, request, change, after, messages, result })
    return { outcome: 'written' as const, stored: after }
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
    await courseUpdate(trx, after, call.at).execute()
    const messages = messageRows(call.messages, call.at)
    if (messages.length > 0) {
      await messageInsert(trx, messages).execute()
      await threadUpdate(trx, messages, call.at).execute()
    }
    return after
  })
}

function applyChange(stored: StoredCourse, change: CourseChange): StoredCourse {
  const { evidence, blocker = stored.blocker, locks = stored.locks } = change
  const snapshot = evidence ? applyEvidence(stored.snapshot, evidence) : stored.snapshot
  return { ...stored, snapshot, blocker, locks, generation: stored.generation + 1 }
}

interface Writing {
  commit: RequestCommit
  request: CourseRequest
  change: CourseChange
  after: StoredCourse
  messages: MessageToStore[]
  result: RequestResult
}

/** Everything in one statement: the database is asked once, however much a request changes. */
async function writeAll(trx: Trx, writing: Writing): Promise<void> {
  const { commit, request, change, after, messages, result } = writing
  const at = new Date(commit.at)
  const { evidence, drillId, turn } = change
  const { learnerId: learner_id, courseId: course_id, requestId: request_id } = commit
  let query = trx.with('course', (within) =>
    courseUpdate(within as Trx, after, commit.at),
  ) as unknown as Trx
  const add = (name: string, part: (within: Trx) => unknown) => {
    query = query.with(name, part as never) as unknown as Trx
  }
  if (messages.length > 0) {
    add('messages', (within) => messageInsert(within, messages))
    add('threads', (within) => threadUpdate(within, messages, commit.at))
  }
  if (evidence) {
    const { type } = evidence
    const data = JSON.stringify(evidence)
    const entry = { learner_id, course_id, request_id, type, data, at }
    add('evidence', (within) => within.insertInto('course_evidence').values(entry))
  }
  if (drillId !== undefined) {
    const drill = { drill_id: drillId, request_id, learner_id, at }
    add('drill', (within) => within.insertInto('course_drills_graded').values(drill))
  }
  if (turn)
    add('turn', (within) => within.insertInto('course_turns').values(turnRow(turn, request, at)))
  await query
    .updateTable('course_requests')
    .set({
      status: result.status,
      result: JSON.stringify(result.body),
      prepared: null,
      done_at: at,
    })
    .where('id', '=', request_id)
    .returning(announced(request_id).as('announced'))
    .execute()
}

/** Whoever waits for the answer of a request hears that it is stored. */
const announced = (requestId: string) =>
  sql`pg_notify(${ARC_CHANNEL}, ${JSON.stringify({ arcId: requestId })})`

function courseUpdate(trx: Trx, course: StoredCourse, at: number) {
  return trx
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
}

type MessageToStore = Omit<Selectable<Database['course_messages']>, 'position'>

function messageRows(messages: readonly NewMessage[], at: number): MessageToStore[] {
  return messages.map((message) => ({
    thread_id: message.threadId,
    id: randomUUID(),
    role: message.role,
    text: message.text,
    latex: message.latex,
    action: message.action,
    unit_id: message.unitId,
    card: message.card,
    turn_id: message.turnId,
    created_at: new Date(at),
  }))
}

function messageInsert(trx: Trx, messages: readonly MessageToStore[]) {
  return trx.insertInto('course_messages').values(
    messages.map((message) => ({
      ...message,
      card: message.card === null ? null : JSON.stringify(message.card),
    })),
  )
}

function threadUpdate(trx: Trx, messages: readonly MessageToStore[], at: number) {
  const threads = [...new Set(messages.map(({ thread_id }) => thread_id))]
  return trx
    .updateTable('course_threads')
    .set({ last_message_at: new Date(at) })
    .where('id', 'in', threads)
}

function turnRow(turn: NonNullable<CourseChange['turn']>, request: CourseRequest, at: Date) {
  const { mind, action, mapped, debug } = turn
  return {
    turn_id: request.id,
    thread_id: request.thread_id,
    mind,
    action,
    mapped: JSON.stringify(mapped),
    passed: debug.validation.passed,
    fallback: debug.fallback,
    debug: JSON.stringify(debug),
    at,
  }
}
