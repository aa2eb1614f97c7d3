import { type RawBuilder, sql } from 'kysely'
import type { DbOrTrx, Trx } from './database.ts'

/** Stored events of an arc; `delta` is never stored. */
export type ArcEventType = 'message' | 'phase' | 'node' | 'question' | 'review' | 'nudge' | 'reset'

export interface ArcEvent {
  seq: number
  type: ArcEventType
  data: unknown
}

/** The channel on which commits and deltas are announced. */
export const ARC_CHANNEL = 'meno_arc'

/** An event before it has its number. */
export interface NewEvent {
  type: ArcEventType
  data: unknown
}

/**
 * Numbers and stores events of an arc and announces them when the transaction commits.
 * The arc's row must be locked by this transaction, so that numbers have no gap.
 */
export async function appendEvents(
  trx: Trx,
  arcId: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  await trx
    .updateTable('arcs')
    .set((row) => ({ last_event: row('last_event', '+', events.length) }))
    .where('id', '=', arcId)
    .execute()
  await eventsInsert(arcId, events).execute(trx)
}

/**
 * Stores events for a transaction that has already moved the arc's counter on by their number, and announces them.
 * @param answered the learner's message whose turn has ended, for those who wait for it
 */
export function eventsInsert(
  arcId: string,
  events: readonly NewEvent[],
  answered: string | null = null,
): RawBuilder<unknown> {
  const stored = JSON.stringify(events.map(({ type, data }) => ({ type, data: data ?? null })))
  return sql`
    with arc as (select last_event from arcs where id = ${arcId}),
    stored as (
      insert into arc_events (arc_id, seq, type, data)
      select ${arcId}, arc.last_event - ${events.length}::int + event.number, event.value->>'type',
             event.value->'data'
      from arc, jsonb_array_elements(${stored}::jsonb) with ordinality as event (value, number))
    select pg_notify(${ARC_CHANNEL}, jsonb_build_object('arcId', ${arcId}::text, 'seq', last_event,
      'answered', ${answered}::text)::text) from arc`
}

/** Events after `seq`, oldest first. */
export async function readEvents(
  db: DbOrTrx,
  arcId: string,
  after: number,
  limit = 500,
): Promise<ArcEvent[]> {
  const rows = await db
    .selectFrom('arc_events')
    .select(['seq', 'type', 'data'])
    .where('arc_id', '=', arcId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ seq: row.seq, type: row.type as ArcEventType, data: row.data }))
}

/** Text of a running step for readers of the arc; provisional, so it is sent and not stored. */
export async function announceDelta(
  db: DbOrTrx,
  delta: {
    arcId: string
    turnId: string
    stepKey: string
    attempt: number
    offset: number
    text: string
  },
): Promise<void> {
  // A notification holds 8,000 bytes at most.
  for (let start = 0; start < delta.text.length; start += 1_500) {
    const piece = delta.text.slice(start, start + 1_500)
    const payload = JSON.stringify({ ...delta, offset: delta.offset + start, text: piece })
    await db.selectNoFrom(sql`pg_notify(${ARC_CHANNEL}, ${payload})`.as('announced')).execute()
  }
}
