import { sql } from 'kysely'
import { type FittedMemory, LEAST_REVIEWS } from '../domain/spaced-repetition/fitting.ts'
import type { LoggedAnswer } from '../domain/spaced-repetition/review-log.ts'
import type { ArcRow } from './arc/arcs.ts'
import type { DbOrTrx } from './database.ts'
import { storeInput } from './spine/inbox.ts'

/** A memory is fitted again when there are so many times as many answers as the last time. */
const MORE = 1.1

/** The answers of a learner on all their maps but to diagnoses, oldest first. */
export async function readReviewLog(db: DbOrTrx, learnerId: string): Promise<LoggedAnswer[]> {
  const { rows } = await sql<Omit<LoggedAnswer, 'at'> & { at: Date }>`
    select response.node_id as "cardId", response.responded_at as at, response.quality,
           response.response_type as type,
           round(coalesce(response.time_taken_seconds * 1000,
             extract(epoch from question.closed_at - question.opened_at) * 1000))::float8 as "durationMs"
    from quiz_responses response
    left join arc_questions question on question.id = response.question_id
    where response.response_type <> 'diagnostic'
      and response.mind_map_id in (
        select mind_map_id from arcs where learner_id = ${learnerId}
        union select id from mind_maps where learner_id = ${learnerId})
    order by response.responded_at, response.position
  `.execute(db)
  return rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() }))
}

/** Learners who review by FSRS and have answered enough, and a tenth more than when their memory was last fitted. */
export async function learnersToFit(db: DbOrTrx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select arc.learner_id as id
    from arcs arc join quiz_responses response on response.mind_map_id = arc.mind_map_id
    left join fitted_memories memory on memory.learner_id = arc.learner_id
    where response.response_type <> 'diagnostic'
      and exists (select from arcs own where own.learner_id = arc.learner_id
                  and own.settings ->> 'scheduler' = 'fsrs'
                  and own.phase not in ('COMPLETED', 'ABANDONED'))
    group by arc.learner_id, memory.answers
    having count(*) >= greatest(${LEAST_REVIEWS}, coalesce(memory.answers, 0) * ${MORE}::float8)
    order by arc.learner_id
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Keeps what was fitted to a learner's reviews, `at` in UTC ms, in place of what was before. */
export async function keepMemory(
  db: DbOrTrx,
  learnerId: string,
  { weights, reviews, heldOut, logLoss, defaultLogLoss }: FittedMemory,
  answers: number,
  at: number,
): Promise<void> {
  const row = {
    weights,
    answers,
    reviews,
    held_out: heldOut,
    log_loss: logLoss,
    default_log_loss: defaultLogLoss,
    fitted_at: new Date(at),
  }
  await db
    .insertInto('fitted_memories')
    .values({ learner_id: learnerId, ...row })
    .onConflict((conflict) => conflict.column('learner_id').doUpdateSet(row))
    .execute()
}

/** What was fitted to a learner's reviews last, or null. */
export async function readMemory(db: DbOrTrx, learnerId: string) {
  const row = await db
    .selectFrom('fitted_memories')
    .selectAll()
    .where('learner_id', '=', learnerId)
    .executeTakeFirst()
  return row ?? null
}

/** Gives an arc that begins, and reviews by FSRS, its learner's weights: they count from its first review on. */
export async function tellNewArc(
  trx: DbOrTrx,
  { id: entityId, learner_id: learnerId, settings }: Pick<ArcRow, 'id' | 'learner_id' | 'settings'>,
): Promise<void> {
  if (settings.scheduler !== 'fsrs') return
  const weights = (await readMemory(trx, learnerId))?.weights ?? null
  if (weights) {
    await storeInput(trx, { entityId, id: 'memory', type: 'memory', payload: { weights } })
  }
}

/**
 * Sends every open arc that reviews by FSRS its learner's weights, if it has others.
 * @returns the arcs that were sent some
 */
export async function tellWeights(db: DbOrTrx, at: number): Promise<ArcRow[]> {
  const { rows } = await sql<ArcRow & { weights: number[] | null }>`
    select arc.*, memory.weights
    from arcs arc
    join fitted_memories memory on memory.learner_id = arc.learner_id
    join entities entity on entity.id = arc.id
    where arc.settings ->> 'scheduler' = 'fsrs' and arc.phase not in ('COMPLETED', 'ABANDONED')
      and coalesce(entity.state -> 'weights', 'null') <> coalesce(to_jsonb(memory.weights), 'null')
  `.execute(db)
  for (const { id, weights } of rows) {
    await storeInput(db, { entityId: id, id: `memory-${at}`, type: 'memory', payload: { weights } })
  }
  return rows
}
