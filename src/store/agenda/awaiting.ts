import { type Expression, sql } from 'kysely'

/** When a learner last wrote anywhere: in an arc, in its practice, or to the tutor of a course. */
export const lastSeen = (learnerId: string | Expression<string>) => sql<Date | null>`greatest(
  (select max(last_session_at) from arcs where learner_id = ${learnerId}::uuid),
  (select max(last_active) from tutoring_sessions
   where arc_id in (select id from arcs where learner_id = ${learnerId}::uuid)),
  (select max(newest.created_at) from course_threads as thread
   cross join lateral (
     select created_at from course_messages
     where thread_id = thread.id and role <> 'system' order by position desc limit 1) as newest
   where thread.learner_id = ${learnerId}::uuid))`

/** Whether a learner was nudged for reviews, or warned, and has not answered; null where there is no agenda. */
export const isNudged = (learnerId: Expression<string>) => sql<boolean | null>`(
  select exists (
    select from nudges where nudges.learner_id = ${learnerId} and kind <> 'digest'
      and answered_at is null and withdrawn_at is null)
  from entities as agenda where agenda.id = ${learnerId} and agenda.product = 'agenda')`
