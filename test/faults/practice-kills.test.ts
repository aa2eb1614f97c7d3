import { setTimeout as sleep } from 'node:timers/promises'
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFailed,
  onTestFinished,
  type TestContext,
  test,
} from 'vitest'
import type { TurnResponse } from '../../src/contracts/practice.ts'
import {
  type MenoProcess,
  startMenoProcess,
  VICTIMS,
  type Victim,
} from '../support/meno-process.ts'
import { startScriptedModel } from '../support/scripted-model.ts'

const ROUNDS = Number(process.env.MENO_CAMPAIGN_ROUNDS || 1)
const SESSIONS = 50
/** Wrong, then right, then explained: one problem, three turns. */
const MESSAGES = ['9', '2', 'because I counted five steps up from minus three']

/** Posts until it is answered: what a caller does, with the same id again and again. */
async function post<T>(meno: MenoProcess, path: string, body: object): Promise<T> {
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

async function practise(meno: MenoProcess, name: string): Promise<TurnResponse[]> {
  const session_id = `session-${name}`
  const student_id = `student-${name}`
  const session = { session_id, student_id, question_set_id: 'algebra_basics_set_1' }
  await post(meno, '/sessions', { ...session, problem_ids: ['p1', 'p2'] })
  const turns: TurnResponse[] = []
  for (const [index, message] of MESSAGES.entries()) {
    const body = { session_id, student_id, message, message_id: `m${index}` }
    turns.push(await post(meno, '/webhook/tutor/message', body))
  }
  return turns
}

async function countTurns(meno: MenoProcess): Promise<number> {
  const [row] = await meno.rows<{ count: number }>(
    'select count(*)::int as count from conversation_turns',
  )
  return row?.count ?? 0
}

async function killInTheMiddle(
  meno: MenoProcess,
  victim: Victim,
  { meta }: TestContext['task'],
  round = 1,
): Promise<void> {
  onTestFailed(() => console.log(meno.log()))
  const turnsBefore = await countTurns(meno)
  const names = Array.from({ length: SESSIONS }, (_, number) => `${victim}-${round}-${number}`)
  const all = Promise.all(names.map((name) => practise(meno, name)))
  await expect
    .poll(() => countTurns(meno), { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(turnsBefore + SESSIONS / 2)
  await meno.kill(victim)
  if (victim === 'everything') await meno.start()
  const answered = await all
  for (const turns of answered) {
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
    [names.map((name) => `session-${name}`)],
  )
  expect(stored).toHaveLength(SESSIONS)
  for (const row of stored) {
    expect(row).toMatchObject({ problems_completed: 1, attempt_count: 2, turns: 3 })
  }
  meta.counted = { kills: 1, sessions: SESSIONS }
}

describe('one Meno', () => {
  let meno: MenoProcess

  beforeAll(async () => {
    meno = await startMenoProcess()
  }, 180_000)
  afterAll(() => meno?.remove())

  const kills = Array.from({ length: ROUNDS }, (_, round) => round + 1).flatMap((round) =>
    VICTIMS.map((victim) => [victim, round] as const),
  )
  test.for(kills)(
    `%s killed in the middle of ${SESSIONS} sessions (round %i): every turn counts once and is answered`,
    { timeout: 240_000 },
    ([victim, round], { task }) => killInTheMiddle(meno, victim, task, round),
  )
})

test('so it is with a model', async ({ task }) => {
  const model = await startScriptedModel()
  model.answer('other', () => ({
    is_answer: false,
    category: 'teach_back_explanation',
    extracted_value: null,
    confidence: 1,
    reasoning: '',
  }))
  model.answer('help', () => 'Well said.')
  onTestFinished(() => model.close())
  const meno = await startMenoProcess({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
    MENO_LLM_CONCURRENCY: '20',
  })
  onTestFinished(() => meno.remove())
  await killInTheMiddle(meno, 'worker', task)
}, 240_000)
