import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import type { ArcMessage, ArcPhase, MessageAction } from '../contracts/arc.ts'
import type { Db, DbOrTrx } from './database.ts'
import { appendEvents } from './events.ts'
import type { Database } from './schema.ts'

type MessageRow = Selectable<Database['arc_messages']>

/** A stored message as the API shows it. */
export function messageView(row: MessageRow): ArcMessage {
  return {
    id: row.id,
    role: row.role,
    text: row.text,
    ...(row.card ? { card: row.card } : {}),
    ...(row.node_id ? { nodeId: row.node_id } : {}),
    ...(row.question_id ? { questionId: row.question_id } : {}),
    ...(row.replaces ? { replaces: row.replaces } : {}),
    phase: row.phase as ArcPhase,
    createdAt: row.created_at.toISOString(),
  }
}

export interface IncomingMessage {
  arcId: string
  id: string
  text: string
  action: MessageAction | null
  questionId: string | null
  channel: string
}

/**
 * Stores a learner's message and its event in one transaction. The first text of an id wins.
 * @returns the stored message, and whether its turn is over; null if there is no such arc
 */
export async function storeMessage(
  db: Db,
  message: IncomingMessage,
): Promise<{ row: MessageRow; isNew: boolean } | null> {
  return db.transaction().execute(async (trx) => {
    const arc = await trx
      .selectFrom('arcs')
      .select(['id', 'phase'])
      .where('id', '=', message.arcId)
      .forUpdate()
      .executeTakeFirst()
    if (!arc) return null
    const inserted = await trx
      .insertInto('arc_messages')
      .values({
        arc_id: message.arcId,
        id: message.id,
        role: 'learner',
        text: message.text,
        action: message.action,
        question_id: message.questionId,
        channel: message.channel,
        phase: arc.phase,
      })
      .onConflict((conflict) => conflict.columns(['arc_id', 'id']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (inserted) {
      await appendEvents(trx, message.arcId, [{ type: 'message', data: messageView(inserted) }])
      return { row: inserted, isNew: true }
    }
    const row = await trx
      .selectFrom('arc_messages')
      .selectAll()
      .where('arc_id', '=', message.arcId)
      .where('id', '=', message.id)
      .executeTakeFirstOrThrow()
    return { row, isNew: false }
  })
}

/** Messages in order, from the one after `after` on. */
export async function listMessages(
  db: DbOrTrx,
  arcId: string,
  options: { after?: string; limit: number },
): Promise<ArcMessage[]> {
  let query = db
    .selectFrom('arc_messages')
    .selectAll()
    .where('arc_id', '=', arcId)
    .orderBy('position')
    .limit(options.limit)
  if (options.after !== undefined) {
    query = query.where('position', '>', (sub) =>
      sub
        .selectFrom('arc_messages')
        .select(sql<string>`coalesce(max(position), 0)`.as('position'))
        .where('arc_id', '=', arcId)
        .where('id', '=', options.after ?? ''),
    )
  }
  return (await query.execute()).map(messageView)
}

/** The id of the last lesson or answer in the transcript, or null. */
export async function lastWrittenMessage(db: DbOrTrx, arcId: string): Promise<string | null> {
  const row = await db
    .selectFrom('arc_messages')
    .select('id')
    .where('arc_id', '=', arcId)
    .where('step_key', '~', '/(lesson|help):[^/]*$')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** How the turn of a learner's message stands: its number once taken, and what was answered in it. */
export async function readTurn(
  db: DbOrTrx,
  arcId: string,
  messageId: string,
): Promise<{ done: boolean; replies: ArcMessage[] } | null> {
  const message = await db
    .selectFrom('arc_messages')
    .select(['taken_at', 'turn'])
    .where('arc_id', '=', arcId)
    .where('id', '=', messageId)
    .executeTakeFirst()
  if (!message) return null
  if (message.taken_at === null || message.turn === null) return { done: false, replies: [] }
  const replies = await db
    .selectFrom('arc_messages')
    .selectAll()
    .where('arc_id', '=', arcId)
    .where('turn', '=', message.turn)
    .where('role', '<>', 'learner')
    .orderBy('position')
    .execute()
  return { done: true, replies: replies.map(messageView) }
}

/** Learner messages that no turn has taken up `olderThan`, with their arc still open. */
export async function waitingMessages(
  db: DbOrTrx,
  olderThan: Date,
): Promise<
  { arcId: string; id: string; questionId: string | null; channel: string; createdAt: Date }[]
> {
  const rows = await db
    .selectFrom('arc_messages')
    .innerJoin('arcs', 'arcs.id', 'arc_messages.arc_id')
    .select([
      'arc_messages.arc_id as arcId',
      'arc_messages.id as id',
      'arc_messages.question_id as questionId',
      'arc_messages.channel as channel',
      'arc_messages.created_at as createdAt',
    ])
    .where('arc_messages.role', '=', 'learner')
    .where('arc_messages.turn', 'is', null)
    .where('arc_messages.created_at', '<', olderThan)
    .orderBy('arc_messages.position')
    .limit(500)
    .execute()
  return rows
}
