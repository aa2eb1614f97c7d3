import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { TurnResponse } from '../src/contracts/practice.ts'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'
import { startScriptedModel } from '../test/support/scripted-model.ts'
import { type BareStack, startBareStack } from './support/bare-stack.ts'
import { median, quantile, tableLine, timed } from './support/statistics.ts'

const TURNS = 170
const WARM_UP = 20
const SESSIONS = 50
const TURNS_OF_A_SESSION = 6
const REST_MS = 50
/** Of the median, by model steps. */
const LIMITS = ['1.40', '1.10', '1.15']

/** By the model steps a message needs: code judges the first, the second has to be read by the model. */
const MESSAGES: Record<1 | 2, string> = { 1: '99', 2: 'hm, what I would go for here is 99 or so' }

/**
 * What a turn of a practice session costs, from request to answer, against a bare Temporal turn with as many regular
 * activities and one local one, on the same servers and with the same worker settings; then fifty sessions at once
 * against fifty bare workflows. The model answers at once. Prints the ratios.
 */
export async function run(): Promise<void> {
  const model = await startScriptedModel()
  model.answer('other', () => ({
    is_answer: true,
    category: 'answer',
    extracted_value: '99',
    confidence: 1,
    reasoning: '',
  }))
  model.answer('help', () => 'Not yet: look at the signs once more.')
  const offline = await startMenoProcess()
  const meno = await startMenoProcess({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  })
  const bareOffline = await startBareStack(offline)
  const bare = await startBareStack(meno)
  try {
    console.log(
      '\nA turn of a practice session against a bare Temporal turn, from request to answer',
    )
    console.log(tableLine('model steps', ['turns', 'p50 ratio', 'p95 ratio', 'limit']))
    const medians = [await compare(offline, bareOffline, 0, MESSAGES[1])]
    for (const steps of [1, 2] as const) {
      const before = model.calls.length
      medians.push(await compare(meno, bare, steps, MESSAGES[steps]))
      const asked = (model.calls.length - before) / TURNS
      if (asked !== steps) throw new Error(`a turn asked the model ${asked} times, not ${steps}`)
    }
    console.log(`(p50 on this machine: ${medians.join(', ')})`)
    console.log(`\n${SESSIONS} practice sessions at once against as many bare workflows`)
    console.log(tableLine('model steps', ['turns', 'rate ratio', 'limit']))
    await parallel(offline, bareOffline, 0)
    await parallel(meno, bare, 1)
  } finally {
    await Promise.all([bare.end(), bareOffline.end()])
    await Promise.all([meno.remove(), offline.remove()])
    await model.close()
  }
}

/** Turns of the two in random order, each after a rest: what an answer leaves to be done is not charged to the next. */
async function compare(meno: MenoProcess, bare: BareStack, steps: number, message: string) {
  const say = await beginSession(meno)
  const { turn: take } = await bare.begin()
  const own: number[] = []
  const others: number[] = []
  const rested = async (turn: () => Promise<unknown>) => {
    await pause(REST_MS)
    const [, ms] = await timed(turn)
    return ms
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    const isOwnFirst = Math.random() < 0.5
    let practice = isOwnFirst ? await rested(() => say(message)) : 0
    const other = await rested(() => take(steps))
    if (!isOwnFirst) practice = await rested(() => say(message))
    if (turn < WARM_UP) continue
    own.push(practice)
    others.push(other)
  }
  const ratio = (share: number) => (quantile(own, share) / quantile(others, share)).toFixed(2)
  console.log(tableLine(String(steps), [own.length, ratio(0.5), ratio(0.95), LIMITS[steps] ?? '']))
  return `${median(own).toFixed(1)} ms to ${median(others).toFixed(1)} ms`
}

/** Practice and bare rounds take turns, so that what slows the machine down slows both. */
async function parallel(meno: MenoProcess, bare: BareStack, steps: number): Promise<void> {
  const count = { length: SESSIONS }
  const says = await Promise.all(Array.from(count, () => beginSession(meno)))
  const bares = await Promise.all(Array.from(count, () => bare.begin()))
  let practiceMs = 0
  let bareMs = 0
  for (let turn = 0; turn <= TURNS_OF_A_SESSION; turn += 1) {
    const [, practice] = await timed(() => Promise.all(says.map((say) => say(MESSAGES[1]))))
    const [, other] = await timed(() => Promise.all(bares.map(({ turn: take }) => take(steps))))
    if (turn === 0) continue
    practiceMs += practice
    bareMs += other
  }
  const turns = SESSIONS * TURNS_OF_A_SESSION
  console.log(tableLine(String(steps), [turns, (bareMs / practiceMs).toFixed(2), '0.67']))
  const rate = (ms: number) => ((turns / ms) * 1_000).toFixed(0)
  console.log(`(${rate(practiceMs)} to ${rate(bareMs)} turns per second)`)
}

async function beginSession(meno: MenoProcess): Promise<(message: string) => Promise<void>> {
  const id = randomUUID()
  await post(meno, '/sessions', {
    session_id: id,
    student_id: id,
    question_set_id: 'algebra_basics_set_1',
  })
  return async (message) => {
    const body = { session_id: id, student_id: id, message, message_id: randomUUID() }
    const turn = (await post(meno, '/webhook/tutor/message', body)) as TurnResponse
    if (turn.category !== 'wrong_operation') throw new Error(JSON.stringify(turn))
  }
}

async function post(meno: MenoProcess, path: string, body: object): Promise<unknown> {
  const response = await fetch(meno.url() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
