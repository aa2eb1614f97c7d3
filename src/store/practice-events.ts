import { sql } from 'kysely'
import type { TeacherAlert, TeacherSession } from '../contracts/practice.ts'
import type { DbOrTrx, Trx } from './database.ts'
import { ARC_CHANNEL } from './events.ts'

/** Under this name the event hub passes on that there is something new for teachers. */
export const TEACHER_TOPIC = 'teacher'

/** The order of commits is the order of numbers: whoever stores an event holds this lock until the end. */
export const IN_ORDER = 0x7ea_c4e2

export type TeacherEvent =
  | { type: 'session'; data: TeacherSession }
  | { type: 'alert'; data: TeacherAlert }
  | { type: 'report'; data: { sessionId: string; studentId: string; delivery: string } }

/** Stores events for teachers and announces them when the transaction commits; the last thing a transaction does. */
export async function storeTeacherEvents(trx: Trx, events: readonly TeacherEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = JSON.stringify(events)
  await sql`
    with locked as materialized (select pg_advisory_xact_lock(${IN_ORDER})),
    stored as (
      insert into teacher_events (type, data)
      select item ->> 'type', item -> 'data'
      from locked, jsonb_array_elements(${rows}::jsonb) with ordinality as items (item, place)
      order by place
    )
    select pg_notify(${ARC_CHANNEL}, ${JSON.stringify({ arcId: TEACHER_TOPIC })})
  `.execute(trx)
}

/** Tells teachers how a session stands now. */
export async function announceSession(trx: Trx, sessionId: string): Promise<void> {
  const [session] = await readTeacherSessions(trx, { sessionId, limit: 1 })
  if (session) await storeTeacherEvents(trx, [{ type: 'session', data: session }])
}

/** Events after `seq`, oldest first. */
export async function readTeacherEvents(db: DbOrTrx, after: string, limit = 500) {
  return db
    .selectFrom('teacher_events')
    .select(['seq', 'type', 'data'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Forgets events from before that time, in epoch milliseconds; the sessions themselves stay. */
export async function pruneTeacherEvents(db: DbOrTrx, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('teacher_events')
    .where('created_at', '<', new Date(before))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The number of the newest event; "0" while there is none. */
export async function lastTeacherEvent(db: DbOrTrx): Promise<string> {
  const row = await db
    .selectFrom('teacher_events')
    .select((select) => select.fn.max('seq').as('last'))
    .executeTakeFirst()
  return row?.last ?? '0'
}

/** Sessions as teachers see them, the latest active first; of a session in progress the time on its problem. */
export async function readTeacherSessions(
  db: DbOrTrx,
  filter: { sessionId?: string; status?: string; studentId?: string; limit: number },
): Promise<TeacherSession[]> {
  let query = db
    .selectFrom('tutoring_sessions as session')
    .leftJoin('problem_attempts as problem', (join) =>
      join
        .onRef('problem.session_id', '=', 'session.session_id')
        .onRef('problem.problem_index', '=', 'session.current_problem_index'),
    )
    .select([
      'session.session_id',
      'session.external_session_id',
      'session.student_id',
      'session.status',
      'session.delivery',
      'session.total_time_seconds',
      'session.snapshot',
      'problem.problem_id',
      'problem.problem_text',
      'problem.attempt_count',
      'problem.time_spent_seconds',
    ])
    .orderBy('session.last_active', 'desc')
    .limit(filter.limit)
  if (filter.sessionId) query = query.where('session.session_id', '=', filter.sessionId)
  if (filter.status) query = query.where('session.status', '=', filter.status as 'active')
  if (filter.studentId) query = query.where('session.student_id', '=', filter.studentId)
  const now = Date.now()
  return (await query.execute()).map((row) => {
    const isOpen = row.status !== 'completed' && row.problem_id !== null
    const running = row.status === 'active' ? Math.max(0, now - row.snapshot.tickedAt) / 1000 : 0
    return {
      id: row.session_id,
      externalSessionId: row.external_session_id,
      studentId: row.student_id,
      status: row.status,
      currentProblem: isOpen ? { id: row.problem_id ?? '', text: row.problem_text ?? '' } : null,
      attempts: isOpen ? (row.attempt_count ?? 0) : 0,
      elapsedSeconds: isOpen
        ? Math.round((row.time_spent_seconds ?? 0) + running)
        : row.total_time_seconds,
      delivery: row.delivery,
    }
  })
}
