import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db, DbOrTrx, Trx } from '../database.ts'

/** The channel on which everything that is stored, and text on its way, is announced. */
export const CHANNEL = 'meno'

/** The stream of what concerns all teachers. */
export const TEACHERS = 'teachers'

/** An event before it has its number. */
export interface NewEvent {
  type: string
  data: unknown
}

export interface StoredEvent extends NewEvent {
  /** Its number in the stream. */
  seq: number
}

/**
 * Stores events of an entity whose counter this transaction has moved on by their number, and announces what was stored.
 * @param answered inputs whose turn has ended, for those who wait for them
 */
export function eventsInsert(
  entityId: string,
  events: readonly NewEvent[],
  answered: readonly string[] = [],
): RawBuilder<unknown> {
  const stored = JSON.stringify(events.map(({ type, data }) => ({ type, data: data ?? null })))
  return sql`
    with entity as (select last_event from entities where id = ${entityId}::uuid),
    stored as (
      insert into events (stream, seq, type, data)
      select ${entityId}::text, entity.last_event - ${events.length}::int + event.number, event.value->>'type',
             event.value->'data'
      from entity, jsonb_array_elements(${stored}::jsonb) with ordinality as event (value, number))
    select pg_notify(${CHANNEL}, jsonb_build_object('stream', ${entityId}::text, 'seq', last_event,
      'answered', ${JSON.stringify(answered)}::jsonb)::text) from entity`
}

/** Numbers, stores and announces events outside a decision; it locks the entity's row. */
export async function appendEvents(
  trx: Trx,
  entityId: string,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return
  await trx
    .updateTable('entities')
    .set((row) => ({ last_event: row('last_event', '+', events.length) }))
    .where('id', '=', entityId)
    .execute()
  await eventsInsert(entityId, events).execute(trx)
}

/** The order of commits is the order of numbers: whoever stores an event for teachers holds this lock to the end. */
const IN_ORDER = 0x7ea_c4e2

/** Stores events for teachers; the last thing a transaction does, since all others wait for it. */
export function teacherEventsInsert(db: Db, events: readonly NewEvent[]): CompiledQuery[] {
  if (events.length === 0) return []
  const stored = JSON.stringify(events)
  // The lock is a statement of its own: the next one sees what was committed while it waited.
  return [
    sql`select pg_advisory_xact_lock(${IN_ORDER})`.compile(db),
    sql`
      with last as (select coalesce(max(seq), 0) as seq from events where stream = ${TEACHERS}),
      stored as (
        insert into events (stream, seq, type, data)
        select ${TEACHERS}, last.seq + event.number, event.value->>'type', event.value->'data'
        from last, jsonb_array_elements(${stored}::jsonb) with ordinality as event (value, number))
      select pg_notify(${CHANNEL}, ${JSON.stringify({ stream: TEACHERS })})`.compile(db),
  ]
}

/** Events of a stream after `seq`, oldest first. */
export async function readEvents(
  db: DbOrTrx,
  stream: string,
  after: number,
  limit = 500,
): Promise<StoredEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['seq', 'type', 'data'])
    .where('stream', '=', stream)
    .where('seq', '>', String(after))
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(({ seq, type, data }) => ({ seq: Number(seq), type, data }))
}

/** The number of the newest event of a stream; 0 while there is none. */
export async function lastEvent(db: DbOrTrx, stream: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select((select) => select.fn.max('seq').as('last'))
    .where('stream', '=', stream)
    .executeTakeFirst()
  return Number(row?.last ?? 0)
}

/** A piece of text that a running step has brought; provisional, so it is sent and not stored. */
export interface Delta {
  stream: string
  turnId: string
  stepKey: string
  attempt: number
  offset: number
  text: string
}

/** Sends text of a running step to whoever is watching the entity. */
export async function announceDelta(db: DbOrTrx, delta: Delta): Promise<void> {
  // A notification holds 8,000 bytes at most.
  for (let start = 0; start < delta.text.length; start += 1_500) {
    const piece = delta.text.slice(start, start + 1_500)
    const payload = JSON.stringify({ ...delta, offset: delta.offset + start, text: piece })
    await db.selectNoFrom(sql`pg_notify(${CHANNEL}, ${payload})`.as('announced')).execute()
  }
}
