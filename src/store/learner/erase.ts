import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'
import type { EntityToWake } from '../spine/entities.ts'
import { TEACHERS } from '../spine/events.ts'
import { entities, type LearnerKey, sessions } from './tables.ts'

const DEADLOCK = '40P01'
const TRIES = 5

/**
 * Erases a learner with everything that is kept of them, in one transaction.
 * @returns what was still alive: woken once more, its workflow finds its row gone and ends
 */
export async function eraseLearner(db: Db, learner: LearnerKey): Promise<EntityToWake[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute((trx) => erase(trx, learner))
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || tries === TRIES) throw error
    }
  }
}

async function erase(trx: Trx, learner: LearnerKey): Promise<EntityToWake[]> {
  const { id, handle } = learner
  // A decision that is being written is waited for, and none begins after it.
  const { rows: alive } = await sql<EntityToWake & { is_over: boolean }>`
    select id, product, workflow_id, learner_id, course_id, is_over from entities
    where id in (${entities(learner)}) order by id for update`.execute(trx)
  await sql`
    create temporary table erased_maps on commit drop as
    select mind_map_id as id from arcs where learner_id = ${id}::uuid
    union select id from mind_maps where learner_id = ${id}::uuid`.execute(trx)
  await sql`
    create temporary table erased_sessions on commit drop as ${sessions(learner)}`.execute(trx)
  // The numbers stay: whoever watches goes on from the one they have.
  await sql`
    update events set type = 'erased', data = '{}' where stream = ${TEACHERS}
      and coalesce(data ->> 'sessionId', data ->> 'id') in (select session_id::text from erased_sessions)
  `.execute(trx)
  await sql`
    delete from tutoring_sessions where session_id in (select session_id from erased_sessions)
  `.execute(trx)
  await sql`
    delete from agent_transitions
    where session_id in (select id from arcs where learner_id = ${id}::uuid)`.execute(trx)
  await sql`update arcs set revived_from = null where learner_id = ${id}::uuid`.execute(trx)
  await sql`delete from entities where learner_id = ${id}::uuid`.execute(trx)
  await sql`delete from mind_maps where id in (select id from erased_maps)`.execute(trx)
  await sql`
    delete from class_students where student_id = ${id}
      or student_id = ${handle} and not exists (
        select from tutoring_sessions as other where other.student_id = ${handle})`.execute(trx)
  await sql`
    delete from idempotency_keys where starts_with(scope, ${`${id} `})`.execute(trx)
  await sql`delete from learners where id = ${id}::uuid`.execute(trx)
  return alive.filter(({ is_over }) => !is_over)
}
