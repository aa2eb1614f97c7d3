import { type Selectable, sql } from 'kysely'
import type { PracticeProblem } from '../contracts/practice.ts'
import type { DbOrTrx } from './database.ts'
import type { Database } from './schema.ts'

export type PracticeMessageRow = Selectable<Database['practice_messages']>

export interface NewMessage {
  sessionId: string
  /** The caller's id; unique in the session. */
  messageId: string
  text: string
  problem: PracticeProblem | null
}

/**
 * Stores a student's message, or finds the one of that id: the first text wins.
 * @returns null where the session is completed and the message is new: it takes no more
 */
export async function storePracticeMessage(
  db: DbOrTrx,
  message: NewMessage,
): Promise<PracticeMessageRow | null> {
  const find = () =>
    db
      .selectFrom('practice_messages')
      .selectAll()
      .where('session_id', '=', message.sessionId)
      .where('message_id', '=', message.messageId)
      .executeTakeFirst()
  const stored = await sql<PracticeMessageRow>`
    insert into practice_messages (session_id, message_id, text, problem)
    select session_id, ${message.messageId}, ${message.text},
           ${message.problem ? JSON.stringify(message.problem) : null}::jsonb
    from tutoring_sessions
    where session_id = ${message.sessionId} and status <> 'completed'
    on conflict (session_id, message_id) do nothing
    returning *
  `.execute(db)
  return stored.rows[0] ?? (await find()) ?? null
}

/** A message by its internal id. */
export async function readPracticeMessage(
  db: DbOrTrx,
  id: string,
): Promise<PracticeMessageRow | null> {
  const row = await db
    .selectFrom('practice_messages')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

/** A message that came too late for its session leaves no row. */
export async function dropUnanswered(db: DbOrTrx, id: string): Promise<void> {
  await db
    .deleteFrom('practice_messages')
    .where('id', '=', id)
    .where('answered_at', 'is', null)
    .execute()
}
