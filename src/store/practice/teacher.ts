import { sql } from 'kysely'
import type { TeacherAlert } from '../../contracts/practice.ts'
import type { DeskClass } from '../../contracts/teaching.ts'
import { countOf } from '../../domain/practice/report.ts'
import { QUIET_AFTER_MS } from '../../domain/teaching/need.ts'
import type { Db, DbOrTrx } from '../database.ts'
import { TEACHERS, teacherEventsInsert } from '../spine/events.ts'
import { type PupilRow, readPupils } from '../teaching/pupils.ts'

const alerts = (db: DbOrTrx) =>
  db
    .selectFrom('practice_alerts as alert')
    .innerJoin('tutoring_sessions as session', 'session.session_id', 'alert.session_id')
    .leftJoin('learners as learner', 'learner.handle', 'session.student_id')
    .leftJoin('problem_attempts as problem', (join) =>
      join
        .onRef('problem.session_id', '=', 'alert.session_id')
        .onRef('problem.problem_index', '=', 'alert.problem_index'),
    )
    .select([
      'learner.name',
      'problem.problem_text',
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
  name: row.name?.trim() || row.student_id,
  ...(row.problem_text === null ? {} : { problemText: row.problem_text }),
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

/** Takes a class away; its pupils stay. False where there is none of that id. */
export async function deleteClass(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('classes').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Classes by title: who is stuck now, who has been quiet for a week, what wrong answers looked like. */
export async function readClasses(db: DbOrTrx, id?: string): Promise<DeskClass[]> {
  let classes = db.selectFrom('classes').select(['id', 'title']).orderBy('title')
  if (id !== undefined) classes = classes.where('id', '=', id)
  return Promise.all((await classes.execute()).map((found) => classView(db, found)))
}

async function classView(
  db: DbOrTrx,
  { id, title }: { id: string; title: string },
): Promise<DeskClass> {
  const members = await db
    .selectFrom('class_students')
    .select('student_id')
    .where('class_id', '=', id)
    .execute()
  const pupils = await readPupils(
    db,
    members.map(({ student_id }) => student_id),
  )
  const misconceptions = await db
    .selectFrom('conversation_turns as turn')
    .innerJoin('tutoring_sessions as session', 'session.session_id', 'turn.session_id')
    .innerJoin('class_students as student', 'student.student_id', 'session.student_id')
    .where('student.class_id', '=', id)
    .where('turn.misconception', 'is not', null)
    .select('turn.misconception')
    .execute()
  const quietBefore = Date.now() - QUIET_AFTER_MS
  const those = (found: (pupil: PupilRow) => boolean) =>
    pupils.filter(found).map((pupil) => pupil.id)
  return {
    id,
    title,
    studentIds: those(() => true),
    stuckNow: those(({ stuckAt }) => stuckAt !== null),
    quiet: those(({ lastActiveAt }) => lastActiveAt !== null && lastActiveAt <= quietBefore),
    notBegun: those(({ lastActiveAt }) => lastActiveAt === null),
    names: Object.fromEntries(pupils.map((pupil) => [pupil.id, pupil.name])),
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
