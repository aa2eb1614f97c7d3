import { sql } from 'kysely'
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

/**
 * Numbers and stores events of an arc and announces them when the transaction commits.
 * The arc's row must be locked by this transaction, so that numbers have no gap.
 */
export async function appendEvents(
  trx: Trx,
  arcId: string,
  events: readonly { type: ArcEventType; data: unknown }[],
): Promise<void> {
  if (events.length === 0) return
  const { last_event: last } = await trx
    .updateTable('arcs')
    .set((row) => ({ last_event: row('last_event', '+', events.length) }))
    .where('id', '=', arcId)
    .returning('last_event')
    .executeTakeFirstOrThrow()
  await insertEvents(trx, arcId, last - events.length, events)
}

/** The same for a caller that has already moved the arc's counter from `after` on. */
export async function insertEvents(
  trx: Trx,
  arcId: string,
  after: number,
  events: readonly { type: ArcEventType; data: unknown }[],
): Promise<void> {
  if (events.length === 0) return
  const last = after + events.length
  await trx
    .with('stored', (inner) =>
      inner.insertInto('arc_events').values(
        events.map((event, i) => ({
          arc_id: arcId,
          seq: after + i + 1,
          type: event.type,
          data: JSON.stringify(event.data ?? null),
        })),
      ),
    )
    .selectNoFrom(
      sql`pg_notify(${ARC_CHANNEL}, ${JSON.stringify({ arcId, seq: last })})`.as('announced'),
    )
    .execute()
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
