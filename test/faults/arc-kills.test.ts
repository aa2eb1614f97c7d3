import { expect, type TestContext, test } from 'vitest'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import {
  type MenoProcess,
  startMenoProcess,
  VICTIMS,
  type Victim,
} from '../support/meno-process.ts'
import { beginArc, type Journey, learn } from '../support/scripted-learner.ts'
import { startScriptedModel } from '../support/scripted-model.ts'
import { rightAnswer } from '../support/scripted-world.ts'
import { callsOfRecord, faultsOfRecord, knowingAnswers, untilTurnEnded } from './arc-record.ts'
import { killAtRandom } from './kill-at-random.ts'

const ROUNDS = Number(process.env.MENO_CAMPAIGN_ROUNDS || 1)
/** `MENO_KILLS=50 MENO_SEED=7 npm test -- arc-kills` runs it longer, or once more. */
const KILLS = Number(process.env.MENO_KILLS || 5 * ROUNDS)
const SEED = Number(process.env.MENO_SEED || 1)
const TIMEOUT_MS = 240_000 + KILLS * 30_000
/** In days, which last a second here. Shorter ones would review what is learnt again and again meanwhile. */
const SETTINGS = { learningSteps: [0.5, 2] }

// Each has a Meno of its own and mostly waits for it to come back.
test.concurrent(
  `an offline arc keeps its place through ${KILLS} kills (seed ${SEED})`,
  async (context) => {
    const meno = await startMenoProcess({ MENO_DAY_SECONDS: '1' })
    context.onTestFinished(() => meno.remove())
    const run = await learnThroughKills(context, meno, 'common factors', knowingAnswers(meno))
    report(context.task, 'offline', run)
    for (const journey of run.journeys) expect(await faultsOfRecord(meno, journey)).toEqual([])
  },
  TIMEOUT_MS,
)

test.concurrent(
  `an arc with a model keeps its place through ${KILLS} kills and pays for no step twice (seed ${SEED})`,
  async (context) => {
    // Slow enough for a kill to find a step in mid-stream.
    const model = await startScriptedModel({ concepts: 3, paceMs: 10 })
    context.onTestFinished(() => model.close())
    const meno = await startMenoProcess({
      MENO_DAY_SECONDS: '1',
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'scripted',
    })
    context.onTestFinished(() => meno.remove())
    const answer = async ({ text }: PendingQuestion) => rightAnswer(text)
    const run = await learnThroughKills(context, meno, 'basket weaving', answer)
    const { faults, ...calls } = await callsOfRecord(meno, model.calls)
    report(context.task, 'with a model', run, calls)
    for (const journey of run.journeys) expect(await faultsOfRecord(meno, journey)).toEqual([])
    expect(faults).toEqual([])
    expect(calls.recorded).toBeGreaterThan(0)
  },
  TIMEOUT_MS,
)

interface Run {
  journeys: Journey[]
  killed: Victim[]
}

/** Takes arcs from PENDING to COMPLETED, one after the other, until all kills were made in them. */
async function learnThroughKills(
  { onTestFailed }: TestContext,
  meno: MenoProcess,
  topic: string,
  answer: (question: PendingQuestion) => Promise<string>,
): Promise<Run> {
  onTestFailed(() => console.log(meno.log()))
  const killed: Victim[] = []
  const over = new AbortController()
  const killing = killAtRandom(meno, { kills: KILLS, seed: SEED, killed }, over.signal)
  const journeys: Journey[] = []
  const learning = async () => {
    do {
      const arcId = await beginArc(meno.url, { topic, settings: SETTINGS })
      const seed = SEED + journeys.length
      const maxSeconds = TIMEOUT_MS / 1000 - 30
      const learner = { url: meno.url, rightAnswer: answer, missShare: 0.2, seed, maxSeconds }
      journeys.push(await learn(arcId, learner))
      expect(journeys.at(-1)?.phases.at(-1)).toBe('COMPLETED')
      await untilTurnEnded(meno, arcId)
    } while (killed.length < KILLS)
  }
  try {
    // A Meno that does not come up again fails the test at once.
    const never = killing.then(() => new Promise<never>(() => {}))
    await Promise.race([learning(), never])
  } finally {
    over.abort()
    await killing.catch(() => {})
  }
  return { journeys, killed }
}

function report(
  { meta }: TestContext['task'],
  name: string,
  { journeys, killed }: Run,
  calls?: object,
): void {
  meta.counted = { kills: killed.length, arcs: journeys.length }
  const kinds = VICTIMS.map((victim) => `${victim} ${killed.filter((v) => v === victim).length}`)
  const messages = journeys.reduce((sum, { sent }) => sum + sent.length, 0)
  const seconds = journeys.map((journey) => Math.round(journey.seconds)).join(' + ')
  console.log(
    `${name}: ${killed.length} kills (${kinds.join(', ')}), ${journeys.length} arcs in ${seconds} s,`,
    `${messages} messages`,
    ...(calls ? [JSON.stringify(calls)] : []),
  )
}
