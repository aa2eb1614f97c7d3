import type { CompiledQuery, Selectable } from 'kysely'
import type { SessionView, TeacherSession } from '../../contracts/practice.ts'
import { workflowId } from '../../contracts/temporal.ts'
import type { Problem } from '../../domain/practice/state.ts'
import type { Db, DbOrTrx } from '../database.ts'
import type { Database } from '../schema.ts'
import { type EntityToWake, entityInsert } from '../spine/entities.ts'
import { type NewEvent, teacherEventsInsert } from '../spine/events.ts'

export type SessionRow = Selectable<Database['tutoring_sessions']>
export type AttemptRow = Selectable<Database['problem_attempts']>

export interface NewPractice {
  /** A new UUID. */
  sessionId: string
  integrationId: string | null
  /** The caller's id for it, unique per integration. */
  externalSessionId: string
  studentId: string
  questionSetId: string
  problems: readonly Problem[]
  implicit: boolean
  tutor: 'anthropic' | 'offline'
  /** The arc that opened it, and the first of the concepts that are practised. */
  arc?: { arcId: string; nodeId: string; learnerId: string }
}

/** What creates a session, for whoever has a transaction; its entity is woken after the commit. */
export interface PracticeCreation {
  entity: EntityToWake
  /** In their order; one fails with a unique violation where the integration has a session of that id already. */
  statements: CompiledQuery[]
  teachers: NewEvent[]
}

/** The statements that create a session with its problems. */
export function practiceCreation(db: Db, practice: NewPractice): PracticeCreation {
  const { sessionId, externalSessionId, studentId, problems, arc } = practice
  const [first] = problems
  const learnerId = arc?.learnerId ?? null
  const own = {
    id: sessionId,
    product: 'practice',
    workflowId: workflowId.practice(sessionId),
  } as const
  const session: TeacherSession = {
    ...{ id: sessionId, externalSessionId, studentId, status: 'active' },
    currentProblem: first ? { id: first.id, text: first.text } : null,
    ...{ attempts: 0, elapsedSeconds: 0, delivery: 'none' },
  }
  return {
    entity: { ...own, workflow_id: own.workflowId, learner_id: learnerId, course_id: null },
    statements: [
      entityInsert(db, { ...own, learnerId, courseId: null }).compile(),
      db
        .insertInto('tutoring_sessions')
        .values({
          session_id: sessionId,
          integration_id: practice.integrationId,
          external_session_id: externalSessionId,
          student_id: studentId,
          arc_id: arc?.arcId ?? null,
          node_id: arc?.nodeId ?? null,
          question_set_id: practice.questionSetId,
          tutor: practice.tutor,
          implicit: practice.implicit,
          problems_total: problems.length,
        })
        .compile(),
      db
        .insertInto('problem_attempts')
        .values(
          problems.map((problem, index) => ({
            ...problemColumns(sessionId, problem, index),
            status: index === 0 ? ('in_progress' as const) : ('pending' as const),
            time_started: index === 0 ? new Date() : null,
          })),
        )
        .compile(),
    ],
    teachers: [{ type: 'session', data: session }],
  }
}

const UNIQUE_VIOLATION = '23505'

/**
 * Creates a session with its problems, in a transaction of its own.
 * @returns what is to be woken; null where the integration has a session of that id already
 */
export async function createPractice(db: Db, practice: NewPractice): Promise<EntityToWake | null> {
  const { entity, statements, teachers } = practiceCreation(db, practice)
  try {
    await db.transaction().execute(async (trx) => {
      for (const statement of [...statements, ...teacherEventsInsert(db, teachers)]) {
        await trx.executeQuery(statement)
      }
    })
    return entity
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return null
    throw error
  }
}

/** What a problem brings with it into a session. */
export function problemColumns(sessionId: string, problem: Problem, index: number) {
  return {
    session_id: sessionId,
    problem_id: problem.id,
    problem_index: index,
    node_id: problem.nodeId ?? null,
    problem_text: problem.text,
    correct_answer: problem.correct_answer,
    answer_key: problem.answer_key ? JSON.stringify(problem.answer_key) : null,
    hints: JSON.stringify(problem.hints),
    tags: JSON.stringify(problem.tags),
    help: problem.help ? JSON.stringify(problem.help) : null,
  }
}

/** A session with the learner whose it is, where it is of an arc. */
export type OwnedSession = SessionRow & { learner_id: string | null }

const sessions = (db: DbOrTrx) =>
  db
    .selectFrom('tutoring_sessions')
    .innerJoin('entities', 'entities.id', 'session_id')
    .selectAll('tutoring_sessions')
    .select('entities.learner_id')

/** A caller's session by the caller's id, unique per integration; null is Meno itself. */
export async function findPractice(
  db: DbOrTrx,
  integrationId: string | null,
  externalSessionId: string,
): Promise<OwnedSession | null> {
  const row = await sessions(db)
    .where('integration_id', 'is not distinct from', integrationId)
    .where('external_session_id', '=', externalSessionId)
    .executeTakeFirst()
  return row ?? null
}

/** A session by its internal id. */
export async function readPractice(db: DbOrTrx, sessionId: string): Promise<OwnedSession | null> {
  const row = await sessions(db).where('session_id', '=', sessionId).executeTakeFirst()
  return row ?? null
}

/** What wakes a session. */
export const practiceEntity = (sessionId: string, learnerId: string | null): EntityToWake => ({
  id: sessionId,
  product: 'practice',
  workflow_id: workflowId.practice(sessionId),
  learner_id: learnerId,
  course_id: null,
})

export const entityOf = ({ session_id, learner_id }: OwnedSession): EntityToWake =>
  practiceEntity(session_id, learner_id)

export async function readAttempts(db: DbOrTrx, sessionId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('problem_attempts')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('problem_index')
    .execute()
}

/** The problem in hand as a student may see it, without its key; undefined while none is open. */
async function askedProblem(
  db: DbOrTrx,
  row: SessionRow,
): Promise<{ id: string; text: string } | undefined> {
  if (row.status === 'completed') return undefined
  return db
    .selectFrom('problem_attempts')
    .select(['problem_id as id', 'problem_text as text'])
    .where('session_id', '=', row.session_id)
    .where('problem_index', '=', row.current_problem_index)
    .executeTakeFirst()
}

/** A session as its caller sees it. */
export async function sessionView(db: DbOrTrx, row: SessionRow): Promise<SessionView> {
  const problem = await askedProblem(db, row)
  const struggles = await db
    .selectFrom('problem_attempts')
    .select('problem_id')
    .where('session_id', '=', row.session_id)
    .where('struggled', '=', true)
    .orderBy('problem_index')
    .execute()
  const total = row.total_time_seconds
  return {
    session_id: row.external_session_id,
    status: row.status,
    current_problem_index: row.current_problem_index,
    ...(problem ? { current_problem: problem } : {}),
    problems_completed: row.problems_completed,
    problems_total: row.problems_total,
    session_analytics: {
      mastery_count: row.mastery_count,
      learned_count: row.learned_count,
      struggling_count: row.struggling_count,
      scaffolding_invoked_count: row.scaffolding_invoked_count,
      total_time_seconds: total,
      avg_time_per_problem:
        row.problems_completed === 0 ? 0 : Math.round(total / row.problems_completed),
      struggle_problem_ids: struggles.map((struggle) => struggle.problem_id),
    },
  }
}
