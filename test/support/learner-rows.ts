import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../src/store/database.ts'

export interface SeededLearner {
  id: string
  handle: string
  arcId: string
  mapId: string
  sessionId: string
}

/** A learner with a row in every table that refers to one; `mark` stands in every text of theirs. */
export async function seedLearner(db: Db, mark: string): Promise<SeededLearner> {
  const [id, arcId, mapId, nodeId, childId] = Array.from({ length: 5 }, () => randomUUID())
  const [sessionId, courseRow, threadId, nudgeId, questionId] = Array.from({ length: 5 }, () =>
    randomUUID(),
  )
  const [looseMap, looseNode, turnId, requestId, setSession] = Array.from({ length: 5 }, () =>
    randomUUID(),
  )
  const handle = `h-${mark}`
  const text = { text: mark }
  const json = JSON.stringify(text)
  const keyed = JSON.stringify({ ...text, question: { text: mark, expected: `KEY-${mark}` } })
  const run = async (...statements: ReturnType<typeof sql>[]) => {
    for (const statement of statements) await statement.execute(db)
  }
  await run(
    sql`insert into learners (id, handle, name) values (${id}, ${handle}, ${mark})`,
    sql`insert into learner_imports (learner_id, source_id) values (${id}, ${randomUUID()})`,
    sql`insert into calendar_feeds (learner_id, token_hash) values (${id}, ${`SECRET-${mark}`})`,
    sql`insert into learner_channels (learner_id, channel, place, status, address, code) values
      (${id}, 'push', ${`SECRET-${mark}`}, 'linked',
       ${JSON.stringify({ subscription: `SECRET-${mark}`, address: mark })}, ${`SECRET-${mark}`})`,
    sql`insert into nudges (id, learner_id, date, kind, notice, created_at)
      values (${nudgeId}, ${id}, '2026-03-01', 'reviews', ${json}, now())`,
    sql`insert into nudge_deliveries (nudge_id, channel_id, channel, failure)
      values (${nudgeId}, ${randomUUID()}, 'push', ${mark})`,
    sql`insert into mind_maps (id, title, learner_id) values (${mapId}, ${mark}, null),
      (${looseMap}, ${mark}, ${id})`,
    sql`insert into mind_map_nodes (id, mind_map_id, label, sequence) values
      (${nodeId}, ${mapId}, ${mark}, 1), (${childId}, ${mapId}, ${`${mark} 2`}, 2),
      (${looseNode}, ${looseMap}, ${mark}, 1)`,
    sql`insert into mind_map_edges (mind_map_id, parent_node_id, child_node_id)
      values (${mapId}, ${nodeId}, ${childId})`,
    sql`insert into entities (id, product, workflow_id, learner_id, state, is_over) values
      (${arcId}, 'arc', ${`arc-${arcId}`}, ${id}, ${keyed}, false),
      (${sessionId}, 'practice', ${`practice-${sessionId}`}, ${id}, ${keyed}, false),
      (${setSession}, 'practice', ${`practice-${setSession}`}, null, ${keyed}, true),
      (${courseRow}, 'course', ${`course-${courseRow}`}, ${id}, ${keyed}, false),
      (${looseMap}, 'curriculum', ${`curriculum-${looseMap}`}, ${id}, ${keyed}, true),
      (${id}, 'agenda', ${`agenda-${id}`}, ${id}, ${keyed}, false)`,
    sql`insert into inbox (entity_id, id, type, payload, answer)
      values (${arcId}, ${mark}, 'message', ${json}, ${JSON.stringify({ debug: `KEY-${mark}` })})`,
    sql`insert into events (stream, seq, type, data) values (${arcId}, 1, 'message', ${json}),
      ('teachers', (select coalesce(max(seq), 0) + 1 from events where stream = 'teachers'), 'session',
       ${JSON.stringify({ id: sessionId, studentId: handle })})`,
    sql`insert into arcs (id, mind_map_id, learner_id, topic, tutor, settings, phase)
      values (${arcId}, ${mapId}, ${id}, ${mark}, 'offline', '{}', 'TEACHING')`,
    sql`insert into telegram_relays (channel_id, arc_id, told)
      select id, ${arcId}, 1 from learner_channels where learner_id = ${id}`,
    sql`insert into telegram_messages (channel_id, chat_id, message_id, arc_id, arc_message_id)
      select id, 1, 1, ${arcId}, ${mark} from learner_channels where learner_id = ${id}`,
    sql`insert into fitted_memories (learner_id, answers, reviews, held_out, fitted_at)
      values (${id}, 400, 300, 60, now())`,
    sql`insert into learner_facts (learner_id, arc_id, fact) values (${id}, ${arcId}, ${mark})`,
    sql`insert into arc_messages (arc_id, id, role, text, phase)
      values (${arcId}, ${mark}, 'learner', ${mark}, 'TEACHING')`,
    sql`insert into arc_questions
      (id, arc_id, node_id, concept, kind, text, format, expected, answer_key, hints, solution, mistakes, opened_at)
      values (${questionId}, ${arcId}, ${nodeId}, ${mark}, 'quiz', ${mark}, 'short_answer', ${`KEY-${mark}`},
        ${JSON.stringify({ value: `KEY-${mark}` })}, ${JSON.stringify([`KEY-${mark}`])}, ${`KEY-${mark}`},
        ${JSON.stringify([{ answer: `KEY-${mark}` }])}, now())`,
    sql`insert into quiz_responses (node_id, mind_map_id, question_text, quality)
      values (${nodeId}, ${mapId}, ${mark}, 5)`,
    sql`insert into plan_refusals values (${arcId}, ${`${arcId}/1`}, ${JSON.stringify([mark])}, now())`,
    sql`insert into model_steps (step_key, entity_id, kind, model, output)
      values (${`${arcId}/1/1/quiz`}, ${arcId}, 'quiz', 'm', ${keyed})`,
    sql`insert into agent_transitions (session_id, from_agent, to_agent, reason)
      values (${arcId}, 'a', 'b', ${mark})`,
    sql`insert into learning_cycles (user_id, session_id, node_id, topic, cycle_number, started_at)
      values (${id}, ${arcId}, ${nodeId}, ${mark}, 1, now())`,
    sql`insert into diagnostic_results (user_id, session_id, mind_map_id, topic)
      values (${id}, ${arcId}, ${mapId}, ${mark})`,
    sql`insert into analytics_snapshots (mind_map_id, snapshot_date, metrics)
      values (${mapId}, '2026-03-01', ${json})`,
    sql`insert into replan_proposals (arc_id, node_id, struggling_nodes, created_at)
      values (${arcId}, ${nodeId}, ${JSON.stringify([mark])}, now())`,
    // One of the arc, and one of Meno's own that names them.
    sql`insert into tutoring_sessions
      (session_id, external_session_id, student_id, arc_id, question_set_id, tutor, problems_total) values
      (${sessionId}, ${`s-${mark}`}, ${handle}, ${arcId}, 'arc', 'offline', 1),
      (${setSession}, ${`t-${mark}`}, ${handle}, null, 'set', 'offline', 1)`,
    sql`insert into problem_attempts
      (session_id, problem_id, problem_index, problem_text, correct_answer, answer_key, hints, help, status)
      values (${sessionId}, ${mark}, 0, ${mark}, ${`KEY-${mark}`}, ${JSON.stringify(`KEY-${mark}`)},
        ${JSON.stringify([`KEY-${mark}`])}, ${JSON.stringify(`KEY-${mark}`)}, 'in_progress')`,
    sql`insert into conversation_turns (session_id, turn, message_id, problem_id, problem_index, student_message,
        tutor_response, category, action, is_main_attempt, "timestamp")
      values (${sessionId}, 1, ${mark}, ${mark}, 0, ${mark}, ${mark}, 'stuck', 'CONTINUE', true, now())`,
    sql`insert into practice_alerts (session_id, problem_id, problem_index, signal, created_at, note)
      values (${sessionId}, ${mark}, 0, 'stuck', now(), ${mark})`,
    sql`insert into classes (id, title) values ('c', 'A class') on conflict do nothing`,
    sql`insert into class_students values ('c', ${id})`,
    sql`insert into course_snapshots (id, learner_id, course_id, snapshot, started_at, updated_at)
      values (${courseRow}, ${id}, 'sums', ${json}, now(), now())`,
    sql`insert into course_threads (id, learner_id, course_id, title) values (${threadId}, ${id}, 'sums', ${mark})`,
    sql`insert into course_messages (thread_id, id, role, text, card, created_at)
      values (${threadId}, ${randomUUID()}, 'user', ${mark},
        ${JSON.stringify({ type: 'DRILL', token: `KEY-${mark}` })}, now())`,
    sql`insert into course_evidence (learner_id, course_id, request_id, type, data, at)
      values (${id}, 'sums', ${requestId}, 'drill', ${json}, now())`,
    sql`insert into course_drills_graded values (${randomUUID()}, ${requestId}, ${id}, now())`,
    sql`insert into course_turns (turn_id, thread_id, mind, action, mapped, passed, fallback, debug, at)
      values (${turnId}, ${threadId}, 'offline', 'CONCEPT_CARD', '[]', true, false,
        ${JSON.stringify({ ...text, prompt: `KEY-${mark}`, rawAnswer: `KEY-${mark}` })}, now())`,
    sql`insert into exam_states values (${id}, 'sums', ${mark}, now(), null)`,
    sql`insert into exam_calls values (${id}, ${mark}, ${json})`,
    sql`insert into idempotency_keys (scope, key, request_hash, status, response)
      values (${`${id} /api/arcs`}, ${mark}, 'x', 201, ${json})`,
  )
  return {
    ...{ id: id ?? '', handle, arcId: arcId ?? '', mapId: mapId ?? '', sessionId: sessionId ?? '' },
  }
}
