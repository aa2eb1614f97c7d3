import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../schema.ts'

type Table = keyof Database

/** A learner, by the row's id and by the handle that Meno's own practice sessions name. */
export interface LearnerKey {
  id: string
  handle: string
}

const arcs = ({ id }: LearnerKey) => sql`select id from arcs where learner_id = ${id}::uuid`

const maps = ({ id }: LearnerKey) => sql`
  select mind_map_id from arcs where learner_id = ${id}::uuid
  union select id from mind_maps where learner_id = ${id}::uuid`

const threads = ({ id }: LearnerKey) =>
  sql`select id from course_threads where learner_id = ${id}::uuid`

/**
 * Practice sessions of the learner: those of their arcs, Meno's own that name them, and those of an integration that name
 * them by their uuid. An integration's other names are its own: a student "rosa" there is not the learner "rosa" here.
 */
export const sessions = (learner: LearnerKey) => sql`
  select session_id from tutoring_sessions
  where arc_id in (${arcs(learner)}) or student_id = ${learner.id}
     or integration_id is null and student_id = ${learner.handle}`

export const entities = (learner: LearnerKey) => sql`
  select id from entities where learner_id = ${learner.id}::uuid
  union ${sessions(learner)}`

/** How the rows of a table that are the learner's are found, in which order they are told, and what is left out. */
export interface LearnerTable {
  /** The condition, on the table under the name `t`. */
  where: (learner: LearnerKey) => RawBuilder<unknown>
  order: string
  /** Columns, or `column.field` of JSON, that are kept back. */
  without?: readonly string[]
  /** Columns of JSON in which keys of questions may stand at any depth. */
  keyless?: readonly string[]
}

const of = (
  where: LearnerTable['where'],
  order: string,
  more: Omit<LearnerTable, 'where' | 'order'> = {},
): LearnerTable => ({ where, order, ...more })

const byLearner = ({ id }: LearnerKey) => sql`t.learner_id = ${id}::uuid`
const byArc = (learner: LearnerKey) => sql`t.arc_id in (${arcs(learner)})`
const byMap = (learner: LearnerKey) => sql`t.mind_map_id in (${maps(learner)})`
const bySession = (learner: LearnerKey) => sql`t.session_id in (${sessions(learner)})`
const byThread = (learner: LearnerKey) => sql`t.thread_id in (${threads(learner)})`
const byStudent = ({ id }: LearnerKey) => sql`t.student_id = ${id}::uuid`
const byEntity = (learner: LearnerKey) => sql`t.entity_id in (${entities(learner)})`

/**
 * Everything that is kept of a learner, by table, each behind those that it refers to. Keys of questions stay here: see
 * `without-keys.ts` in the domain.
 */
export const LEARNER_TABLES: Partial<Record<Table, LearnerTable>> = {
  learners: of(({ id }) => sql`t.id = ${id}::uuid`, 'id'),
  learner_imports: of(byLearner, 'source_id'),
  learner_channels: of(byLearner, 'created_at, id', {
    without: ['place', 'code', 'code_until', 'address.subscription', 'address.secret'],
  }),
  nudges: of(byLearner, 'created_at, id'),
  nudge_deliveries: of(
    ({ id }) => sql`t.nudge_id in (select id from nudges where learner_id = ${id}::uuid)`,
    'nudge_id, channel_id',
  ),
  entities: of((learner) => sql`t.id in (${entities(learner)})`, 'created_at, id', {
    keyless: ['state'],
  }),
  inbox: of(byEntity, 'position', { without: ['answer.debug'] }),
  events: of(
    (learner) => sql`t.stream in (select id::text from (${entities(learner)}) as own)`,
    'stream, seq',
  ),
  model_steps: of(byEntity, 'created_at, step_key', { keyless: ['input', 'output'] }),
  mind_maps: of((learner) => sql`t.id in (${maps(learner)})`, 'created_at, id'),
  mind_map_nodes: of(byMap, 'mind_map_id, sequence, label'),
  mind_map_edges: of(byMap, 'mind_map_id, parent_node_id, child_node_id'),
  arcs: of(byLearner, 'started_at, id'),
  learner_facts: of(byLearner, 'created_at, id'),
  arc_messages: of(byArc, 'arc_id, position'),
  arc_questions: of(byArc, 'opened_at, id', {
    without: ['answer_key', 'expected', 'criteria', 'hints', 'solution', 'mistakes'],
  }),
  quiz_responses: of(byMap, 'position'),
  fitted_memories: of(byLearner, 'fitted_at'),
  telegram_relays: of(byArc, 'arc_id, channel_id'),
  telegram_messages: of(byArc, 'created_at, chat_id, message_id'),
  plan_refusals: of(byArc, 'refused_at, step_key'),
  agent_transitions: of((learner) => sql`t.session_id in (${arcs(learner)})`, 'id'),
  learning_cycles: of(({ id }) => sql`t.user_id = ${id}::uuid`, 'started_at, id'),
  diagnostic_results: of(
    (learner) => sql`t.user_id = ${learner.id}::uuid or t.mind_map_id in (${maps(learner)})`,
    'id',
  ),
  analytics_snapshots: of(byMap, 'mind_map_id, snapshot_date'),
  replan_proposals: of(byArc, 'created_at, id'),
  tutoring_sessions: of(bySession, 'created_at, session_id'),
  problem_attempts: of(bySession, 'session_id, problem_index', {
    without: ['correct_answer', 'answer_key', 'hints', 'help'],
  }),
  conversation_turns: of(bySession, 'session_id, turn'),
  practice_alerts: of(bySession, 'created_at, id'),
  class_students: of(({ id }) => sql`t.student_id = ${id}`, 'class_id'),
  course_snapshots: of(byLearner, 'course_id'),
  course_threads: of(byLearner, 'created_at, id'),
  course_messages: of(byThread, 'thread_id, position', { without: ['card.token'] }),
  course_evidence: of(byLearner, 'position'),
  course_drills_graded: of(byLearner, 'at, drill_id'),
  course_turns: of(byThread, 'position', { without: ['debug.prompt', 'debug.rawAnswer'] }),
  exam_states: of(byStudent, 'course_id, question_id'),
  exam_calls: of(byStudent, 'key'),
}

/** Tables that refer to a learner and are kept back, and why. */
export const KEPT_BACK: Partial<Record<Table, string>> = {
  confirmation_mails: 'counts the mails of the last hour, and is forgotten after it',
  calendar_feeds: 'a digest of a secret address; another one is made where it is wanted',
  idempotency_keys:
    'answers of the API for callers that ask twice; what they tell stands in the tables themselves',
}

/** The key of a question is the learner's once it is closed for good, and not asked anew under the same words. */
export const EARNED = sql<boolean>`
  t.closed_at is not null and t.kind <> 'diagnostic' and not exists (
    select from arc_questions open join arcs on arcs.id = open.arc_id
    where open.closed_at is null and open.text = t.text
      and arcs.learner_id = (select learner_id from arcs where id = t.arc_id))`
