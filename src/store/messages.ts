import type { Selectable } from 'kysely'
import { type CompiledQuery, sql } from 'kysely'
import type { ArcMessage, ArcPhase, MessageAction, Turn } from '../contracts/arc.ts'
import { type ArcRow, type AskedRow, arcById, pendingQuestionView } from './arcs.ts'
import { type Db, type DbOrTrx, queryTogether } from './database.ts'
import { ARC_CHANNEL } from './events.ts'
import type { Database } from './schema.ts'

type MessageRow = Selectable<Database['arc_messages']>

/** The parts of a stored message that the API shows. */
export type ViewedMessage = Pick<
  MessageRow,
  | ('id' | 'role' | 'text' | 'card' | 'node_id')
  | ('question_id' | 'replaces' | 'phase' | 'created_at')
>

/** A stored message as the API shows it. */
export function messageView(row: ViewedMessage): ArcMessage {
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
  /** Whose arc it has to be; left out: anybody's. */
  learnerId?: string
}

const UNIQUE_VIOLATION = '23505'

/** Where an arc stood when a message was stored: its turns so far, and what it asks. */
export interface Standing {
  turns: number
  open: Pick<Selectable<Database['arc_questions']>, 'id' | 'text' | 'options' | 'answer_key'> | null
}

/** A message after it was to be stored. */
export interface StoredMessage {
  /** The arc as it is now; null if there is none. */
  arc: ArcRow | null
  /** Null where nothing was stored: no such arc, not that learner's, or closed. */
  row: MessageRow | null
  /** Null where a message of that id was stored before. */
  standing: Standing | null
}

/** Stores a learner's message to an open arc, and its event, in one statement. The first text of an id wins. */
export async function storeMessage(db: Db, message: IncomingMessage): Promise<StoredMessage> {
  try {
    const read = arcById(db, message.arcId).compile()
    const [[inserted], [arc = null]] = await queryTogether(db, insertMessage(db, message), read)
    if (!inserted) return { arc, row: await findMessage(db, message), standing: null }
    const { turns, open, ...row } = inserted
    return { arc, row, standing: { turns, open } }
  } catch (error) {
    // The same message came twice at once.
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) return storeMessage(db, message)
    throw error
  }
}

async function findMessage(
  db: Db,
  { arcId, id }: { arcId: string; id: string },
): Promise<MessageRow | null> {
  const row = await db
    .selectFrom('arc_messages')
    .selectAll()
    .where('arc_id', '=', arcId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** Gives the row, or none where there is one of that id, or no such arc. */
function insertMessage(
  db: Db,
  { arcId, id, text, action, questionId, channel, learnerId }: IncomingMessage,
): CompiledQuery<MessageRow & Standing> {
  return sql<MessageRow & Standing>`
    with arc as (
      update arcs set last_event = last_event + 1
      where id = ${arcId} and phase not in ('COMPLETED', 'ABANDONED')
        and coalesce(learner_id = ${learnerId ?? null}::uuid, true)
        and not exists (select from arc_messages where arc_id = ${arcId} and id = ${id})
      returning id, phase, last_event, pending_question, snapshot),
    message as (
      insert into arc_messages (arc_id, id, role, text, action, question_id, channel, phase)
      select arc.id, ${id}, 'learner', ${text}, ${action}, ${questionId}::uuid, ${channel}, arc.phase
      from arc returning *),
    event as (
      insert into arc_events (arc_id, seq, type, data)
      select arc.id, arc.last_event, 'message', jsonb_strip_nulls(jsonb_build_object(
        'id', message.id, 'role', message.role, 'text', message.text,
        'questionId', message.question_id, 'phase', message.phase,
        'createdAt', to_char(message.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from arc, message)
    select message.*,
      pg_notify(${ARC_CHANNEL}, jsonb_build_object('arcId', arc.id, 'seq', arc.last_event)::text)
        as announced,
      coalesce((arc.snapshot->>'turn')::int, 0) as turns,
      (select to_json(open) from (
        select id, text, options, answer_key from arc_questions where id = arc.pending_question
      ) as open) as open
    from arc, message`.compile(db)
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

/**
 * How the turn of a learner's message stands: what was answered in it, and where the arc is now, read at one moment.
 * @returns null if there is no such message
 */
export async function readTurn(
  db: Db,
  arcId: string,
  messageId: string,
): Promise<(Omit<Turn, 'messageId'> & { done: boolean }) | null> {
  const read = db
    .selectFrom('arc_messages as asked')
    .innerJoin('arcs', 'arcs.id', 'asked.arc_id')
    .leftJoin('arc_questions as open', 'open.id', 'arcs.pending_question')
    .leftJoin('arc_messages as reply', (join) =>
      join
        .onRef('reply.arc_id', '=', 'asked.arc_id')
        .onRef('reply.turn', '=', 'asked.turn')
        .on('reply.role', '<>', 'learner'),
    )
    .selectAll('reply')
    .select((row) => [
      'asked.taken_at as answered_at',
      'arcs.phase as phase_now',
      row.fn.toJson('open').as('open'),
    ])
    .where('asked.arc_id', '=', arcId)
    .where('asked.id', '=', messageId)
    .orderBy('reply.position')
  const [rows] = await queryTogether(db, read.compile())
  const [first] = rows
  if (!first) return null
  const replies = rows.filter((row) => row.id !== null) as MessageRow[]
  return {
    done: first.answered_at !== null,
    replies: replies.map(messageView),
    phase: first.phase_now as ArcPhase,
    pendingQuestion: first.open && pendingQuestionView(first.open as AskedRow),
  }
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
