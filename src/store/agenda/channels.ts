import { type Selectable, sql } from 'kysely'
import type { ChannelName } from '../../contracts/channel.ts'
import type { Db, DbOrTrx } from '../database.ts'
import type { Database } from '../schema.ts'

export type ChannelRow = Selectable<Database['learner_channels']>

/** A channel that a learner asks for, not yet confirmed over the channel itself. */
export interface NewLink {
  learnerId: string
  channel: ChannelName
  /** What tells two of a channel apart; empty where a learner has but one. */
  place?: string
  address: Record<string, unknown>
  /** What has to be brought back over the channel, and how long it may take; none: linked at once. */
  code: { text: string; until: Date } | null
}

/**
 * Stores what a learner asks for; another of the same channel and place is replaced. Where the address is only known once
 * the code is back, a place that is linked stays in use until then.
 */
export async function beginLink(db: DbOrTrx, link: NewLink): Promise<ChannelRow> {
  const { learnerId, channel, place = '', address, code } = link
  const values = {
    status: code ? ('pending' as const) : ('linked' as const),
    address: JSON.stringify(address),
    code: code?.text ?? null,
    code_until: code?.until ?? null,
    failure: null,
    linked_at: code ? null : sql<Date>`now()`,
  }
  const { code: given, code_until } = values
  const changes = code && Object.keys(address).length === 0 ? { code: given, code_until } : values
  return db
    .insertInto('learner_channels')
    .values({ learner_id: learnerId, channel, place, ...values })
    .onConflict((conflict) =>
      conflict.columns(['learner_id', 'channel', 'place']).doUpdateSet(changes),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * A code came back over its channel: it is linked, with what is known of the address by now. A code counts once.
 * @returns the row, or null where there is no such code or its time is over
 */
export async function confirmLink(
  db: Db,
  channel: ChannelName,
  code: string,
  address: Record<string, unknown> = {},
): Promise<ChannelRow | null> {
  return db.transaction().execute(async (trx) => {
    const found = await trx
      .selectFrom('learner_channels')
      .select('id')
      .where('channel', '=', channel)
      .where('code', '=', code)
      .where('code_until', '>', sql<Date>`now()`)
      .forUpdate()
      .executeTakeFirst()
    if (!found) return null
    if (typeof address.chatId === 'string' || typeof address.chatId === 'number') {
      // A chat speaks for one learner: who links it anew takes it over.
      await trx
        .deleteFrom('learner_channels')
        .where('channel', '=', channel)
        .where('status', '=', 'linked')
        .where(sql`address ->> 'chatId'`, '=', String(address.chatId))
        .where('id', '<>', found.id)
        .execute()
    }
    return trx
      .updateTable('learner_channels')
      .set({
        status: 'linked',
        address: sql<string>`address || ${JSON.stringify(address)}::jsonb`,
        code: null,
        code_until: null,
        failure: null,
        linked_at: sql<Date>`now()`,
      })
      .where('id', '=', found.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** The channels of a learner, linked and pending. */
export async function readChannels(db: DbOrTrx, learnerId: string): Promise<ChannelRow[]> {
  return db
    .selectFrom('learner_channels')
    .selectAll()
    .where('learner_id', '=', learnerId)
    .orderBy('channel')
    .orderBy('created_at')
    .execute()
}

/** Takes a channel of a learner out; one of a place only where that is said. Returns how many there were. */
export async function unlink(
  db: DbOrTrx,
  learnerId: string,
  channel: ChannelName,
  place?: string,
): Promise<number> {
  let query = db
    .deleteFrom('learner_channels')
    .where('learner_id', '=', learnerId)
    .where('channel', '=', channel)
  if (place !== undefined) query = query.where('place', '=', place)
  const { numDeletedRows } = await query.executeTakeFirst()
  return Number(numDeletedRows)
}

/** The address is no more: the channel is taken out of use, and says why. */
export async function channelGone(db: DbOrTrx, id: string, failure: string): Promise<void> {
  await db
    .updateTable('learner_channels')
    .set({ status: 'pending', failure })
    .where('id', '=', id)
    .execute()
}

/** What a code would confirm, or null where there is no such code or its time is over. Confirms nothing. */
export async function readPendingLink(
  db: DbOrTrx,
  channel: ChannelName,
  code: string,
): Promise<ChannelRow | null> {
  const row = await db
    .selectFrom('learner_channels')
    .selectAll()
    .where('channel', '=', channel)
    .where('code', '=', code)
    .where('code_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row ?? null
}
