import { type CompiledQuery, type Selectable, sql } from 'kysely'
import type { ThreadList, TutorCard, TutorMessage } from '../../contracts/course-tutor.ts'
import type { RecentMessage } from '../../domain/course/brief.ts'
import type { Db, DbOrTrx } from '../database.ts'
import type { Database } from '../schema.ts'

/** A thread, with the entity of its student's course once it has begun. */
export type CourseThread = Selectable<Database['course_threads']> & { entity_id: string | null }
type MessageRow = Selectable<Database['course_messages']>

/** How far back a turn looks for what was said. */
const RECENT = 8

function messageOf(row: MessageRow): TutorMessage {
  return {
    id: row.id,
    threadId: row.thread_id,
    role: row.role,
    text: row.text,
    latex: row.latex,
    ...(row.card ? { card: row.card } : {}),
    createdAt: row.created_at.toISOString(),
  }
}

export async function createThread(
  db: DbOrTrx,
  thread: { learnerId: string; courseId: string; title: string | null },
): Promise<string> {
  const { id } = await db
    .insertInto('course_threads')
    .values({ learner_id: thread.learnerId, course_id: thread.courseId, title: thread.title })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findThread(db: DbOrTrx, id: string): Promise<CourseThread | null> {
  const row = await db
    .selectFrom('course_threads as thread')
    .leftJoin('course_snapshots as course', (on) =>
      on
        .onRef('course.learner_id', '=', 'thread.learner_id')
        .onRef('course.course_id', '=', 'thread.course_id'),
    )
    .selectAll('thread')
    .select('course.id as entity_id')
    .where('thread.id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** A learner's threads, newest first. */
export async function listThreads(db: DbOrTrx, learnerId: string): Promise<ThreadList['items']> {
  const rows = await db
    .selectFrom('course_threads')
    .selectAll()
    .where('learner_id', '=', learnerId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
  return rows.map(threadOf)
}

/** The thread as its learner sees it. */
export function threadOf(row: Selectable<Database['course_threads']>): ThreadList['items'][number] {
  return {
    threadId: row.id,
    courseId: row.course_id,
    title: row.title,
    createdAt: row.created_at.toISOString(),
    lastMessageAt: row.last_message_at?.toISOString() ?? null,
  }
}

/** Messages of a thread, oldest first, from the one behind `after` on. */
export async function listThreadMessages(
  db: DbOrTrx,
  threadId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<TutorMessage[]> {
  let query = db
    .selectFrom('course_messages')
    .selectAll()
    .where('thread_id', '=', threadId)
    .orderBy('position')
    .limit(limit)
  if (after !== undefined) {
    query = query.where('position', '>', (sub) =>
      sub
        .selectFrom('course_messages')
        .select(sql<string>`coalesce(max(position), 0)`.as('position'))
        .where('thread_id', '=', threadId)
        .where(sql<string>`id::text`, '=', after),
    )
  }
  return (await query.execute()).map(messageOf)
}

/** The last messages of a thread, newest first. */
export const newestMessages = (db: Db, threadId: string): CompiledQuery<RecentMessage> =>
  db
    .selectFrom('course_messages')
    .select(['role', 'text', 'action', 'unit_id as unitId'])
    .where('thread_id', '=', threadId)
    .orderBy('position', 'desc')
    .limit(RECENT)
    .compile() as CompiledQuery<RecentMessage>

/** The drill shown last in a thread of the course `entityId`, and how often help with it was asked for since. */
export const lastDrill = (
  db: Db,
  entityId: string,
  threadId: string,
): CompiledQuery<{ card: Extract<TutorCard, { type: 'DRILL' }>; hintsGiven: number }> =>
  sql<{ card: Extract<TutorCard, { type: 'DRILL' }>; hintsGiven: number }>`
    select card, (
      select count(*)::int from course_messages as help
      join inbox on inbox.entity_id = ${entityId}::uuid and inbox.id = help.turn_id::text
      where help.thread_id = ${threadId} and help.position > drill.position and help.role = 'assistant'
        and inbox.payload -> 'clientEvent' ->> 'type' = 'DRILL_STUCK') as "hintsGiven"
    from course_messages as drill
    where thread_id = ${threadId} and card ->> 'type' = 'DRILL'
    order by position desc limit 1`.compile(db)

/** A row where an exam question was put to the student in this thread. */
export const examOffer = (db: Db, threadId: string, questionId: string) =>
  db
    .selectFrom('course_messages')
    .select('id')
    .where('thread_id', '=', threadId)
    .where(sql<string>`card ->> 'type'`, '=', 'EXAM')
    .where(sql<string>`card ->> 'questionId'`, '=', questionId)
    .limit(1)
    .compile()

/** A message as it is stored: as it is shown, and what later turns read of it. */
export interface MessageToStore extends TutorMessage {
  action: string | null
  unitId: string | null
  turnId: string | null
}

export const messageInsert = (db: Db, message: MessageToStore): CompiledQuery =>
  db
    .with('message', (within) =>
      within.insertInto('course_messages').values({
        thread_id: message.threadId,
        id: message.id,
        role: message.role,
        text: message.text,
        latex: message.latex,
        action: message.action,
        unit_id: message.unitId,
        card: message.card ? JSON.stringify(message.card) : null,
        turn_id: message.turnId,
        created_at: message.createdAt,
      }),
    )
    .updateTable('course_threads')
    .set({ last_message_at: message.createdAt })
    .where('id', '=', message.threadId)
    .compile()

/** A message in each of a learner's threads of a course in which an exam question was put. */
export const invitationInsert = (
  db: Db,
  { learnerId, courseId }: { learnerId: string; courseId: string },
  { questionId, unitId, text }: { questionId: string; unitId: string | null; text: string },
  at: number,
): CompiledQuery => {
  const now = new Date(at)
  return sql`
    with invited as (
      insert into course_messages (thread_id, id, role, text, unit_id, created_at)
      select thread.id, gen_random_uuid(), 'system', ${text}, ${unitId}, ${now}::timestamptz
      from course_threads as thread
      where thread.learner_id = ${learnerId} and thread.course_id = ${courseId} and exists (
        select from course_messages as message where message.thread_id = thread.id
          and message.card ->> 'type' = 'EXAM' and message.card ->> 'questionId' = ${questionId})
      returning thread_id)
    update course_threads set last_message_at = ${now}::timestamptz
    from invited where course_threads.id = invited.thread_id`.compile(db)
}
