import { sql } from 'kysely'
import type { PracticeProblem } from '../contracts/practice.ts'
import type { DbOrTrx } from './database.ts'
import type { StoredProblem } from './practice-sessions.ts'

/** The texts of a session that a commit needs, as they are stored. */
export interface StoredTexts {
  session: { externalId: string; studentId: string; arcId: string | null }
  problems: StoredProblem[]
  /** What students wrote, by internal message id. */
  said: Map<string, string>
  /** The problem that the message of the commit brought. */
  brought: PracticeProblem | null
  /** Outputs of model steps by key. */
  steps: Map<string, unknown>
}

interface Row {
  external_id: string
  student_id: string
  arc_id: string | null
  problems: StoredProblem[] | null
  messages: { id: string; text: string; problem: PracticeProblem | null }[] | null
  steps: { key: string; output: unknown }[] | null
}

/**
 * Reads them in one query.
 * @throws Error where the session is gone
 */
export async function readStoredTexts(
  db: DbOrTrx,
  wanted: { sessionId: string; messageIds: string[]; stepKeys: string[] },
): Promise<StoredTexts> {
  const { sessionId, messageIds, stepKeys } = wanted
  const { rows } = await sql<Row>`
    select session.external_session_id as external_id, session.student_id, session.arc_id,
      (select json_agg(json_build_object('id', problem_id, 'text', problem_text,
                'correct_answer', correct_answer, 'answer_key', answer_key,
                'hints', hints, 'tags', tags) order by problem_index)
       from problem_attempts where session_id = ${sessionId}) as problems,
      (select json_agg(json_build_object('id', id, 'text', text, 'problem', problem))
       from practice_messages where id = any(${messageIds}::uuid[])) as messages,
      (select json_agg(json_build_object('key', step_key, 'output', output))
       from model_steps where step_key = any(${stepKeys}::text[])) as steps
    from tutoring_sessions session where session_id = ${sessionId}
  `.execute(db)
  const [row] = rows
  if (!row) throw new Error(`there is no session ${sessionId}`)
  const messages = row.messages ?? []
  return {
    session: { externalId: row.external_id, studentId: row.student_id, arcId: row.arc_id },
    problems: row.problems ?? [],
    said: new Map(messages.map((message) => [message.id, message.text])),
    brought: messages.find(({ id }) => id === messageIds[0])?.problem ?? null,
    steps: new Map((row.steps ?? []).map((step) => [step.key, step.output])),
  }
}
