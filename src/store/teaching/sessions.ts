import { type ExpressionBuilder, sql } from 'kysely'
import type { DeskSession, SessionDetail } from '../../contracts/teaching.ts'
import type { DbOrTrx } from '../database.ts'
import { readAttempts } from '../practice/sessions.ts'
import type { Database } from '../schema.ts'

export interface SessionFilter {
  sessionId?: string
  status?: 'active' | 'paused' | 'completed'
  studentId?: string
  classId?: string
  /** A piece of the pupil's name or id, of the set's or the topic's title. */
  search?: string
  limit: number
}

/** Titles of the question sets that no row holds, by their id. */
export type BuiltInTitles = ReadonlyMap<string, string>

/** Sessions as teachers see them, the latest active first; of a session in progress the time on its problem. */
export async function readDeskSessions(
  db: DbOrTrx,
  filter: SessionFilter,
  builtIn: BuiltInTitles,
): Promise<DeskSession[]> {
  const { sessionId, status, studentId, classId, search, limit } = filter
  let query = sessions(db).orderBy('session.last_active', 'desc')
  if (sessionId) query = query.where('session.session_id', '=', sessionId)
  if (status) query = query.where('session.status', '=', status)
  if (studentId) query = query.where('session.student_id', '=', studentId)
  if (classId) {
    query = query.where((where) =>
      where.exists(
        where
          .selectFrom('class_students as member')
          .select('member.class_id')
          .where('member.class_id', '=', classId)
          .whereRef('member.student_id', '=', 'session.student_id'),
      ),
    )
  }
  if (search) {
    const piece = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
    const named = [...builtIn].filter(([, title]) =>
      title.toLowerCase().includes(search.toLowerCase()),
    )
    query = query.where((where) =>
      where.or([
        ...(
          [
            ...(['session.student_id', 'learner.name', 'question_set.title', 'arc.title'] as const),
            ...(['arc.topic', 'node.label', 'session.external_session_id'] as const),
          ] as const
        ).map((column) => where(column, 'ilike', piece)),
        ...named.map(([id]) => where('session.question_set_id', '=', id)),
      ]),
    )
  }
  const now = Date.now()
  return (await query.limit(limit).execute()).map((row) => sessionOf(row, builtIn, now))
}

const sessions = (db: DbOrTrx) =>
  db
    .selectFrom('tutoring_sessions as session')
    .leftJoin('problem_attempts as problem', (join) =>
      join
        .onRef('problem.session_id', '=', 'session.session_id')
        .onRef('problem.problem_index', '=', 'session.current_problem_index'),
    )
    .leftJoin('learners as learner', 'learner.handle', 'session.student_id')
    .leftJoin('question_sets as question_set', (join) =>
      join
        .onRef('question_set.question_set_id', '=', 'session.question_set_id')
        .on('question_set.integration_id', 'is not distinct from', (ref) =>
          ref.ref('session.integration_id'),
        ),
    )
    .leftJoin('arcs as arc', 'arc.id', 'session.arc_id')
    .leftJoin('mind_map_nodes as node', 'node.id', 'session.node_id')
    .select(['session.session_id', 'session.external_session_id', 'session.student_id'])
    .select(['session.question_set_id', 'session.implicit', 'session.status', 'session.delivery'])
    .select(['session.problems_completed', 'session.problems_total', 'session.last_active'])
    .select(['session.total_time_seconds', 'session.counted_until', 'session.integration_id'])
    .select(['problem.problem_id', 'problem.problem_text', 'problem.time_spent_seconds'])
    .select(['learner.name', 'question_set.title as set_title', 'node.label'])
    .select([sql<string | null>`coalesce(arc.title, arc.topic)`.as('topic'), attemptsOf])

/** Answers to main questions in the whole session. */
const attemptsOf = (
  select: ExpressionBuilder<Database & { session: Database['tutoring_sessions'] }, 'session'>,
) =>
  select
    .selectFrom('problem_attempts as any_problem')
    .whereRef('any_problem.session_id', '=', 'session.session_id')
    .select(sql<number>`coalesce(sum(any_problem.attempt_count), 0)::int`.as('sum'))
    .as('attempts')

type Row = Awaited<ReturnType<ReturnType<typeof sessions>['executeTakeFirstOrThrow']>>

function sessionOf(row: Row, builtIn: BuiltInTitles, now: number): DeskSession {
  const isOpen = row.status !== 'completed' && row.problem_id !== null
  const running =
    row.status === 'active' ? Math.max(0, now - row.counted_until.getTime()) / 1000 : 0
  return {
    id: row.session_id,
    externalSessionId: row.external_session_id,
    studentId: row.student_id,
    name: row.name?.trim() || row.student_id,
    title: titleOf(row, builtIn),
    status: row.status,
    currentProblem: isOpen ? { id: row.problem_id ?? '', text: row.problem_text ?? '' } : null,
    attempts: row.attempts ?? 0,
    problemsDone: row.problems_completed,
    problemsTotal: row.problems_total,
    elapsedSeconds: isOpen
      ? Math.round((row.time_spent_seconds ?? 0) + running)
      : row.total_time_seconds,
    delivery: row.delivery,
    lastActiveAt: row.last_active.toISOString(),
  }
}

function titleOf(row: Row, builtIn: BuiltInTitles): string | null {
  if (row.topic !== null) return [row.topic, row.label].filter(Boolean).join(': ')
  if (row.implicit) return null
  return row.set_title ?? builtIn.get(row.question_set_id) ?? row.question_set_id
}

/** A session with what was said in it; null where there is none. */
export async function readSessionDetail(
  db: DbOrTrx,
  sessionId: string,
  builtIn: BuiltInTitles,
): Promise<SessionDetail | null> {
  const row = await sessions(db).where('session.session_id', '=', sessionId).executeTakeFirst()
  if (!row) return null
  const [problems, turns] = await Promise.all([
    readAttempts(db, sessionId),
    db
      .selectFrom('conversation_turns')
      .select(['turn', 'problem_id', 'student_message', 'tutor_response', 'category'])
      .select(['is_main_attempt', 'timestamp'])
      .where('session_id', '=', sessionId)
      .orderBy('turn')
      .execute(),
  ])
  return {
    session: sessionOf(row, builtIn, Date.now()),
    problems: problems.map((problem) => ({
      id: problem.problem_id,
      text: problem.problem_text,
      expected: row.integration_id === null ? problem.correct_answer : null,
      status: problem.status,
      signal: problem.mastery_signal,
      attempts: problem.attempt_count,
    })),
    turns: turns.map((turn) => ({
      turn: turn.turn,
      problemId: turn.problem_id,
      student: turn.student_message,
      tutor: turn.tutor_response,
      category: turn.category,
      isAttempt: turn.is_main_attempt,
      at: turn.timestamp.toISOString(),
    })),
  }
}
