import type { DbOrTrx } from '../database.ts'
import type { Chat } from './chats.ts'

/** A message of a chat, and what of an arc it shows or says. */
export interface ChatMessage {
  messageId: number
  arcId: string
  arcMessageId: string | null
  /** The question that it asks or answers. */
  questionId: string | null
  fromLearner: boolean
}

/** Stores what messages of a chat belong to; a question that is shown is open until it is found closed. */
export async function rememberMessages(
  db: DbOrTrx,
  { channelId, chatId }: Chat,
  messages: readonly ChatMessage[],
): Promise<void> {
  if (messages.length === 0) return
  await db
    .insertInto('telegram_messages')
    .values(
      messages.map(({ messageId, arcId, arcMessageId, questionId, fromLearner }) => ({
        channel_id: channelId,
        chat_id: chatId,
        message_id: messageId,
        arc_id: arcId,
        arc_message_id: arcMessageId,
        question_id: questionId,
        from_learner: fromLearner,
        is_open: questionId !== null && !fromLearner,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** What a message of the chat belongs to, or null. */
export async function findMessage(
  db: DbOrTrx,
  { channelId, chatId }: Chat,
  messageId: number,
): Promise<ChatMessage | null> {
  const row = await db
    .selectFrom('telegram_messages')
    .selectAll()
    .where('channel_id', '=', channelId)
    .where('chat_id', '=', chatId)
    .where('message_id', '=', String(messageId))
    .executeTakeFirst()
  return row ? messageOf(row) : null
}

const messageOf = (row: {
  message_id: string
  arc_id: string
  arc_message_id: string | null
  question_id: string | null
  from_learner: boolean
}): ChatMessage => ({
  messageId: Number(row.message_id),
  arcId: row.arc_id,
  arcMessageId: row.arc_message_id,
  questionId: row.question_id,
  fromLearner: row.from_learner,
})

/** The question of an arc that was shown last in the chat; null while none was. */
export async function lastShownQuestion(
  db: DbOrTrx,
  { channelId }: Chat,
  arcId: string,
): Promise<string | null> {
  const row = await db
    .selectFrom('telegram_messages')
    .select('question_id')
    .where('channel_id', '=', channelId)
    .where('arc_id', '=', arcId)
    .where('question_id', 'is not', null)
    .where('from_learner', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('message_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.question_id ?? null
}

/** Whether a question was shown in the chat. */
export async function isShown(db: DbOrTrx, chat: Chat, questionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('telegram_messages')
    .select('message_id')
    .where('channel_id', '=', chat.channelId)
    .where('question_id', '=', questionId)
    .where('from_learner', '=', false)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The messages of a chat that show questions of an arc whose buttons are still there, but those of the open question. */
export async function staleQuestions(
  db: DbOrTrx,
  { channelId, chatId }: Chat,
  arcId: string,
  openQuestionId: string | null,
): Promise<number[]> {
  let query = db
    .selectFrom('telegram_messages')
    .select('message_id')
    .where('channel_id', '=', channelId)
    .where('chat_id', '=', chatId)
    .where('arc_id', '=', arcId)
    .where('is_open', '=', true)
  if (openQuestionId !== null) query = query.where('question_id', '<>', openQuestionId)
  const rows = await query.execute()
  return rows.map((row) => Number(row.message_id))
}

/** The buttons of a question are gone. */
export async function questionSettled(
  db: DbOrTrx,
  { channelId, chatId }: Chat,
  messageId: number,
): Promise<void> {
  await db
    .updateTable('telegram_messages')
    .set({ is_open: false })
    .where('channel_id', '=', channelId)
    .where('chat_id', '=', chatId)
    .where('message_id', '=', String(messageId))
    .execute()
}

/** The message of the chat by which a learner's message came, or the one that shows the question it answers. */
export async function messageToThread(
  db: DbOrTrx,
  { channelId, chatId }: Chat,
  asked: { id: string; questionId: string | null },
): Promise<{ messageId: number; fromLearner: boolean } | null> {
  const row = await db
    .selectFrom('telegram_messages')
    .select(['message_id', 'from_learner'])
    .where('channel_id', '=', channelId)
    .where('chat_id', '=', chatId)
    .where((where) =>
      where.or([
        where.and([where('arc_message_id', '=', asked.id), where('from_learner', '=', true)]),
        where.and([where('question_id', '=', asked.questionId), where('from_learner', '=', false)]),
      ]),
    )
    .orderBy('from_learner', 'desc')
    .orderBy('message_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? { messageId: Number(row.message_id), fromLearner: row.from_learner } : null
}
