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
import {
  type MenoProcess,
  startMenoProcess,
  VICTIMS,
  type Victim,
} from '../support/meno-process.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { auditPractice, practise } from './practice-student.ts'

const ROUNDS = Number(process.env.MENO_CAMPAIGN_ROUNDS || 1)
const SESSIONS = 50
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
  const all = Promise.all(names.map(async (name) => [name, await practise(meno, name)] as const))
  await expect
    .poll(() => countTurns(meno), { timeout: 60_000, interval: 20 })
    .toBeGreaterThan(turnsBefore + SESSIONS / 2)
  await meno.kill(victim)
  if (victim === 'everything') await meno.start()
  await auditPractice(meno, new Map(await all))
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
