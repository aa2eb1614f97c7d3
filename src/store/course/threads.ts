import { type Selectable, sql } from 'kysely'
import type { ThreadList, TutorMessage } from '../contracts/course-tutor.ts'
import type { TutorAction } from '../domain/course/tutor-policy.ts'
import type { DbOrTrx } from './database.ts'
import type { Database } from './schema.ts'

export type CourseThread = Selectable<Database['course_threads']>
type MessageRow = Selectable<Database['course_messages']>

/** How far back a turn looks for what was said. */
const RECENT = 8

export function messageOf(row: Omit<MessageRow, 'position'>): TutorMessage {
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
    .selectFrom('course_threads')
    .selectAll()
    .where('id', '=', id)
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
export function threadOf(row: CourseThread): ThreadList['items'][number] {
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

export interface PastMessage {
  role: MessageRow['role']
  text: string
  action: TutorAction | null
  unitId: string | null
}

/** The last messages of a thread, oldest first. */
export async function recentMessages(db: DbOrTrx, threadId: string): Promise<PastMessage[]> {
  const rows = await db
    .selectFrom('course_messages')
    .select(['role', 'text', 'action', 'unit_id'])
    .where('thread_id', '=', threadId)
    .orderBy('position', 'desc')
    .limit(RECENT)
    .execute()
  return rows.reverse().map(({ role, text, action, unit_id: unitId }) => ({
    role,
    text,
    action: action as TutorAction | null,
    unitId,
  }))
}

/** The drill shown last in a thread, and how often help with it was asked for since. */
export async function lastDrill(db: DbOrTrx, threadId: string) {
  const drill = await db
    .selectFrom('course_messages')
    .select(['card', 'position', 'created_at'])
    .where('thread_id', '=', threadId)
    .where(sql<string>`card ->> 'type'`, '=', 'DRILL')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (drill?.card?.type !== 'DRILL') return null
  const { hints } = await db
    .selectFrom('course_messages')
    .innerJoin('course_requests', 'course_requests.id', 'course_messages.turn_id')
    .select((expression) => expression.fn.countAll<string>().as('hints'))
    .where('course_messages.thread_id', '=', threadId)
    .where('course_messages.position', '>', drill.position)
    .where('course_messages.role', '=', 'assistant')
    .where(sql<string>`course_requests.payload -> 'clientEvent' ->> 'type'`, '=', 'DRILL_STUCK')
    .executeTakeFirstOrThrow()
  return { card: drill.card, hintsGiven: Number(hints) }
}

/** Whether an exam question was put to the student in this thread. */
export async function wasOffered(db: DbOrTrx, threadId: string, questionId: string) {
  const row = await db
    .selectFrom('course_messages')
    .select('id')
    .where('thread_id', '=', threadId)
    .where(sql<string>`card ->> 'type'`, '=', 'EXAM')
    .where(sql<string>`card ->> 'questionId'`, '=', questionId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The learner's threads of a course in which a question was put. */
export async function threadsWithExam(
  db: DbOrTrx,
  learner: { learnerId: string; courseId: string },
  questionId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('course_threads as thread')
    .select('thread.id')
    .where('thread.learner_id', '=', learner.learnerId)
    .where('thread.course_id', '=', learner.courseId)
    .where((where) =>
      where.exists(
        where
          .selectFrom('course_messages as message')
          .select('message.id')
          .whereRef('message.thread_id', '=', 'thread.id')
          .where(sql<string>`message.card ->> 'type'`, '=', 'EXAM')
          .where(sql<string>`message.card ->> 'questionId'`, '=', questionId),
      ),
    )
    .execute()
  return rows.map(({ id }) => id)
}
