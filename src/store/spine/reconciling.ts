import { sql } from 'kysely'
import type { Db } from '../database.ts'
import type { EntityToWake } from './entities.ts'

/** An input that is older than this and was not taken up is signalled again. */
const INPUT_PATIENCE = "interval '5 seconds'"
/** An entity whose date is past by this is signalled. */
const WAKE_PATIENCE = "interval '60 seconds'"
/** A step that is wanted for longer than any may take is asked for again. */
const STEP_PATIENCE = "interval '5 minutes'"
const MOST = 200

/** Whether an entity's date is past by more than the patience. */
export const isLate = sql<boolean>`entities.wake_at < now() - ${sql.raw(WAKE_PATIENCE)}`

/**
 * Entities that something has been forgotten of: an input not taken up, a date that is past, a step wanted too long. Each
 * one found is noted, and found again twice as late, up to ten minutes; three indexed questions, 200 rows at most.
 */
export async function forgottenEntities(db: Db): Promise<EntityToWake[]> {
  const { rows } = await sql<EntityToWake>`
    with late as (
      select entity_id as id, received_at as since from inbox
      where taken_at is null and withdrawn_at is null and received_at < now() - ${sql.raw(INPUT_PATIENCE)}
      union all select id, wake_at from entities where wake_at < now() - ${sql.raw(WAKE_PATIENCE)}
      union all select id, thinking_since from entities where thinking_since < now() - ${sql.raw(STEP_PATIENCE)}),
    found as (
      select entities.id from entities join (select id, max(since) as since from late group by id) as late using (id)
      where signalled_at is null or signalled_at < since
         or signalled_at < now() - least(interval '10 minutes', interval '5 seconds' * (2 ^ least(signals, 10)))
      order by signalled_at nulls first limit ${MOST}
      for update of entities skip locked)
    update entities set signals = signals + 1, signalled_at = now()
    from found where entities.id = found.id
    returning entities.id, product, workflow_id, learner_id, course_id
  `.execute(db)
  return rows
}

/** Entities that are held up: by a fault of ours, or past their date; for the alarm. */
export async function countLate(
  db: Db,
): Promise<{ product: string; blocked: number; late: number }[]> {
  const { rows } = await sql<{ product: string; blocked: number; late: number }>`
    select product, count(*) filter (where fault is not null)::int as blocked,
      count(*) filter (where wake_at < now() - ${sql.raw(WAKE_PATIENCE)})::int as late
    from entities where fault is not null or wake_at < now() - ${sql.raw(WAKE_PATIENCE)}
    group by product`.execute(db)
  return rows
}
