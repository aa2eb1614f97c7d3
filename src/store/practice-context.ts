import { keyOf } from '../domain/practice/key-of.ts'
import type { MessageView } from '../domain/practice/message-view.ts'
import type { MessageToRead } from '../domain/practice/read-message.ts'
import type { PracticeState } from '../domain/practice/session.ts'
import type { DbOrTrx } from './database.ts'
import { readPracticeMessage } from './practice-messages.ts'

export interface MessageContext {
  message: MessageToRead
  correctAnswer: string
  tags: string[]
  hints: string[]
  scaffoldExpected: string | null
  /** When the message was received, UTC ms. */
  at: number
  answered: boolean
  /** The id of the problem that the message brought, where the session does not have it yet. */
  appends: string | null
}

/** A message with the problem it is about; null if there is no such message. */
export async function readMessageContext(
  db: DbOrTrx,
  view: MessageView,
): Promise<MessageContext | null> {
  const row = await readPracticeMessage(db, view.messageId)
  if (!row) return null
  const problems = await db
    .selectFrom('problem_attempts')
    .selectAll()
    .where('session_id', '=', view.sessionId)
    .where((where) =>
      where.or([
        where('problem_index', '=', view.problemIndex),
        ...(row.problem ? [where('problem_id', '=', row.problem.id)] : []),
      ]),
    )
    .execute()
  const common = { at: row.received_at.getTime(), answered: row.answered_at !== null }
  const brought = row.problem
  if (brought && !problems.some((problem) => problem.problem_id === brought.id)) {
    const problem = { text: brought.text, key: keyOf(brought.correct_answer) }
    return {
      ...common,
      message: { text: row.text, mode: 'answer', invited: false, problem, scaffold: null },
      correctAnswer: brought.correct_answer,
      tags: brought.tags,
      hints: brought.hints,
      scaffoldExpected: null,
      appends: brought.id,
    }
  }
  const problem = problems.find(({ problem_index }) => problem_index === view.problemIndex)
  const question = view.asked ? (problem?.scaffold_question ?? null) : null
  const expected = question === null ? null : (problem?.scaffold_expected ?? null)
  return {
    ...common,
    message: {
      text: row.text,
      mode: view.mode,
      invited: view.invited,
      problem: problem ? { text: problem.problem_text, key: keyOf(problem.correct_answer) } : null,
      scaffold:
        question === null ? null : { question, key: expected === null ? null : keyOf(expected) },
    },
    correctAnswer: problem?.correct_answer ?? '',
    tags: problem?.tags ?? [],
    hints: problem?.hints ?? [],
    scaffoldExpected: expected,
    appends: null,
  }
}

/** The turns that the tutor remembers, with their texts. */
export async function readMemory(
  db: DbOrTrx,
  sessionId: string,
  memory: PracticeState['memory'],
): Promise<{ student: string; tutor: string; previous: boolean }[]> {
  if (memory.length === 0) return []
  const rows = await db
    .selectFrom('conversation_turns')
    .select(['turn', 'student_message', 'tutor_response'])
    .where('session_id', '=', sessionId)
    .where(
      'turn',
      'in',
      memory.map(({ turn }) => turn),
    )
    .execute()
  const byTurn = new Map(rows.map((row) => [row.turn, row]))
  return memory.flatMap(({ turn, previous }) => {
    const row = byTurn.get(turn)
    return row ? [{ student: row.student_message, tutor: row.tutor_response, previous }] : []
  })
}
