import type { StudentSnapshot } from '../domain/course/student-snapshot.ts'
import { coldSnapshot } from '../domain/course/student-snapshot.ts'
import type { ExamLocks } from './course-locks.ts'
import type { DbOrTrx } from './database.ts'

/** A student's course as it was last committed. */
export interface StoredCourse {
  learnerId: string
  courseId: string
  snapshot: StudentSnapshot
  /** The blocker of the last turn's policy. */
  blocker: string | null
  locks: ExamLocks
  generation: number
  /** UTC ms. */
  startedAt: number
}

/** The stored course, begun with a cold snapshot at `at` (UTC ms) if it is new. Seed 004 PF-1.1. */
export async function getOrCreateSnapshot(
  db: DbOrTrx,
  course: { learnerId: string; courseId: string; entryUnitId: string; at: number },
): Promise<StoredCourse> {
  const { learnerId, courseId, entryUnitId, at } = course
  const existing = await readStoredCourse(db, learnerId, courseId)
  if (existing) return existing
  await db
    .insertInto('course_snapshots')
    .values({
      learner_id: learnerId,
      course_id: courseId,
      snapshot: JSON.stringify(coldSnapshot(learnerId, courseId, entryUnitId, at)),
      started_at: new Date(at),
      updated_at: new Date(at),
    })
    .onConflict((conflict) => conflict.columns(['learner_id', 'course_id']).doNothing())
    .execute()
  const created = await readStoredCourse(db, learnerId, courseId)
  if (!created) throw new Error('the snapshot was not stored')
  return created
}

/** The stored course or null; `lock` keeps others from changing it until the transaction ends. */
export async function readStoredCourse(
  db: DbOrTrx,
  learnerId: string,
  courseId: string,
  lock = false,
): Promise<StoredCourse | null> {
  let query = db
    .selectFrom('course_snapshots')
    .selectAll()
    .where('learner_id', '=', learnerId)
    .where('course_id', '=', courseId)
  if (lock) query = query.forUpdate()
  const row = await query.executeTakeFirst()
  if (!row) return null
  return {
    learnerId,
    courseId,
    snapshot: row.snapshot,
    blocker: row.blocker,
    locks: row.locks,
    generation: row.generation,
    startedAt: row.started_at.getTime(),
  }
}
