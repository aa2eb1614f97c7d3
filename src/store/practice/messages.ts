import { sql } from 'kysely'
import type { PracticeDebug, PracticeProblem, TurnResponse } from '../../contracts/practice.ts'
import type { DbOrTrx } from '../database.ts'

export interface NewMessage {
  /** The sender's id for it, unique in the session. */
  messageId: string
  text: string
  /** The problem that an old caller sends along. */
  problem: PracticeProblem | null
}

/**
 * Stores a student's message; the first text of an id stays. One that was withdrawn is sent again.
 * @returns whether it waits anew to be taken up
 */
export async function storeMessage(
  db: DbOrTrx,
  sessionId: string,
  { messageId, text, problem }: NewMessage,
): Promise<boolean> {
  const { rows } = await sql`
    insert into inbox (entity_id, id, type, payload)
    values (${sessionId}::uuid, ${messageId}, 'message', ${JSON.stringify({ text, problem })}::jsonb)
    on conflict (entity_id, id) do update set withdrawn_at = null, received_at = now()
      where inbox.withdrawn_at is not null
    returning position`.execute(db)
  return rows.length > 0
}

/** What became of a message. */
export type MessageOutcome =
  | { type: 'answered'; response: TurnResponse; debug: PracticeDebug | null }
  /** The session was over before the message was read. */
  | { type: 'closed' }
  /** A fault of ours: the message was set aside, or holds its session up. */
  | { type: 'failed' }

/** What became of a message; null as long as its turn is not done. */
export async function readOutcome(
  db: DbOrTrx,
  sessionId: string,
  messageId: string,
): Promise<MessageOutcome | null> {
  const row = await db
    .selectFrom('inbox')
    .innerJoin('entities', 'entities.id', 'entity_id')
    .select(['answer', 'taken_at', 'failure', 'fault'])
    .where('entity_id', '=', sessionId)
    .where('inbox.id', '=', messageId)
    .executeTakeFirst()
  if (!row) return null
  const answer = row.answer as { response?: TurnResponse; debug?: PracticeDebug | null } | null
  if (answer?.response) {
    return { type: 'answered', response: answer.response, debug: answer.debug ?? null }
  }
  if (answer) return { type: 'closed' }
  const isHeldUp = row.taken_at !== null && row.fault?.held === true
  return row.failure !== null || isHeldUp ? { type: 'failed' } : null
}

/** A message that came too late for its session leaves no row. */
export async function dropMessage(
  db: DbOrTrx,
  sessionId: string,
  messageId: string,
): Promise<void> {
  await db
    .deleteFrom('inbox')
    .where('entity_id', '=', sessionId)
    .where('id', '=', messageId)
    .execute()
}
