import { type CompiledQuery, sql } from 'kysely'
import type { CourseRequest } from '../../domain/course/request.ts'
import type { Db } from '../database.ts'

/** What became of storing a request: `kept` is the same one, `other` another one, that was stored under the id before. */
export type Storing = 'stored' | 'kept' | 'other'

/** A request that was taken back, failed, or had no answer from the exam authority may be made again. */
const MAY_BEGIN_ANEW = sql<boolean>`(inbox.withdrawn_at is not null or inbox.failure is not null
  or inbox.answered_at is not null and inbox.answer ->> 'status' = '503')`

/** One that the exam authority may have heard goes on as it was. */
const HAS_EFFECT = sql<boolean>`coalesce((inbox.answer ->> 'told')::boolean, false)`

/** Stores a request of a student, to be taken up behind those that wait. */
export async function storeRequest(
  db: Db,
  entityId: string,
  { id, type, threadId, payload }: CourseRequest,
): Promise<Storing> {
  const stored = JSON.stringify({ ...payload, threadId })
  const { rows } = await sql`
    insert into inbox (entity_id, id, type, payload)
    values (${entityId}::uuid, ${id}, ${type}, ${stored}::jsonb)
    on conflict (entity_id, id) do update
    set payload = excluded.payload, position = default, received_at = now(), taken_at = null, answered_at = null,
      withdrawn_at = null, failure = null
    where ${MAY_BEGIN_ANEW} and (inbox.payload = excluded.payload or not ${HAS_EFFECT})
    returning position`.execute(db)
  if (rows.length > 0) return 'stored'
  const { isSame } = await db
    .selectFrom('inbox')
    .select(sql<boolean>`payload = ${stored}::jsonb`.as('isSame'))
    .where('entity_id', '=', entityId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return isSame ? 'kept' : 'other'
}

/** For how long a course that waits for a step counts as one that somebody looks after. */
const AT_WORK = "interval '30 seconds'"

/**
 * Takes a request back that nobody has taken up, unless another one of the course is in hand.
 * @returns whether it is withdrawn
 */
export async function withdrawRequest(db: Db, entityId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('inbox')
    .from('entities')
    .set({ withdrawn_at: sql<Date>`now()` })
    .whereRef('entities.id', '=', 'inbox.entity_id')
    .where('inbox.entity_id', '=', entityId)
    .where('inbox.id', '=', id)
    .where('taken_at', 'is', null)
    .where(sql<boolean>`(thinking_since is null or thinking_since < now() - ${sql.raw(AT_WORK)})`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Sets aside what a course has in hand: a fault of ours keeps it from being done. */
export const setAsideInHand = (db: Db, entityId: string): CompiledQuery[] => [
  db
    .updateTable('inbox')
    .set({ answered_at: sql<Date>`now()`, failure: 'a fault of ours, while it was in hand' })
    .where('entity_id', '=', entityId)
    .where('taken_at', 'is not', null)
    .where('answered_at', 'is', null)
    .compile(),
  db
    .updateTable('entities')
    .set({ state: sql<string>`jsonb_set(state, '{work}', 'null')` })
    .where('id', '=', entityId)
    .compile(),
]
