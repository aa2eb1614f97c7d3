import { sql } from 'kysely'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import type { PracticeOutcome } from '../domain/mastery/quality.ts'
import { problemOutcome } from '../domain/practice/outcome.ts'
import { askedOn, practisedOn } from './asked.ts'
import type { Db, DbOrTrx } from './database.ts'
import { readAttempts, readPractice, type SessionRow } from './practice/sessions.ts'

/** A question of the arc that code can judge, as it was asked. */
export interface KeyedQuestion {
  id: string
  text: string
  expected: string
  key: AnswerKey
  hints: string[]
}

/** What a practice session on a concept is made of. */
export interface PracticeSource {
  learnerId: string
  learnerHandle: string
  courseId: string | null
  tutor: 'anthropic' | 'offline'
  unitId: string | null
  /** What the learner was asked or has practised before on the concept. */
  before: { id: string; source: string | null; text: string; quality: number | null }[]
  /** Written questions asked before that code can judge, those that were missed first; not the one that is open. */
  keyed: KeyedQuestion[]
}

/** Everything a session on that concept may be made of; null if the arc or the node is gone. */
export async function readPracticeSource(
  db: Db,
  { arcId, nodeId }: { arcId: string; nodeId: string },
): Promise<PracticeSource | null> {
  const [row, questions, practised] = await Promise.all([
    db
      .selectFrom('arcs')
      .innerJoin('learners', 'learners.id', 'arcs.learner_id')
      .innerJoin('mind_map_nodes as node', 'node.mind_map_id', 'arcs.mind_map_id')
      .select([
        'arcs.learner_id',
        'learners.handle',
        'course_id',
        'tutor',
        'node.unit_id',
        'pending_question',
      ])
      .where('arcs.id', '=', arcId)
      .where('node.id', '=', nodeId)
      .executeTakeFirst(),
    askedOn(db, arcId, nodeId).select(['format', 'expected', 'answer_key', 'hints']).execute(),
    practisedOn(db, arcId, nodeId).execute(),
  ])
  if (!row) return null
  const known = new Set(practised.map(({ text }) => text))
  const keyed = questions
    .filter(({ format, answer_key }) => format === 'short_answer' && answer_key !== null)
    .filter(({ id, text }) => id !== row.pending_question && !known.has(text))
    .sort((a, b) => (a.quality ?? 5) - (b.quality ?? 5))
    .map(({ answer_key, ...question }) => ({ ...question, key: answer_key as AnswerKey }))
  return {
    learnerId: row.learner_id,
    learnerHandle: row.handle,
    courseId: row.course_id,
    tutor: row.tutor as PracticeSource['tutor'],
    unitId: row.unit_id,
    before: [...questions, ...practised],
    keyed: [...new Map(keyed.map((question) => [question.text, question])).values()],
  }
}

/** The practice session that an arc has open, or null. */
export async function openPracticeOf(db: DbOrTrx, arcId: string): Promise<SessionRow | null> {
  const row = await db
    .selectFrom('tutoring_sessions')
    .selectAll()
    .where('arc_id', '=', arcId)
    .where('status', '<>', 'completed')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** How a completed session of an arc went, by problem. */
export interface SessionOutcome {
  nodeId: string
  /** The problems that were tried. */
  problems: { index: number; outcome: PracticeOutcome }[]
}

/**
 * How a session went, for the turn of its arc that takes it up; null where there is nothing to take up. A later turn than
 * the one that did finds nothing; that very turn, repeated after a crash, finds the same again.
 */
export async function readSessionOutcome(
  db: DbOrTrx,
  { arcId, sessionId, turn }: { arcId: string; sessionId: string; turn: number },
): Promise<SessionOutcome | null> {
  const row = await readPractice(db, sessionId)
  if (row?.arc_id !== arcId || row.node_id === null || row.status !== 'completed') return null
  if (row.arc_turn !== null && row.arc_turn < turn) return null
  const attempts = await readAttempts(db, sessionId)
  return {
    nodeId: row.node_id,
    problems: attempts.flatMap((attempt) => {
      const outcome = problemOutcome({
        status: attempt.status,
        signal: attempt.mastery_signal,
        attempts: attempt.attempt_count,
        deepest: attempt.scaffolding_depth_reached,
      })
      return outcome === null ? [] : [{ index: attempt.problem_index, outcome }]
    }),
  }
}

/** A practised problem as a response of its concept; its id is the problem's own, so that it is written once. */
export function practiceResponseInsert(
  response: { sessionId: string; index: number; nodeId: string; quality: number; notes: string },
  of: { arcId: string; mindMapId: string; at: Date },
) {
  const { sessionId, index, nodeId, quality, notes } = response
  return sql`
    insert into quiz_responses
      (id, node_id, mind_map_id, question_text, user_answer, quality, response_type, session_id,
       attempt_number, time_taken_seconds, evaluator_notes, responded_at)
    select md5(problem.session_id || '/' || problem.problem_index)::uuid, ${nodeId}::uuid,
           ${of.mindMapId}::uuid, problem.problem_text,
           (select student_message from conversation_turns turn
            where turn.session_id = problem.session_id and is_main_attempt
              and turn.problem_index = problem.problem_index
            order by turn.turn desc limit 1),
           ${quality}::int, 'teach', ${of.arcId}::uuid, greatest(problem.attempt_count, 1),
           problem.time_spent_seconds, ${notes}::text, ${of.at}::timestamptz
    from problem_attempts problem
    where problem.session_id = ${sessionId}::uuid and problem.problem_index = ${index}
    on conflict (id) do nothing`
}
