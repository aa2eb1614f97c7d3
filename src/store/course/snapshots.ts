import { workflowId } from '../../contracts/temporal.ts'
import type { ExamLocks } from '../../domain/course/exams/locks.ts'
import type { StudentSnapshot } from '../../domain/course/snapshot/student-snapshot.ts'
import { coldCourse, type LoadedCourse } from '../../domain/course/state.ts'
import type { Db, DbOrTrx } from '../database.ts'
import { type EntityToWake, entityInsert } from '../spine/entities.ts'

/** A student's course as screens show it. */
export interface StoredCourse {
  snapshot: StudentSnapshot
  /** The blocker of the last turn's policy. */
  blocker: string | null
  locks: ExamLocks
  /** UTC ms. */
  startedAt: number
}

export interface Enrolment {
  learnerId: string
  courseId: string
}

/** The entity of a student's course, under the id it has. */
export const courseEntity = (id: string, { learnerId, courseId }: Enrolment): EntityToWake => ({
  id,
  product: 'course',
  workflow_id: workflowId.course(courseId, learnerId),
  learner_id: learnerId,
  course_id: courseId,
})

/** The id of a student's course, begun with a cold snapshot at `now` (UTC ms) if it is new. Seed 004 PF-1.1. */
export async function beginCourse(
  db: Db,
  enrolment: Enrolment,
  { id, entryUnitId, now }: { id: string; entryUnitId: string; now: number },
): Promise<string> {
  const { learnerId, courseId } = enrolment
  const { snapshot } = coldCourse(learnerId, courseId, entryUnitId, now)
  await db.transaction().execute(async (trx) => {
    const { workflow_id } = courseEntity(id, enrolment)
    const entity = { id, product: 'course', workflowId: workflow_id, ...enrolment } as const
    const { numInsertedOrUpdatedRows } = await entityInsert(trx, entity).executeTakeFirstOrThrow()
    // Whoever was first has made both rows.
    if (!numInsertedOrUpdatedRows) return
    await trx
      .insertInto('course_snapshots')
      .values({
        id,
        learner_id: learnerId,
        course_id: courseId,
        snapshot: JSON.stringify(snapshot),
        started_at: new Date(now),
        updated_at: new Date(now),
      })
      .execute()
  })
  const row = await db
    .selectFrom('course_snapshots')
    .select('id')
    .where('learner_id', '=', learnerId)
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow()
  return row.id
}

/** The stored course, or null. */
export async function readStoredCourse(
  db: DbOrTrx,
  learnerId: string,
  courseId: string,
): Promise<StoredCourse | null> {
  const row = await db
    .selectFrom('course_snapshots')
    .selectAll()
    .where('learner_id', '=', learnerId)
    .where('course_id', '=', courseId)
    .executeTakeFirst()
  if (!row) return null
  const { snapshot, blocker, locks, started_at } = row
  return { snapshot, blocker, locks, startedAt: started_at.getTime() }
}

/** What screens read of a course as it stands now. */
export const courseUpdate = (db: Db, { id, state }: LoadedCourse, at: number) =>
  db
    .updateTable('course_snapshots')
    .set({
      snapshot: JSON.stringify(state.snapshot),
      blocker: state.blocker,
      locks: JSON.stringify(state.locks),
      updated_at: new Date(at),
    })
    .where('id', '=', id)
    .compile()
