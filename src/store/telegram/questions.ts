import { sql } from 'kysely'
import type { DbOrTrx } from '../database.ts'

/** A question that was asked of this learner. */
export interface AskedQuestion {
  arcId: string
  options: { id: string; text: string }[]
  /** Whether it is what its arc waits for. */
  isOpen: boolean
  /** How many of its hints have been given. */
  hintsGiven: number
}

/** A question that was asked of this learner, by which its arc is found; null where there is none. */
export async function askedQuestion(
  db: DbOrTrx,
  learnerId: string,
  questionId: string,
): Promise<AskedQuestion | null> {
  const row = await db
    .selectFrom('arc_questions as question')
    .innerJoin('arcs', 'arcs.id', 'question.arc_id')
    .select(['question.arc_id as arcId', 'question.options', 'question.hints_given'])
    .select(sql<boolean>`arcs.pending_question is not distinct from question.id`.as('isOpen'))
    .where('question.id', '=', questionId)
    .where('arcs.learner_id', '=', learnerId)
    .executeTakeFirst()
  if (!row) return null
  const { arcId, options, isOpen, hints_given: hintsGiven } = row
  return { arcId, options: options ?? [], isOpen, hintsGiven }
}

/** Two taps within this time are one. */
const DOUBLE_TAP_MS = 1_500

/** Whether just these words were said to the question a moment ago: a finger taps faster than a hint comes. */
export async function isJustSaid(
  db: DbOrTrx,
  question: { id: string; arcId: string },
  text: string,
): Promise<boolean> {
  const said = await db
    .selectFrom('arc_messages')
    .select('id')
    .where('arc_id', '=', question.arcId)
    .where('question_id', '=', question.id)
    .where('role', '=', 'learner')
    .where('text', '=', text)
    .where(sql<boolean>`created_at > now() - ${DOUBLE_TAP_MS} * interval '1 millisecond'`)
    .executeTakeFirst()
  return said !== undefined
}

/** Whether an option of the question was chosen already, by another message than this one. */
export async function isChosen(
  db: DbOrTrx,
  question: { id: string; arcId: string; options: readonly { id: string }[] },
  messageId: string,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from arc_messages message
      join inbox on inbox.entity_id = message.arc_id and inbox.id = message.id
      where message.arc_id = ${question.arcId}::uuid and message.question_id = ${question.id}::uuid
        and message.role = 'learner' and message.id <> ${messageId}
        and message.text = any(${question.options.map(({ id }) => id)})
        and inbox.failure is null and inbox.withdrawn_at is null) as found`.execute(db)
  return rows[0]?.found ?? false
}
