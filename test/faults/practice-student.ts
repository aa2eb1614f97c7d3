import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { TurnResponse } from '../../src/contracts/practice.ts'
import type { MenoProcess } from '../support/meno-process.ts'

/** Wrong, then right, then explained: one problem, three turns. */
const MESSAGES = ['9', '2', 'because I counted five steps up from minus three']

/** Posts until it is answered: what a caller does, with the same id again and again. */
export async function post<T>(meno: MenoProcess, path: string, body: object): Promise<T> {
  for (;;) {
    const response = await fetch(`${meno.url()}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(15_000),
    }).catch(() => null)
    const isOver = response && response.status < 500
    if (isOver && !response.ok && response.status !== 409) {
      throw new Error(`${path}: ${response.status} ${await response.text()}`)
    }
    const answer = isOver ? await response.json().catch(() => null) : null
    if (answer) return answer as T
    await sleep(200)
  }
}

/** A question set with problems of its own, so that no prompt is like another's; its id. */
export async function newQuestionSet(meno: MenoProcess, name: string): Promise<string> {
  const problem = (id: string) => ({
    ...{ id, text: `What is -3 + 5? (${name}, ${id})`, correct_answer: '2' },
    hints: ['Start at -3 and count up.'],
  })
  const question_set_id = `set-${name}`
  await post(meno, '/question-sets', { question_set_id, problems: ['p1', 'p2'].map(problem) })
  return question_set_id
}

/** One session of a student, to its third turn. */
export async function practise(
  meno: MenoProcess,
  name: string,
  question_set_id = 'algebra_basics_set_1',
): Promise<TurnResponse[]> {
  const session_id = `session-${name}`
  const student_id = `student-${name}`
  const session = { session_id, student_id, question_set_id }
  await post(meno, '/sessions', { ...session, problem_ids: ['p1', 'p2'] })
  const turns: TurnResponse[] = []
  for (const [index, message] of MESSAGES.entries()) {
    const body = { session_id, student_id, message, message_id: `m${index}` }
    turns.push(await post(meno, '/webhook/tutor/message', body))
  }
  return turns
}

/** Every session was answered as it should be, and is stored so: three turns, two tries, one problem completed. */
export async function auditPractice(
  meno: MenoProcess,
  sessions: ReadonlyMap<string, TurnResponse[]>,
): Promise<void> {
  for (const turns of sessions.values()) {
    expect(turns.map(({ category }) => category)).toEqual([
      'wrong_operation',
      'correct',
      'teach_back_explanation',
    ])
    expect(turns[2]?.session_status).toMatchObject({ action: 'ADVANCE', current_problem_index: 1 })
  }
  const stored = await meno.rows(
    `select session.external_session_id, session.problems_completed, problem.attempt_count,
            (select count(*)::int from conversation_turns turn
             where turn.session_id = session.session_id) as turns
     from tutoring_sessions session join problem_attempts problem using (session_id)
     where problem.problem_index = 0 and session.external_session_id = any($1)`,
    [[...sessions.keys()].map((name) => `session-${name}`)],
  )
  expect(stored).toHaveLength(sessions.size)
  for (const row of stored) {
    expect(row).toMatchObject({ problems_completed: 1, attempt_count: 2, turns: 3 })
  }
}
