import { sql } from 'kysely'
import type { TeacherAlert, TeacherClass, TeacherSession } from '../../contracts/practice.ts'
import { countOf } from '../../domain/practice/report.ts'
import type { Db, DbOrTrx } from '../database.ts'
import { TEACHERS, teacherEventsInsert } from '../spine/events.ts'

const QUIET_AFTER_DAYS = 7

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
      'session.counted_until',
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
    const since = now - row.counted_until.getTime()
    const running = row.status === 'active' ? Math.max(0, since) / 1000 : 0
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

const alerts = (db: DbOrTrx) =>
  db
    .selectFrom('practice_alerts as alert')
    .innerJoin('tutoring_sessions as session', 'session.session_id', 'alert.session_id')
    .select([
      'alert.id',
      'alert.session_id',
      'session.student_id',
      'alert.problem_id',
      'alert.signal',
      'alert.created_at',
      'alert.acknowledged_at',
      'alert.note',
    ])

type AlertRow = Awaited<ReturnType<ReturnType<typeof alerts>['executeTakeFirstOrThrow']>>

const alertView = (row: AlertRow): TeacherAlert => ({
  id: row.id,
  sessionId: row.session_id,
  studentId: row.student_id,
  problemId: row.problem_id,
  signal: row.signal,
  createdAt: row.created_at.toISOString(),
  acknowledgedAt: row.acknowledged_at?.toISOString() ?? null,
  note: row.note,
})

/** Alerts, those that nobody has acknowledged first, then the newest. */
export async function readAlerts(db: DbOrTrx, limit: number): Promise<TeacherAlert[]> {
  const rows = await alerts(db)
    .orderBy(sql`alert.acknowledged_at is not null`)
    .orderBy('alert.created_at', 'desc')
    .limit(limit)
    .execute()
  return rows.map(alertView)
}

/** Takes an alert off the teacher's desk; the first time counts, a later note replaces an earlier one. */
export async function acknowledgeAlert(
  db: Db,
  id: string,
  note: string | null,
): Promise<TeacherAlert | null> {
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable('practice_alerts')
      .set({
        acknowledged_at: sql<Date>`coalesce(acknowledged_at, now())`,
        ...(note === null ? {} : { note }),
      })
      .where('id', '=', id)
      .execute()
    const row = await alerts(trx).where('alert.id', '=', id).executeTakeFirst()
    if (!row) return null
    const alert = alertView(row)
    for (const statement of teacherEventsInsert(db, [{ type: 'alert', data: alert }])) {
      await trx.executeQuery(statement)
    }
    return alert
  })
}

/** Makes a class, or gives it another title and other students. */
export async function putClass(
  db: Db,
  id: string,
  { title, studentIds }: { title: string; studentIds: string[] },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx
      .insertInto('classes')
      .values({ id, title })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ title }))
      .execute()
    await trx.deleteFrom('class_students').where('class_id', '=', id).execute()
    const students = [...new Set(studentIds)]
    if (students.length === 0) return
    await trx
      .insertInto('class_students')
      .values(students.map((student_id) => ({ class_id: id, student_id })))
      .execute()
  })
}

/** Classes by title: who is stuck now, who has been quiet for a week, what wrong answers looked like. */
export async function readClasses(db: DbOrTrx, id?: string): Promise<TeacherClass[]> {
  let classes = db.selectFrom('classes').select(['id', 'title']).orderBy('title')
  if (id !== undefined) classes = classes.where('id', '=', id)
  return Promise.all((await classes.execute()).map((found) => classView(db, found)))
}

async function classView(
  db: DbOrTrx,
  { id, title }: { id: string; title: string },
): Promise<TeacherClass> {
  const students = await db
    .selectFrom('class_students as student')
    .where('student.class_id', '=', id)
    .select(['student.student_id'])
    .select((select) => [
      select
        .exists(
          select
            .selectFrom('tutoring_sessions as session')
            .innerJoin('problem_attempts as problem', (join) =>
              join
                .onRef('problem.session_id', '=', 'session.session_id')
                .onRef('problem.problem_index', '=', 'session.current_problem_index'),
            )
            .whereRef('session.student_id', '=', 'student.student_id')
            .where('session.status', '<>', 'completed')
            .where('problem.mastery_signal', '=', 'stuck')
            .select(sql`1`.as('one')),
        )
        .as('is_stuck'),
      select
        .selectFrom('conversation_turns as turn')
        .innerJoin('tutoring_sessions as session', 'session.session_id', 'turn.session_id')
        .whereRef('session.student_id', '=', 'student.student_id')
        .select((inner) => inner.fn.max('turn.timestamp').as('last'))
        .as('last_turn'),
    ])
    .orderBy('student.student_id')
    .execute()
  const misconceptions = await db
    .selectFrom('conversation_turns as turn')
    .innerJoin('tutoring_sessions as session', 'session.session_id', 'turn.session_id')
    .innerJoin('class_students as student', 'student.student_id', 'session.student_id')
    .where('student.class_id', '=', id)
    .where('turn.misconception', 'is not', null)
    .select('turn.misconception')
    .execute()
  const quietBefore = Date.now() - QUIET_AFTER_DAYS * 86_400_000
  return {
    id,
    title,
    stuckNow: students.filter(({ is_stuck }) => is_stuck).map(({ student_id }) => student_id),
    quiet: students
      .filter(({ last_turn }) => last_turn === null || last_turn.getTime() < quietBefore)
      .map(({ student_id }) => student_id),
    misconceptions: [...countOf(misconceptions.flatMap((turn) => turn.misconception ?? []))].map(
      ([tag, count]) => ({ tag, count }),
    ),
  }
}

/** Forgets what teachers heard before that time, in epoch milliseconds; the newest event stays, for its number. */
export async function pruneTeacherEvents(db: DbOrTrx, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('events')
    .where('stream', '=', TEACHERS)
    .where('created_at', '<', new Date(before))
    .where('seq', '<', (events) =>
      events
        .selectFrom('events')
        .where('stream', '=', TEACHERS)
        .select((select) => select.fn.max('seq').as('newest')),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
