import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { ChannelName, Notice } from '../../contracts/channel.ts'
import type { AgendaEffect, Delivery } from '../../domain/agenda/state.ts'
import type { Db } from '../database.ts'
import { CHANNEL } from '../spine/events.ts'

/** A nudge as it is written: its words are made. */
export type WordedEffect =
  | Exclude<AgendaEffect, { type: 'nudge' }>
  | (Extract<AgendaEffect, { type: 'nudge' }> & { notice: Notice })

/** What effects come to in the outbox, in their order. */
export const agendaStatements = (
  db: Db,
  learnerId: string,
  effects: readonly WordedEffect[],
): CompiledQuery[] =>
  effects.flatMap((effect) => statementsOf(learnerId, effect)).map((each) => each.compile(db))

function statementsOf(learnerId: string, effect: WordedEffect): RawBuilder<unknown>[] {
  switch (effect.type) {
    case 'nudge': {
      const { id, date, number, at, expiresAt, notice, deliveries } = effect
      const arcIds = [...new Set(notice.items.map(({ arcId }) => arcId))]
      return [
        sql`
          insert into nudges (id, learner_id, date, kind, number, notice, created_at, expires_at)
          values (${id}::uuid, ${learnerId}::uuid, ${date}::date, ${notice.kind}, ${number},
            ${JSON.stringify(notice)}::jsonb, ${new Date(at)}, ${new Date(expiresAt)})
          on conflict do nothing`,
        ...deliveries.map((delivery) => deliveryInsert(id, delivery)),
        ...(arcIds.length > 0 ? [arcEvents(arcIds, notice, expiresAt)] : []),
      ]
    }
    case 'fallback':
      return [deliveryInsert(effect.nudgeId, effect.delivery)]
    case 'over': {
      const column = effect.why === 'answered' ? sql`answered_at` : sql`withdrawn_at`
      return [
        sql`update nudges set ${column} = ${new Date(effect.at)} where id = ${effect.nudgeId}::uuid`,
      ]
    }
    case 'delivery': {
      const { nudgeId, channelId, status, reference = null, failure = null, at } = effect
      return [
        sql`
          update nudge_deliveries set status = ${status}, failure = ${failure},
            sent_at = case when ${status}::text = 'sent' then ${new Date(at)}::timestamptz else sent_at end,
            reference = coalesce(${reference === null ? null : JSON.stringify(reference)}::jsonb, reference)
          where nudge_id = ${nudgeId}::uuid and channel_id = ${channelId}::uuid`,
      ]
    }
    case 'channel-gone':
      return [
        sql`
          update learner_channels set status = 'pending', failure = ${effect.failure}
          where id = ${effect.channelId}::uuid`,
      ]
    case 'answered':
      return []
  }
}

const deliveryInsert = (
  nudgeId: string,
  { channelId, channel }: Pick<Delivery, 'channelId' | 'channel'>,
) => sql`
  insert into nudge_deliveries (nudge_id, channel_id, channel)
  values (${nudgeId}::uuid, ${channelId}::uuid, ${channel}) on conflict do nothing`

/** Whoever watches an arc that a nudge is for hears of it there too. */
const arcEvents = (arcIds: readonly string[], { id, text }: Notice, expiresAt: number) => {
  const data = JSON.stringify({ id, text, expiresAt: new Date(expiresAt).toISOString() })
  return sql`
    with entity as (
      update entities set last_event = last_event + 1
      where id = any(${[...arcIds]}::uuid[]) returning id, last_event),
    event as (
      insert into events (stream, seq, type, data)
      select id::text, last_event, 'nudge', ${data}::jsonb from entity)
    select pg_notify(${CHANNEL}, jsonb_build_object('stream', id, 'answered', '[]'::jsonb)::text)
    from entity`
}

/** A delivery that a step may send now, or finds begun by a step that was cut off. */
export interface Claimed {
  /** Whether an earlier try began and left no outcome. */
  isRepeat: boolean
  notice: Notice
  address: Record<string, unknown>
}

/**
 * Notes that a delivery is about to leave, before anything does: found so without an outcome, nobody knows whether it
 * left.
 * @returns null where it is not to be sent any more: the nudge is over, the channel unlinked, an outcome is there
 */
export async function claimDelivery(
  db: Db,
  nudgeId: string,
  channelId: string,
): Promise<Claimed | null> {
  const { rows } = await sql<{
    was: string
    notice: Notice
    address: Record<string, unknown>
  }>`
    with due as (
      select delivery.nudge_id, delivery.channel_id, delivery.status as was, nudges.notice, linked.address
      from nudge_deliveries as delivery
      join nudges on nudges.id = delivery.nudge_id
      join learner_channels as linked on linked.id = delivery.channel_id and linked.status = 'linked'
      where delivery.nudge_id = ${nudgeId}::uuid and delivery.channel_id = ${channelId}::uuid
        and delivery.status in ('pending', 'sending') and nudges.answered_at is null and nudges.withdrawn_at is null
      for update of delivery)
    update nudge_deliveries as delivery
    set status = 'sending', attempts = attempts + 1, sending_at = now()
    from due where delivery.nudge_id = due.nudge_id and delivery.channel_id = due.channel_id
    returning due.was, due.notice, due.address`.execute(db)
  const [row] = rows
  return row ? { isRepeat: row.was === 'sending', notice: row.notice, address: row.address } : null
}

/** What was sent, to be taken back; null where there is nothing of it. */
export async function readSent(db: Db, nudgeId: string, channelId: string) {
  const row = await db
    .selectFrom('nudge_deliveries as delivery')
    .innerJoin('nudges', 'nudges.id', 'delivery.nudge_id')
    .innerJoin('learner_channels as linked', 'linked.id', 'delivery.channel_id')
    .select(['delivery.reference', 'nudges.notice', 'linked.address'])
    .where('delivery.nudge_id', '=', nudgeId)
    .where('delivery.channel_id', '=', channelId)
    .where('delivery.status', '=', 'sent')
    .executeTakeFirst()
  return row?.reference ? { ...row, reference: row.reference } : null
}

/** How many deliveries of each channel stand how, for those who watch over the installation. */
export async function countDeliveries(
  db: Db,
): Promise<{ channel: ChannelName; status: string; count: number }[]> {
  return db
    .selectFrom('nudge_deliveries')
    .select(['channel', 'status', sql<number>`count(*)::int`.as('count')])
    .groupBy(['channel', 'status'])
    .execute()
}
