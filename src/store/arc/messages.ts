import type { Selectable } from 'kysely'
import { type CompiledQuery, sql } from 'kysely'
import type { ArcMessage, ArcPhase, MessageAction, Turn } from '../../contracts/arc.ts'
import type { WrittenKind } from '../../domain/arc/effects.ts'
import { type Db, type DbOrTrx, queryTogether } from '../database.ts'
import type { Database } from '../schema.ts'
import { CHANNEL } from '../spine/events.ts'
import { type ArcRow, type AskedRow, arcById, pendingQuestionView } from './arcs.ts'

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
  /** The concept that the action is about, if it names one. */
  nodeId?: string | null
  channel: string
  /** Whose arc it has to be; left out: anybody's. */
  learnerId?: string
}

const UNIQUE_VIOLATION = '23505'

/** A message after it was to be stored. */
export interface StoredMessage {
  /** The arc as it is now; null if there is none. */
  arc: ArcRow | null
  /** Null where nothing was stored: no such arc, not that learner's, closed, or about no concept of its map. */
  row: MessageRow | null
  isNew: boolean
}

/** Stores a learner's message to an open arc, as an input and in the transcript. The first text of an id wins. */
export async function storeMessage(db: Db, message: IncomingMessage): Promise<StoredMessage> {
  try {
    const read = arcById(db, message.arcId).compile()
    const [[inserted], [arc = null]] = await queryTogether(db, insertMessage(db, message), read)
    if (inserted) return { arc, row: inserted, isNew: true }
    return { arc, row: await findMessage(db, message), isNew: false }
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

/** Gives the row, or none where there is one of that id, no such arc that is open, or no such concept in its map. */
function insertMessage(
  db: Db,
  { arcId, id, text, action, questionId, nodeId, channel, learnerId }: IncomingMessage,
): CompiledQuery<MessageRow> {
  const payload = JSON.stringify({ text, action, questionId, nodeId, channel })
  return sql<MessageRow>`
    with entity as (
      update entities set last_event = last_event + 1
      where id = ${arcId}::uuid and not is_over
        and coalesce(learner_id = ${learnerId ?? null}::uuid, true)
        and not exists (select from arc_messages where arc_id = ${arcId}::uuid and id = ${id})
        and (${nodeId ?? null}::uuid is null or exists (
          select from mind_map_nodes node join arcs using (mind_map_id)
          where arcs.id = ${arcId}::uuid and node.id = ${nodeId ?? null}::uuid))
      returning id, last_event),
    input as (
      insert into inbox (entity_id, id, type, payload)
      select entity.id, ${id}, 'message', ${payload}::jsonb from entity),
    message as (
      insert into arc_messages (arc_id, id, role, text, action, question_id, channel, phase)
      select arcs.id, ${id}, 'learner', ${text}, ${action}, ${questionId}::uuid, ${channel}, arcs.phase
      from arcs join entity using (id) returning *),
    event as (
      insert into events (stream, seq, type, data)
      select entity.id::text, entity.last_event, 'message', jsonb_strip_nulls(jsonb_build_object(
        'id', message.id, 'role', message.role, 'text', message.text,
        'questionId', message.question_id, 'phase', message.phase,
        'createdAt', to_char(message.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
      from entity, message)
    select message.*,
      pg_notify(${CHANNEL}, jsonb_build_object('stream', entity.id, 'seq', entity.last_event, 'answered', '[]'::jsonb)::text)
        as announced
    from entity, message`.compile(db)
}

export interface MessagePage {
  limit: number
  /** The first ones after this message; all there is none of, from the beginning. */
  after?: string | undefined
  /** The last ones before this message; empty: the last of all. */
  before?: string | undefined
}

/** A page of the transcript, oldest first. */
export async function listMessages(
  db: DbOrTrx,
  arcId: string,
  { limit, after, before }: MessagePage,
): Promise<ArcMessage[]> {
  const place = (id: string) =>
    sql<string>`(select max(position) from arc_messages where arc_id = ${arcId} and id = ${id})`
  let query = db.selectFrom('arc_messages').selectAll().where('arc_id', '=', arcId).limit(limit)
  if (after !== undefined) {
    query = query.where('position', '>', sql<string>`coalesce(${place(after)}, 0)`)
  }
  if (before === undefined) return (await query.orderBy('position').execute()).map(messageView)
  if (before !== '') query = query.where('position', '<', place(before))
  const rows = await query.orderBy('position', 'desc').execute()
  return rows.reverse().map(messageView)
}

/** What wrote the last lesson or answer in the transcript. */
export interface WrittenMessage {
  messageId: string
  kind: WrittenKind
  nodeId: string | null
  /** The learner's message that it answers. */
  asked: string | null
}

/** The last lesson or answer in the transcript, or null. */
export async function lastWrittenMessage(
  db: DbOrTrx,
  arcId: string,
): Promise<WrittenMessage | null> {
  // Of a step that the learner stopped no answer is kept; older messages have no such card.
  const kind = sql<string>`coalesce(message.card ->> 'kind', step.kind)`
  const row = await db
    .selectFrom('arc_messages as message')
    .leftJoin('model_steps as step', 'step.step_key', 'message.step_key')
    .select(['message.id', kind.as('kind'), 'step.input', 'message.node_id', 'message.turn'])
    .select((message) =>
      message
        .selectFrom('arc_messages as asked')
        .select('asked.id')
        .where('asked.arc_id', '=', arcId)
        .where('asked.role', '=', 'learner')
        .whereRef('asked.turn', '=', 'message.turn')
        .limit(1)
        .as('asked'),
    )
    .where('message.arc_id', '=', arcId)
    .where(kind, 'in', ['lesson', 'help'])
    .orderBy('message.position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const input = (row.input ?? {}) as { nodeId?: string; messageId?: string }
  return {
    messageId: row.id,
    kind: row.kind as WrittenMessage['kind'],
    nodeId: input.nodeId ?? row.node_id,
    asked: input.messageId ?? row.asked,
  }
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
    .leftJoin('inbox', (join) =>
      join.onRef('inbox.entity_id', '=', 'asked.arc_id').onRef('inbox.id', '=', 'asked.id'),
    )
    .leftJoin('arc_questions as open', 'open.id', 'arcs.pending_question')
    .leftJoin('arc_messages as reply', (join) =>
      join
        .onRef('reply.arc_id', '=', 'asked.arc_id')
        .onRef('reply.turn', '=', 'asked.turn')
        .on('reply.role', '<>', 'learner'),
    )
    .selectAll('reply')
    .select((row) => [
      // Messages from before there was an inbox are answered.
      sql<boolean>`inbox.id is null or inbox.answered_at is not null`.as('done'),
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
    done: first.done,
    replies: replies.map(messageView),
    phase: first.phase_now as ArcPhase,
    pendingQuestion: first.open && pendingQuestionView(first.open as AskedRow),
  }
}
