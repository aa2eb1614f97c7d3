import { sql } from 'kysely'
import type { TurnDebug } from '../contracts/course-tutor.ts'
import type { Evidence } from '../domain/course/evidence.ts'
import type { DbOrTrx } from './database.ts'

/** A student's evidence in a course, in the order it came in. */
export async function readEvidence(
  db: DbOrTrx,
  learnerId: string,
  courseId: string,
): Promise<Evidence[]> {
  const rows = await db
    .selectFrom('course_evidence')
    .select('data')
    .where('learner_id', '=', learnerId)
    .where('course_id', '=', courseId)
    .orderBy('position')
    .execute()
  return rows.map(({ data }) => data)
}

/** Whether anything was done about an exam question from `since` (UTC ms) on. */
export async function isExamTouchedSince(
  db: DbOrTrx,
  exam: { learnerId: string; courseId: string; questionId: string },
  since: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('course_evidence')
    .select('position')
    .where('learner_id', '=', exam.learnerId)
    .where('course_id', '=', exam.courseId)
    .where('at', '>=', new Date(since))
    .where(sql<string>`data ->> 'questionId'`, '=', exam.questionId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The exam questions of a course that a student has passed. */
export async function passedQuestions(
  db: DbOrTrx,
  learnerId: string,
  courseId: string,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('course_evidence')
    .select('data')
    .where('learner_id', '=', learnerId)
    .where('course_id', '=', courseId)
    .where('type', '=', 'exam_answered')
    .execute()
  return new Set(
    rows.flatMap(({ data }) =>
      data.type === 'exam_answered' && data.isCorrect ? [data.questionId] : [],
    ),
  )
}

/** The chain of a thread's last turn, or null before the first. */
export async function readLastTurn(db: DbOrTrx, threadId: string): Promise<TurnDebug | null> {
  const row = await db
    .selectFrom('course_turns')
    .select(['debug', 'mapped', 'action'])
    .where('thread_id', '=', threadId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const { debug, mapped: mappedUnits, action } = row
  return { ...debug, mappedUnits, action }
}

export async function isDrillGraded(db: DbOrTrx, drillId: string): Promise<boolean> {
  const row = await db
    .selectFrom('course_drills_graded')
    .select('drill_id')
    .where('drill_id', '=', drillId)
    .executeTakeFirst()
  return row !== undefined
}

/** The server's own key of a name, made by `make` once and kept for good. */
export async function serverKey(db: DbOrTrx, name: string, make: () => string): Promise<string> {
  await db
    .insertInto('server_keys')
    .values({ name, key: make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { key } = await db
    .selectFrom('server_keys')
    .select('key')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return key
}
