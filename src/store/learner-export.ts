import { type RawBuilder, sql } from 'kysely'
import type { AnkiNote } from '../domain/anki/notes.ts'
import type { Db } from './database.ts'

type Rows = Record<string, unknown>[]

const arcsOf = (learnerId: string) => sql`select id from arcs where learner_id = ${learnerId}`
const mapsOf = (learnerId: string) =>
  sql`select mind_map_id from arcs where learner_id = ${learnerId}
      union select id from mind_maps where learner_id = ${learnerId}`
const threadsOf = (learnerId: string) =>
  sql`select id from course_threads where learner_id = ${learnerId}`
const sessionsOf = (learnerId: string) =>
  sql`select session_id from tutoring_sessions
      where arc_id in (${arcsOf(learnerId)}) or student_id = ${learnerId}`

/** What is kept of a learner, by table; keys of questions and the inside of workflows are not theirs. */
const TABLES: Record<string, (learnerId: string) => RawBuilder<Record<string, unknown>>> = {
  learner_facts: (learner) => sql`
    select id, arc_id, fact, created_at from learner_facts
    where learner_id = ${learner} order by created_at`,
  arcs: (learner) => sql`
    select id, mind_map_id, topic, goal, course_id, settings, phase, session_count, next_review_at,
           revived_from, started_at, last_session_at
    from arcs where learner_id = ${learner} order by started_at`,
  mind_maps: (learner) => sql`
    select id, title, root_node_id, status, metadata, created_at, updated_at
    from mind_maps where id in (${mapsOf(learner)}) order by created_at`,
  mind_map_nodes: (learner) => sql`
    select * from mind_map_nodes where mind_map_id in (${mapsOf(learner)})
    order by mind_map_id, sequence, label`,
  mind_map_edges: (learner) => sql`
    select * from mind_map_edges where mind_map_id in (${mapsOf(learner)})
    order by mind_map_id, parent_node_id, child_node_id`,
  arc_messages: (learner) => sql`
    select arc_id, id, role, text, action, channel, card, node_id, question_id, phase, created_at
    from arc_messages where arc_id in (${arcsOf(learner)}) order by arc_id, position`,
  arc_questions: (learner) => sql`
    select id, arc_id, node_id, concept, kind, text, format, options, opened_at, closed_at, quality
    from arc_questions where arc_id in (${arcsOf(learner)}) order by opened_at, id`,
  quiz_responses: (learner) => sql`
    select * from quiz_responses where mind_map_id in (${mapsOf(learner)}) order by position`,
  learning_cycles: (learner) => sql`
    select * from learning_cycles where user_id = ${learner} order by started_at`,
  diagnostic_results: (learner) => sql`
    select * from diagnostic_results where user_id = ${learner} order by id`,
  agent_transitions: (learner) => sql`
    select * from agent_transitions where session_id in (${arcsOf(learner)}) order by id`,
  analytics_snapshots: (learner) => sql`
    select mind_map_id, snapshot_date::text, metrics from analytics_snapshots
    where mind_map_id in (${mapsOf(learner)}) order by mind_map_id, snapshot_date`,
  fitted_memories: (learner) => sql`
    select weights, answers, reviews, held_out, log_loss, default_log_loss, fitted_at
    from fitted_memories where learner_id = ${learner}`,
  replan_proposals: (learner) => sql`
    select * from replan_proposals where arc_id in (${arcsOf(learner)}) order by created_at`,
  tutoring_sessions: (learner) => sql`
    select session_id, external_session_id, arc_id, node_id, question_set_id, status,
           problems_completed, problems_total, total_time_seconds, created_at, completed_at
    from tutoring_sessions where session_id in (${sessionsOf(learner)}) order by created_at`,
  conversation_turns: (learner) => sql`
    select session_id, turn, problem_id, student_message, tutor_response, category, action, timestamp
    from conversation_turns where session_id in (${sessionsOf(learner)}) order by session_id, turn`,
  course_snapshots: (learner) => sql`
    select course_id, snapshot, started_at, updated_at from course_snapshots
    where learner_id = ${learner} order by course_id`,
  course_threads: (learner) => sql`
    select * from course_threads where learner_id = ${learner} order by created_at`,
  course_messages: (learner) => sql`
    select thread_id, id, role, text, latex, action, unit_id, created_at from course_messages
    where thread_id in (${threadsOf(learner)}) order by thread_id, position`,
  course_evidence: (learner) => sql`
    select course_id, type, data, at from course_evidence
    where learner_id = ${learner} order by position`,
  exam_states: (learner) => sql`
    select course_id, question_id, passed_at, locked_until from exam_states
    where student_id = ${learner} order by course_id, question_id`,
}

/** Everything that is kept of a learner's learning, rows by table with the columns' names. */
export async function exportLearner(db: Db, learnerId: string): Promise<Record<string, Rows>> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const tables: Record<string, Rows> = {}
      for (const [name, rowsOf] of Object.entries(TABLES)) {
        tables[name] = (await rowsOf(learnerId).execute(trx)).rows
      }
      return tables
    })
}

/** The questions a learner has been through, with their answers, oldest first; each text of an arc once. */
export async function readAnkiNotes(db: Db, learnerId: string): Promise<AnkiNote[]> {
  const { rows } = await sql<AnkiNote>`
    select id, front, back, topic from (
      select distinct on (question.arc_id, question.text) question.id, question.text as front,
             concat_ws(E'\\n\\n', question.expected, question.solution) as back, arc.topic,
             question.opened_at
      from arc_questions question join arcs arc on arc.id = question.arc_id
      where arc.learner_id = ${learnerId} and question.closed_at is not null
        and question.kind in ('teach', 'quiz', 'review') and question.expected <> ''
        and not exists (
          select from arc_questions open
          where open.arc_id = arc.id and open.closed_at is null and open.text = question.text)
      order by question.arc_id, question.text, question.opened_at) notes
    order by opened_at, id
  `.execute(db)
  return rows
}
