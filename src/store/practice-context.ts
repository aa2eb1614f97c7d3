import { sql } from 'kysely'
import type { PracticeProblem } from '../contracts/practice.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import { keyOf, keyOfProblem } from '../domain/practice/key-of.ts'
import type { MessageView } from '../domain/practice/message-view.ts'
import type { MessageToRead } from '../domain/practice/read-message.ts'
import type { PracticeState } from '../domain/practice/session.ts'
import type { DbOrTrx } from './database.ts'

export interface MessageContext {
  message: MessageToRead
  correctAnswer: string
  hints: string[]
  scaffoldExpected: string | null
  /** When the message was received, UTC ms. */
  at: number
  answered: boolean
  /** The id of the problem that the message brought, where the session does not have it yet. */
  appends: string | null
}

interface Row {
  text: string
  brought: PracticeProblem | null
  received_at: Date
  is_answered: boolean
  problems:
    | (PracticeProblem & {
        index: number
        answer_key: AnswerKey | null
        scaffold_question: string | null
        scaffold_expected: string | null
      })[]
    | null
}

/** A message with the problem it is about; null if there is no such message. */
export async function readMessageContext(
  db: DbOrTrx,
  view: MessageView,
): Promise<MessageContext | null> {
  const { rows } = await sql<Row>`
    select message.text, message.problem as brought, message.received_at,
      message.answered_at is not null as is_answered,
      (select json_agg(json_build_object('index', problem_index, 'id', problem_id,
                'text', problem_text, 'correct_answer', correct_answer, 'answer_key', answer_key, 'hints', hints,
                'tags', tags,
                'scaffold_question', scaffold_question, 'scaffold_expected', scaffold_expected))
       from problem_attempts problem
       where problem.session_id = message.session_id
         and (problem_index = ${view.problemIndex} or problem_id = message.problem ->> 'id')) as problems
    from practice_messages message where message.id = ${view.messageId}
  `.execute(db)
  const [row] = rows
  if (!row) return null
  const problems = row.problems ?? []
  const common = { at: row.received_at.getTime(), answered: row.is_answered }
  const { brought } = row
  if (brought && !problems.some((problem) => problem.id === brought.id)) {
    const problem = { text: brought.text, key: keyOf(brought.correct_answer) }
    return {
      ...common,
      message: { text: row.text, mode: 'answer', invited: false, problem, scaffold: null },
      correctAnswer: brought.correct_answer,
      hints: brought.hints,
      scaffoldExpected: null,
      appends: brought.id,
    }
  }
  const problem = problems.find(({ index }) => index === view.problemIndex)
  const question = view.asked ? (problem?.scaffold_question ?? null) : null
  const expected = question === null ? null : (problem?.scaffold_expected ?? null)
  return {
    ...common,
    message: {
      text: row.text,
      mode: view.mode,
      invited: view.invited,
      problem: problem ? { text: problem.text, key: keyOfProblem(problem) } : null,
      scaffold:
        question === null ? null : { question, key: expected === null ? null : keyOf(expected) },
    },
    correctAnswer: problem?.correct_answer ?? '',
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
