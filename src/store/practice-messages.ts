import { type Selectable, sql } from 'kysely'
import type { PracticeProblem } from '../contracts/practice.ts'
import type { DbOrTrx } from './database.ts'
import type { Database } from './schema.ts'

export type PracticeMessageRow = Selectable<Database['practice_messages']>

export interface NewMessage {
  /** Whose session it is: an integration's, or Meno's own. */
  integrationId: string | null
  /** The caller's ids for the session and the message; the latter is unique in the session. */
  externalSessionId: string
  messageId: string
  studentId: string | null
  /** The learner in whose arcs the caller may practise; null for those who may look at everybody's. */
  learnerId: string | null
  text: string
  problem: PracticeProblem | null
}

export interface ReceivedMessage {
  sessionId: string
  /** Whether it is a session of another student, or in the arc of another learner. */
  isOthers: boolean
  /** Null where the message was not taken: its session is completed, or another student's. */
  message: Pick<PracticeMessageRow, 'id' | 'response' | 'debug'> | null
}

/**
 * Stores a student's message, or finds the one of that id: the first text wins. A problem is kept for implicit
 * sessions only. A session that an arc has started is its learner's, whatever student is named.
 * @returns null where there is no such session
 */
export async function receiveMessage(
  db: DbOrTrx,
  message: NewMessage,
): Promise<ReceivedMessage | null> {
  const { rows } = await sql<{
    session_id: string
    is_others: boolean
    id: string | null
    response: PracticeMessageRow['response']
    debug: PracticeMessageRow['debug']
  }>`
    with session as (
      select session_id, status, implicit,
        case when arc_id is null then student_id <> coalesce(${message.studentId}, student_id)
             else arcs.learner_id <> coalesce(${message.learnerId}::uuid, arcs.learner_id) end as is_others
      from tutoring_sessions left join arcs on arcs.id = arc_id
      where integration_id is not distinct from ${message.integrationId}::uuid
        and external_session_id = ${message.externalSessionId}
    ),
    stored as (
      insert into practice_messages (session_id, message_id, text, problem)
      select session_id, ${message.messageId}, ${message.text},
             case when implicit
               then ${message.problem ? JSON.stringify(message.problem) : null}::jsonb end
      from session
      where status <> 'completed' and not is_others
      on conflict (session_id, message_id) do nothing
      returning id
    )
    select session.session_id, session.is_others,
           coalesce(stored.id, known.id) as id, known.response, known.debug
    from session
    left join stored on true
    left join practice_messages known
      on known.session_id = session.session_id and known.message_id = ${message.messageId}
  `.execute(db)
  const [row] = rows
  if (!row) return null
  const { session_id, is_others, id, response, debug } = row
  return {
    sessionId: session_id,
    isOthers: is_others,
    message: id === null ? null : { id, response, debug },
  }
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
