import { type CompiledQuery, sql } from 'kysely'
import type { AnswerKey } from '../../domain/answers/answer-key.ts'
import type { LoadedArc } from '../../domain/arc/state.ts'
import type { OpenedPractice, PracticeResult } from '../../domain/arc/steps.ts'
import { type FinishedProblem, problemOutcome, solvedOf } from '../../domain/practice/outcome.ts'
import type { Db } from '../database.ts'
import { askedOn, openPractice, practisedOn } from './asked.ts'

/** A question of the arc that code can judge, as it was asked. */
export interface KeyedQuestion {
  id: string
  text: string
  expected: string
  key: AnswerKey
  hints: string[]
}

/** What there is to practise on a concept. */
export interface ConceptSource {
  nodeId: string
  /** What the learner was asked or has practised before on the concept. */
  before: { id: string; source: string | null; text: string; quality: number | null }[]
  /** Written questions asked before that code can judge, those that were missed first; not the one that is open. */
  keyed: KeyedQuestion[]
}

/** What a practice session is made of. */
export interface PracticeSource {
  learnerHandle: string
  concepts: ConceptSource[]
  /** The session that the arc has open. */
  open: Pick<OpenedPractice, 'sessionId' | 'externalSessionId' | 'nodeIds' | 'count'> | null
}

/** The reads of what a session on concepts may be made of, in the order of `practiceSource`. */
export const practiceSourceReads = (
  db: Db,
  arc: LoadedArc,
  nodeIds: readonly string[],
): CompiledQuery[] => [
  db.selectFrom('learners').select('handle').where('id', '=', arc.learnerId).compile(),
  openPractice(db, arc.arcId)
    .select(['session_id', 'external_session_id', 'problems_total'])
    .select((session) =>
      session
        .selectFrom('problem_attempts as problem')
        .whereRef('problem.session_id', '=', 'tutoring_sessions.session_id')
        .select(sql<string[]>`array_agg(problem.node_id order by problem_index)`.as('node_ids'))
        .as('node_ids'),
    )
    .compile(),
  ...nodeIds.flatMap((nodeId) => [
    askedOn(db, arc.arcId, nodeId).select(['format', 'expected', 'answer_key', 'hints']).compile(),
    practisedOn(db, arc.arcId, nodeId).compile(),
  ]),
]

interface AskedRow {
  id: string
  source: string | null
  text: string
  quality: number | null
  format: string
  expected: string
  answer_key: unknown
  hints: string[]
}

interface OpenRow {
  session_id: string
  external_session_id: string
  node_ids: (string | null)[] | null
  problems_total: number
}

/** What the rows of `practiceSourceReads` say. */
export function practiceSource(
  arc: LoadedArc,
  nodeIds: readonly string[],
  rows: readonly unknown[][],
): PracticeSource {
  const [[learner], [open], ...ofConcepts] = rows as [{ handle: string }[], OpenRow[], ...never[][]]
  return {
    learnerHandle: learner?.handle ?? '',
    concepts: nodeIds.map((nodeId, place) => ({
      nodeId,
      ...conceptSource(arc, ofConcepts[2 * place] ?? [], ofConcepts[2 * place + 1] ?? []),
    })),
    open: open
      ? {
          sessionId: open.session_id,
          externalSessionId: open.external_session_id,
          nodeIds: nodesIn(open.node_ids ?? []),
          count: open.problems_total,
        }
      : null,
  }
}

function conceptSource(
  arc: LoadedArc,
  questions: readonly AskedRow[],
  practised: ConceptSource['before'],
): Omit<ConceptSource, 'nodeId'> {
  const known = new Set(practised.map(({ text }) => text))
  const keyed = questions
    .filter(({ format, answer_key }) => format === 'short_answer' && answer_key !== null)
    .filter(({ id, text }) => id !== arc.state.question?.id && !known.has(text))
    .sort((a, b) => (a.quality ?? 5) - (b.quality ?? 5))
    .map(({ answer_key, ...question }) => ({ ...question, key: answer_key as AnswerKey }))
  return {
    before: [...questions, ...practised],
    keyed: [...new Map(keyed.map((question) => [question.text, question])).values()],
  }
}

const nodesIn = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id) => id !== null)),
]

/** The reads of how a completed session went, in the order of `outcomeOf`. */
export const outcomeReads = (db: Db, sessionId: string): CompiledQuery[] => [
  db
    .selectFrom('tutoring_sessions')
    .select(['arc_id', 'status', 'arc_turn'])
    .where('session_id', '=', sessionId)
    .compile(),
  db
    .selectFrom('problem_attempts')
    .select([
      ...(['problem_index as index', 'node_id', 'status', 'mastery_signal as signal'] as const),
      ...(['attempt_count as attempts', 'scaffolding_depth_reached as deepest'] as const),
    ])
    .where('session_id', '=', sessionId)
    .orderBy('problem_index')
    .compile(),
]

interface SessionOfArc {
  arc_id: string | null
  status: string
  arc_turn: number | null
}

/** How a session of the arc went; null where there is nothing to take up, or it was taken up before. */
export function outcomeOf(arcId: string, rows: readonly unknown[][]): PracticeResult | null {
  const [[session], problems] = rows as [
    SessionOfArc[],
    (FinishedProblem & { index: number; node_id: string | null })[],
  ]
  if (session?.arc_id !== arcId) return null
  if (session.status !== 'completed' || session.arc_turn !== null) return null
  return {
    nodeIds: nodesIn(problems.map(({ node_id }) => node_id)),
    ...solvedOf(problems),
    problems: problems.flatMap(({ index, node_id: nodeId, ...problem }) => {
      const outcome = problemOutcome(problem)
      return outcome === null || nodeId === null ? [] : [{ index, nodeId, outcome }]
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
