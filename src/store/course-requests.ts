import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { ClientEvent } from '../contracts/course-tutor.ts'
import type { Db, DbOrTrx } from './database.ts'
import type { Database } from './schema.ts'

/** What a student asks for, by kind. */
export interface RequestPayloads {
  turn: {
    text: string | null
    latex: string | null
    voice: string | null
    clientEvent: ClientEvent
  }
  drill_grade: {
    unitId: string
    prompt: string
    questionLatex: string
    token: string
    studentAnswer: string
  }
  exam_answer: { questionId: string; selectedOptionId: string }
  support_view: { questionId: string; supportType: 'memo' | 'video' }
}
export type RequestKind = keyof RequestPayloads

export type CourseRequest = Selectable<Database['course_requests']>

/** The answer of a request: an HTTP status and what goes with it, a problem's detail from 400 on. */
export interface RequestResult {
  status: number
  body: Record<string, unknown>
}

export interface NewRequest<K extends RequestKind> {
  id: string
  threadId: string
  learnerId: string
  courseId: string
  kind: K
  payload: RequestPayloads[K]
}

/**
 * Commits the statement it stands in without waiting for the disk. What is written on the way to a request's answer may
 * be lost in a crash of the database: then it is done again. The answer itself is always waited for.
 */
const unhurried: RawBuilder<boolean> = sql`set_config('synchronous_commit', 'off', true) = 'off'`

/** An exam answer that the authority may have heard. */
export interface ToldAuthority {
  /** UTC ms. */
  toldAt: number
}

const wasTold = sql<boolean>`course_requests.kind = 'exam_answer' and course_requests.prepared is not null`

/**
 * Stores a request before its workflow is told. One of that id that is answered already stays as it is; one that was
 * withdrawn begins anew, but for an exam answer that the authority may have heard: that one goes on.
 * @returns the answer where there is one; 422 when another request has the id
 */
export async function beginRequest<K extends RequestKind>(
  db: Db,
  request: NewRequest<K>,
): Promise<RequestResult | null> {
  const payload = JSON.stringify(request.payload)
  const row = await db
    .insertInto('course_requests')
    .values({
      id: request.id,
      thread_id: request.threadId,
      learner_id: request.learnerId,
      course_id: request.courseId,
      kind: request.kind,
      payload,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({
          payload,
          withdrawn_at: null,
          prepared: sql`case when ${wasTold} then course_requests.prepared end`,
          answer: sql`case when ${wasTold} then course_requests.answer end`,
        })
        .where('course_requests.withdrawn_at', 'is not', null)
        .where('course_requests.done_at', 'is', null)
        .where(sql<boolean>`not (${wasTold}) or course_requests.payload = excluded.payload`),
    )
    .returning(unhurried.as('stored'))
    .executeTakeFirst()
  if (row) return null
  const { isSame } = await db
    .selectFrom('course_requests')
    .select(sql<boolean>`payload = ${payload}::jsonb`.as('isSame'))
    .where('id', '=', request.id)
    .executeTakeFirstOrThrow()
  return isSame ? readResult(db, request.id) : OTHER_REQUEST
}

const OTHER_REQUEST: RequestResult = {
  status: 422,
  body: { detail: 'This Idempotency-Key was used for another request.' },
}

export async function readRequest(db: DbOrTrx, id: string): Promise<CourseRequest | null> {
  const row = await db
    .selectFrom('course_requests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

export async function readResult(db: DbOrTrx, id: string): Promise<RequestResult | null> {
  const row = await db
    .selectFrom('course_requests')
    .select(['status', 'result'])
    .where('id', '=', id)
    .where('done_at', 'is not', null)
    .executeTakeFirst()
  if (!row || row.status === null) return null
  return { status: row.status, body: row.result as Record<string, unknown> }
}

/** Takes back a request that is not answered: whoever finds it later leaves it alone. */
export async function withdrawRequest(db: Db, id: string): Promise<void> {
  await db
    .updateTable('course_requests')
    .set({ withdrawn_at: new Date() })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .execute()
}

/** Keeps what a request's preparation found, and the answer it may have brought with it. */
export async function keepPrepared(
  db: Db,
  id: string,
  prepared: unknown,
  answer: unknown = null,
): Promise<void> {
  await db
    .updateTable('course_requests')
    .set({
      prepared: JSON.stringify(prepared),
      answer: answer === null ? null : JSON.stringify(answer),
    })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .where(unhurried)
    .execute()
}

/** Notes that the authority is about to hear an exam answer; on the disk before it does. */
export async function noteTold(db: Db, id: string, told: ToldAuthority): Promise<void> {
  await db
    .updateTable('course_requests')
    .set({ prepared: JSON.stringify(told) })
    .where('id', '=', id)
    .where('done_at', 'is', null)
    .execute()
}

/** Keeps what a mind or the exam authority said; the first answer stays. */
export async function keepAnswer(db: Db, id: string, answer: unknown): Promise<void> {
  await db
    .updateTable('course_requests')
    .set({ answer: JSON.stringify(answer) })
    .where('id', '=', id)
    .where('answer', 'is', null)
    .where('done_at', 'is', null)
    .where(unhurried)
    .execute()
}
