import { sql } from 'kysely'
import type { DbOrTrx } from '../database.ts'

/** A person of a class, a session or an arc. Times are UTC ms. */
export interface PupilRow {
  /** As sessions and classes name them; of a learner, the handle. */
  id: string
  name: string
  learnerId: string | null
  topics: number
  sessions: number
  lastActiveAt: number | null
  /** The open session with the problem they are stuck at. */
  stuckAt: { sessionId: string; problem: string } | null
}

interface Row {
  id: string
  name: string
  learner_id: string | null
  topics: number
  sessions: number
  last_active: Date | null
  stuck_session: string | null
  stuck_problem: string | null
}

/** Everybody who learns here, by name: learners with a topic, students of sessions, members of classes; or those of `ids`. */
export async function readPupils(db: DbOrTrx, ids?: readonly string[]): Promise<PupilRow[]> {
  if (ids?.length === 0) return []
  const wanted = ids ? sql`where people.id in (${sql.join([...ids])})` : sql``
  const { rows } = await sql<Row>`
    with people as (
      select student_id as id from tutoring_sessions
      union select student_id from class_students
      union select handle from learners where exists (select from arcs where learner_id = learners.id))
    select people.id, coalesce(nullif(btrim(learner.name), ''), people.id) as name, learner.id as learner_id,
      (select count(*)::int from arcs where learner_id = learner.id) as topics,
      (select count(*)::int from tutoring_sessions where student_id = people.id) as sessions,
      greatest(
        (select max(turn.timestamp) from conversation_turns turn
         join tutoring_sessions session using (session_id) where session.student_id = people.id),
        (select max(message.created_at) from arc_messages message
         join arcs on arcs.id = message.arc_id
         where arcs.learner_id = learner.id and message.role = 'learner')) as last_active,
      stuck.session_id as stuck_session, stuck.problem_text as stuck_problem
    from people
    left join learners learner on learner.handle = people.id
    left join lateral (
      select session.session_id, problem.problem_text
      from tutoring_sessions session
      join problem_attempts problem on problem.session_id = session.session_id
        and problem.problem_index = session.current_problem_index
      where session.student_id = people.id and session.status <> 'completed'
        and problem.mastery_signal = 'stuck'
      order by session.last_active desc limit 1) as stuck on true
    ${wanted}
    order by name`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    learnerId: row.learner_id,
    topics: row.topics,
    sessions: row.sessions,
    lastActiveAt: row.last_active?.getTime() ?? null,
    stuckAt:
      row.stuck_session === null
        ? null
        : { sessionId: row.stuck_session, problem: row.stuck_problem ?? '' },
  }))
}

/** Whether anybody is taught by somebody else here: a class, a session of another student, an outside platform. */
export async function somethingToTeach(db: DbOrTrx, ownHandle: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from classes)
      or exists (select from integrations)
      or exists (select from tutoring_sessions where arc_id is null and student_id <> ${ownHandle})
      as found`.execute(db)
  return rows[0]?.found ?? false
}
