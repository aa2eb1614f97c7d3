import { sql } from 'kysely'
import type { DbOrTrx } from '../database.ts'

/** A chat that speaks for a learner. */
export interface Chat {
  /** The learner's channel. */
  channelId: string
  chatId: string
  learner: { id: string; handle: string }
  /** A language tag, as in the learner's settings. */
  language: string
}

/** The chat of that id, if it is linked. */
export async function findChat(db: DbOrTrx, chatId: string | number): Promise<Chat | null> {
  const row = await linkedChats(db)
    .where(sql`channel.address ->> 'chatId'`, '=', String(chatId))
    .executeTakeFirst()
  return row ? chatOf(row) : null
}

/** The chat of a channel, as long as it is linked. */
export async function chatOfChannel(db: DbOrTrx, channelId: string): Promise<Chat | null> {
  const row = await linkedChats(db).where('channel.id', '=', channelId).executeTakeFirst()
  return row ? chatOf(row) : null
}

const linkedChats = (db: DbOrTrx) =>
  db
    .selectFrom('learner_channels as channel')
    .innerJoin('learners as learner', 'learner.id', 'channel.learner_id')
    .select(['channel.id as channelId', 'learner.id', 'learner.handle', 'learner.language'])
    .select(sql<string>`channel.address ->> 'chatId'`.as('chatId'))
    .where('channel.channel', '=', 'telegram')
    .where('channel.status', '=', 'linked')

const chatOf = ({
  channelId,
  chatId,
  id,
  handle,
  language,
}: {
  channelId: string
  chatId: string
  id: string
  handle: string
  language: string
}): Chat => ({ channelId, chatId, learner: { id, handle }, language })

/** The arc of the first review of a notice that stands in a chat as this message, or null. */
export async function arcOfNotice(
  db: DbOrTrx,
  { channelId, chatId }: Chat,
  messageId: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('nudge_deliveries as delivery')
    .innerJoin('nudges as nudge', 'nudge.id', 'delivery.nudge_id')
    .select(sql<string | null>`nudge.notice #>> '{items,0,arcId}'`.as('arcId'))
    .where('delivery.channel_id', '=', channelId)
    .where(sql`delivery.reference ->> 'chatId'`, '=', chatId)
    .where(sql`delivery.reference ->> 'messageId'`, '=', String(messageId))
    .executeTakeFirst()
  return row?.arcId ?? null
}
