import type { SessionTurns } from '../../contracts/practice.ts'
import type { DbOrTrx } from '../database.ts'

/** What was said in a session, oldest first. */
export async function sessionTurns(db: DbOrTrx, sessionId: string): Promise<SessionTurns> {
  const first = await db
    .selectFrom('problem_attempts')
    .select(['problem_id as id', 'problem_text as text'])
    .where('session_id', '=', sessionId)
    .orderBy('problem_index')
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('conversation_turns')
    .select(['turn', 'message_id', 'problem_id', 'student_message', 'tutor_response'])
    .select(['category', 'timestamp'])
    .where('session_id', '=', sessionId)
    .orderBy('turn')
    .execute()
  const items = rows.map(({ timestamp, ...turn }) => ({
    ...turn,
    timestamp: timestamp.toISOString(),
  }))
  return { items, first_problem: first }
}
