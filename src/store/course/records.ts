import type { CompiledQuery } from 'kysely'
import type { TutorAction } from '../../domain/course/policy/tutor-policy.ts'
import type { CourseEffect, TurnLog } from '../../domain/course/state.ts'
import type { MappedUnit } from '../../domain/course/units/mapped-units.ts'
import type { Db, DbOrTrx } from '../database.ts'

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
export async function readLastTurn(
  db: DbOrTrx,
  threadId: string,
): Promise<(TurnLog & { mappedUnits: MappedUnit[]; action: TutorAction }) | null> {
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

/** A row where a drill is graded already. */
export const drillGrading = (db: Db, drillId: string) =>
  db.selectFrom('course_drills_graded').select('drill_id').where('drill_id', '=', drillId).compile()

type EffectOf<Type extends CourseEffect['type']> = Extract<CourseEffect, { type: Type }>

/** One more entry of a student's log in a course. */
export const evidenceInsert = (
  db: Db,
  { learnerId, courseId }: { learnerId: string; courseId: string },
  { requestId, evidence }: EffectOf<'evidence'>,
): CompiledQuery =>
  db
    .insertInto('course_evidence')
    .values({
      learner_id: learnerId,
      course_id: courseId,
      request_id: requestId,
      type: evidence.type,
      data: JSON.stringify(evidence),
      at: new Date(evidence.at),
    })
    .compile()

export const drillGradedInsert = (
  db: Db,
  learnerId: string,
  { requestId, drillId }: EffectOf<'drill-graded'>,
  at: number,
): CompiledQuery =>
  db
    .insertInto('course_drills_graded')
    .values({
      drill_id: drillId,
      request_id: requestId,
      learner_id: learnerId,
      at: new Date(at),
    })
    .compile()

/** The chain of a turn; `mind` is who was asked. */
export const turnInsert = (
  db: Db,
  mind: string,
  { threadId, action, mapped, log }: EffectOf<'turn'>,
  at: number,
): CompiledQuery =>
  db
    .insertInto('course_turns')
    .values({
      turn_id: log.turnId,
      thread_id: threadId,
      mind,
      action,
      mapped: JSON.stringify(mapped),
      passed: log.validation.passed,
      fallback: log.fallback,
      debug: JSON.stringify(log),
      at: new Date(at),
    })
    .compile()
