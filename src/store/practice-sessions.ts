import { type Selectable, sql } from 'kysely'
import type { PracticeProblem, SessionView } from '../contracts/practice.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import type { LoadedPractice } from '../domain/practice/commit.ts'
import { newSession, type PracticeState } from '../domain/practice/session.ts'
import type { Db, DbOrTrx } from './database.ts'
import { announceSession } from './practice-events.ts'
import type { Database } from './schema.ts'

export type SessionRow = Selectable<Database['tutoring_sessions']>
export type AttemptRow = Selectable<Database['problem_attempts']>

/** A problem as a session keeps it; with a key of its own where it comes from a course. */
export type StoredProblem = PracticeProblem & { answer_key?: AnswerKey | null }

export interface NewPractice {
  integrationId: string | null
  externalSessionId: string
  studentId: string
  questionSetId: string
  problems: StoredProblem[]
  implicit: boolean
  tutor: 'anthropic' | 'offline'
  /** The concept of an arc that is practised. */
  arc?: { arcId: string; nodeId: string }
}

/** Creates a session with its problems; null where the integration has a session of that id already. */
export async function createPractice(db: Db, practice: NewPractice): Promise<SessionRow | null> {
  return db.transaction().execute(async (trx) => {
    const at = new Date()
    const ids = practice.problems.map((problem) => problem.id)
    const state = newSession(ids, practice.implicit, at.getTime())
    const row = await trx
      .insertInto('tutoring_sessions')
      .values({
        integration_id: practice.integrationId,
        external_session_id: practice.externalSessionId,
        student_id: practice.studentId,
        arc_id: practice.arc?.arcId ?? null,
        node_id: practice.arc?.nodeId ?? null,
        question_set_id: practice.questionSetId,
        tutor: practice.tutor,
        implicit: practice.implicit,
        problems_total: ids.length,
        snapshot: JSON.stringify(state),
        created_at: at,
        last_active: at,
      })
      .onConflict((conflict) =>
        conflict.columns(['integration_id', 'external_session_id']).doNothing(),
      )
      .returningAll()
      .executeTakeFirst()
    if (!row) return null
    await trx
      .insertInto('problem_attempts')
      .values(
        practice.problems.map((problem, index) => ({
          ...problemColumns(row.session_id, problem, index),
          status: index === 0 ? ('in_progress' as const) : ('pending' as const),
          time_started: index === 0 ? at : null,
        })),
      )
      .execute()
    await announceSession(trx, row.session_id)
    return row
  })
}

/** What a problem brings with it into a session. */
export function problemColumns(sessionId: string, problem: StoredProblem, index: number) {
  return {
    session_id: sessionId,
    problem_id: problem.id,
    problem_index: index,
    problem_text: problem.text,
    correct_answer: problem.correct_answer,
    answer_key: problem.answer_key ? JSON.stringify(problem.answer_key) : null,
    hints: JSON.stringify(problem.hints),
    tags: JSON.stringify(problem.tags),
  }
}

/** A caller's session by the caller's id, unique per integration; null is Meno itself. */
export async function findPractice(
  db: DbOrTrx,
  integrationId: string | null,
  externalSessionId: string,
): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('tutoring_sessions')
    .selectAll()
    .where('integration_id', 'is not distinct from', integrationId)
    .where('external_session_id', '=', externalSessionId)
    .executeTakeFirst()
  return row ?? null
}

/** A session by its internal id. */
export async function readPractice(db: DbOrTrx, sessionId: string): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('tutoring_sessions')
    .selectAll()
    .where('session_id', '=', sessionId)
    .executeTakeFirst()
  return row ?? null
}

/** The session as its workflow begins it, or null if there is none. */
export async function loadPractice(db: DbOrTrx, sessionId: string): Promise<LoadedPractice | null> {
  const row = await readPractice(db, sessionId)
  return (
    row && {
      sessionId,
      arcId: row.arc_id,
      tutor: row.tutor,
      generation: row.generation,
      delivery: row.delivery,
      deliverySince: row.delivery_since?.getTime() ?? null,
      state: row.snapshot,
    }
  )
}

export async function readAttempts(db: DbOrTrx, sessionId: string): Promise<AttemptRow[]> {
  return db
    .selectFrom('problem_attempts')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('problem_index')
    .execute()
}

/** The problem in hand as a student may see it, without its key; undefined while none is open. */
export async function askedProblem(
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

/** The counts that are kept beside the snapshot, for lists. */
export function countColumns(state: PracticeState) {
  const count = (filter: (problem: PracticeState['problems'][number]) => boolean) =>
    state.problems.filter(filter).length
  return {
    problems_completed: count(({ status }) => status === 'completed'),
    problems_total: state.problems.length,
    mastery_count: count(({ signal }) => signal === 'mastered'),
    learned_count: count(({ signal }) => signal === 'learned'),
    struggling_count: count(({ struggled }) => struggled),
    scaffolding_invoked_count: count(({ scaffolding }) => scaffolding.deepest > 0),
    total_time_seconds: Math.round(state.activeMs / 1000),
  }
}

/** Sessions whose workflow has something left to do: not completed, a report not delivered, or an arc not told yet. */
export async function openPractices(db: DbOrTrx, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('tutoring_sessions')
    .select('session_id')
    .where(
      sql<boolean>`status <> 'completed' or delivery = 'pending' or (arc_id is not null and arc_turn is null)`,
    )
    .where('created_at', '<', before)
    .execute()
  return rows.map((row) => row.session_id)
}
