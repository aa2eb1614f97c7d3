import { type RawBuilder, sql } from 'kysely'
import type { ArcPhase, PendingQuestion } from '../../contracts/arc.ts'
import { PASSING_QUALITY } from '../../domain/mastery/quality.ts'
import type { Db, DbOrTrx } from '../database.ts'
import { CHANNEL } from '../spine/events.ts'
import type { Chat } from './chats.ts'

/** The stream on which those who relay hear that there is another arc to be told of. */
export const RELAYS = 'telegram'

/**
 * The learner speaks to an arc in the chat, or chose it there: from now on the chat is told of it. What was said before
 * is not told.
 */
export async function takeUp(db: Db, { channelId }: Chat, arcId: string): Promise<void> {
  await db
    .insertInto('telegram_relays')
    .columns(['channel_id', 'arc_id', 'told'])
    .expression((from) =>
      from
        .selectFrom('entities')
        .select([sql<string>`${channelId}::uuid`.as('channel_id'), 'id', 'last_event'])
        .where('id', '=', arcId),
    )
    .onConflict((conflict) =>
      conflict.columns(['channel_id', 'arc_id']).doUpdateSet({ taken_at: sql<Date>`now()` }),
    )
    .execute()
  await announceRelays(db)
}

/** A new arc that was begun in the chat: all of it is told. */
export async function takeUpNew(db: Db, { channelId }: Chat, arcId: string): Promise<void> {
  await db
    .insertInto('telegram_relays')
    .values({ channel_id: channelId, arc_id: arcId, told: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await announceRelays(db)
}

const announceRelays = (db: Db) =>
  sql`select pg_notify(${CHANNEL}, ${JSON.stringify({ stream: RELAYS })})`.execute(db)

/** An arc in a chat. */
export interface Relay {
  channelId: string
  arcId: string
  /** The number of the last event that the chat was told of. */
  told: number
}

/** The relays of linked chats whose arcs go on, or have not been told to their end. */
export async function relays(db: DbOrTrx): Promise<Relay[]> {
  return relaysWhere(db, sql`(not entity.is_over or entity.last_event > relay.told)`)
}

/** Those with events that their chats have not been told of, of one chat or of all, the longest waiting first. */
export async function relaysBehind(db: DbOrTrx, channelId?: string): Promise<Relay[]> {
  const isOfChannel = channelId ? sql`relay.channel_id = ${channelId}::uuid` : sql`true`
  return relaysWhere(db, sql`entity.last_event > relay.told and ${isOfChannel}`)
}

async function relaysWhere(db: DbOrTrx, condition: RawBuilder<unknown>): Promise<Relay[]> {
  const { rows } = await sql<{ channelId: string; arcId: string; told: string }>`
    select relay.channel_id as "channelId", relay.arc_id as "arcId", relay.told
    from telegram_relays relay
    join entities entity on entity.id = relay.arc_id
    join learner_channels channel on channel.id = relay.channel_id and channel.status = 'linked'
    where ${condition}
    order by relay.taken_at`.execute(db)
  return rows.map((row) => ({ ...row, told: Number(row.told) }))
}

/** Whether an arc has asked something that the chat has yet to be told of. */
export async function isOnItsWay(
  db: DbOrTrx,
  { channelId }: Chat,
  arcId: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from telegram_relays relay
      join events on events.stream = relay.arc_id::text and events.seq > relay.told
      where relay.channel_id = ${channelId}::uuid and relay.arc_id = ${arcId}::uuid
        and events.type = 'question') as found`.execute(db)
  return rows[0]?.found ?? false
}

/** The chat has been told of an arc up to an event. */
export async function toldUpTo(
  db: DbOrTrx,
  { channelId, arcId }: Pick<Relay, 'channelId' | 'arcId'>,
  event: number,
): Promise<void> {
  await db
    .updateTable('telegram_relays')
    .set({ told: event })
    .where('channel_id', '=', channelId)
    .where('arc_id', '=', arcId)
    .where('told', '<', String(event))
    .execute()
}

/**
 * The arc that a message without a reply is for: the one that the chat has last to do with, by a word of the learner's or
 * by a question that was shown and is still open. Null while there is none.
 */
export async function currentArc(
  db: DbOrTrx,
  { channelId }: Chat,
): Promise<{ arcId: string; phase: ArcPhase } | null> {
  const { rows } = await sql<{ arcId: string; phase: ArcPhase }>`
    select relay.arc_id as "arcId", arcs.phase
    from telegram_relays relay
    join arcs on arcs.id = relay.arc_id
    left join lateral (
      select max(created_at) as at from telegram_messages shown
      where shown.channel_id = relay.channel_id and shown.arc_id = relay.arc_id
        and shown.question_id = arcs.pending_question and not shown.from_learner) asked on true
    where relay.channel_id = ${channelId}::uuid
    order by greatest(relay.taken_at, asked.at) desc
    limit 1`.execute(db)
  return rows[0] ?? null
}

/** How a message of an arc is told in a chat. */
export interface Telling {
  /**
   * Whether it is told at all: it answers a message from Telegram; or it answers nobody, the learner was last heard in
   * Telegram, and it is not about what the agenda calls for over the same channel: a review that opened by itself and its
   * question, an arc that goes stale.
   */
  isTold: boolean
  /** The learner's message that it answers. */
  asked: { id: string; text: string; questionId: string | null } | null
  /** Whether it is the first in its turn, where it answers one. */
  isFirst: boolean
  /** Whether it is the word on a right answer, outside the level check. */
  isRight: boolean
  /** The kind of the question that it asks; null: it asks none. */
  kind: PendingQuestion['kind'] | null
  /** What the question that was answered offered. */
  options: { id: string; text: string }[] | null
}

/**
 * How a message is to be told; null where there is no such message.
 * @param seq the number of the message's event in the arc's stream
 */
export async function tellingOf(
  db: DbOrTrx,
  { channelId, arcId }: Pick<Relay, 'channelId' | 'arcId'>,
  messageId: string,
  seq: number,
): Promise<Telling | null> {
  const { rows } = await sql<{
    isTold: boolean
    askedId: string | null
    askedText: string | null
    askedQuestion: string | null
    isFirst: boolean
    isRight: boolean
    kind: Telling['kind']
    options: Telling['options']
  }>`
    select
      case when asked.id is not null then asked.channel = 'telegram'
           when message.created_at = arcs.stale_warned_at
             or (message.phase = 'ABANDONED' and arcs.abandon_reason = 'stale') then false
           when (select type = 'review' from events
                 where stream = message.arc_id::text and seq < ${seq}
                   and (type = 'review' or (type = 'message' and data ->> 'role' = 'learner'))
                 order by seq desc limit 1) then false
           else coalesce(relay.taken_at >= last.created_at or last.channel = 'telegram', true) end as "isTold",
      asked.id as "askedId", asked.text as "askedText", asked.question_id as "askedQuestion",
      not exists (
        select from arc_messages before
        where before.arc_id = message.arc_id and before.turn = message.turn
          and before.role <> 'learner' and before.position < message.position) as "isFirst",
      exists (
        select from arc_questions closed
        where closed.arc_id = message.arc_id and closed.closed_at = message.created_at
          and closed.quality >= ${PASSING_QUALITY} and closed.kind <> 'diagnostic')
      and not exists (
        select from arc_messages before
        where before.arc_id = message.arc_id and before.created_at = message.created_at
          and before.role <> 'learner' and before.position < message.position) as "isRight",
      (select kind from arc_questions own where own.id = message.question_id) as kind,
      question.options
    from arc_messages message
    join arcs on arcs.id = message.arc_id
    join telegram_relays relay on relay.arc_id = message.arc_id and relay.channel_id = ${channelId}::uuid
    left join lateral (
      select id, text, channel, question_id from arc_messages
      where arc_id = message.arc_id and turn = message.turn and role = 'learner'
      order by position limit 1) asked on true
    left join lateral (
      select channel, created_at from arc_messages
      where arc_id = message.arc_id and role = 'learner' and position < message.position
      order by position desc limit 1) last on true
    left join arc_questions question on question.id = asked.question_id
    where message.arc_id = ${arcId}::uuid and message.id = ${messageId}`.execute(db)
  const [row] = rows
  if (!row) return null
  const { askedId, askedText, askedQuestion, ...telling } = row
  const asked =
    askedId === null ? null : { id: askedId, text: askedText ?? '', questionId: askedQuestion }
  return { ...telling, asked }
}
