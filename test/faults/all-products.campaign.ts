import { setTimeout as sleep } from 'node:timers/promises'
import { expect, type TestContext, test } from 'vitest'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import type { TurnResponse } from '../../src/contracts/practice.ts'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import {
  type MenoProcess,
  startMenoProcess,
  VICTIMS,
  type Victim,
} from '../support/meno-process.ts'
import { beginArc, type Journey, learn } from '../support/scripted-learner.ts'
import { type RecordedCall, startScriptedModel } from '../support/scripted-model.ts'
import { rightAnswer } from '../support/scripted-world.ts'
import { answerAllProducts } from './all-products-model.ts'
import { callsOfRecord, faultsOfRecord, untilTurnEnded } from './arc-record.ts'
import { type Answered, audit, learnIn, openThread, sendAllAgain } from './course-student.ts'
import { killAtRandom } from './kill-at-random.ts'
import { newMap, plan, standingOf } from './map-planner.ts'
import { auditPractice, newQuestionSet, practise } from './practice-student.ts'

const KILLS = Number(process.env.MENO_KILLS || 50)
const SEED = Number(process.env.MENO_SEED || 1)
const ARCS_AT_ONCE = 2
const SESSIONS_AT_ONCE = 3
const THREADS_AT_ONCE = 2
const MAPS_AT_ONCE = 2
/** A thread shows at most 500 messages at once. */
const ROUNDS_OF_A_THREAD = 15
const CONCEPTS = 3
/** In days, which last a second here. */
const SETTINGS = { learningSteps: [0.5, 2] }
const TIMEOUT_MS = 240_000 + KILLS * 30_000

/** All that was done and answered while things were killed. */
interface Done {
  journeys: Journey[]
  sessions: Map<string, TurnResponse[]>
  threads: string[]
  answered: Answered
  maps: string[]
}

test(`arcs, practice, courses and curricula at once keep their places through ${KILLS} kills (seed ${SEED})`, {
  timeout: TIMEOUT_MS,
}, async ({ onTestFinished, onTestFailed, task }) => {
  // Slow enough for a kill to find a step in mid-stream.
  const model = await startScriptedModel({ concepts: CONCEPTS, paceMs: 10 })
  answerAllProducts(model)
  onTestFinished(() => model.close())
  const meno = await startMenoProcess({
    MENO_DAY_SECONDS: '1',
    MENO_LLM_CONCURRENCY: '20',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  })
  onTestFinished(() => meno.remove())
  onTestFailed(() => console.log(meno.log()))

  const killed: Victim[] = []
  /** Steps that the model was writing when a victim fell, by product. */
  const broken = Object.fromEntries(PRODUCTS.map((product) => [product, noVictims()]))
  const done = await liveThroughKills(meno, killed, (victim) => {
    for (const call of model.calls.filter(({ endedAt }) => endedAt === null)) {
      const counts = broken[productOf(call)]
      if (counts) counts[victim] += 1
    }
  })

  for (const journey of done.journeys) expect(await faultsOfRecord(meno, journey)).toEqual([])
  await auditPractice(meno, done.sessions)
  await audit(meno, done.threads, done.answered)
  await sendAllAgain(meno, done.answered)
  await audit(meno, done.threads, done.answered)
  const planned = { status: 'active', job: null, fault: null, nodes: CONCEPTS + 1, open: 0 }
  expect(await standingOf(meno, done.maps)).toEqual(done.maps.map(() => planned))
  const { faults, ...calls } = await callsOfRecord(meno, model.calls)
  expect(faults).toEqual([])
  expect(await leftOver(meno)).toEqual([])
  report(task, killed, broken, done, calls)
})

/** Four kinds of learners, each going on until all kills were made; what was begun is brought to its end. */
async function liveThroughKills(
  meno: MenoProcess,
  killed: Victim[],
  beforeKill: (victim: Victim) => void,
): Promise<Done> {
  const answered: Answered = { turns: [], grades: [], exams: [] }
  const done: Done = { journeys: [], sessions: new Map(), threads: [], answered, maps: [] }
  const over = new AbortController()
  const killing = killAtRandom(meno, { kills: KILLS, seed: SEED, killed, beforeKill }, over.signal)
  let number = 0
  /** Does it so often side by side, each time with another number, until all kills were made. */
  const atOnce = (count: number, live: (number: number) => Promise<void>) =>
    Array.from({ length: count }, async () => {
      do {
        number += 1
        await live(number)
      } while (killed.length < KILLS)
    })
  const living = Promise.all([
    ...atOnce(ARCS_AT_ONCE, async (n) => {
      done.journeys.push(await learnOne(meno, n))
    }),
    ...atOnce(SESSIONS_AT_ONCE, async (n) => {
      const set = await newQuestionSet(meno, String(n))
      done.sessions.set(String(n), await practise(meno, String(n), set))
      await sleep(300)
    }),
    ...atOnce(THREADS_AT_ONCE, async (n) => {
      const thread = await openThread(meno)
      done.threads.push(thread)
      const random = seededRandom(SEED + n)
      for (let round = 0; round < ROUNDS_OF_A_THREAD && killed.length < KILLS; round += 1) {
        await learnIn(meno, thread, 1, random, answered)
        await sleep(300)
      }
    }),
    ...atOnce(MAPS_AT_ONCE, async (n) => {
      const map = await newMap(meno)
      await plan(meno, map, `basket weaving ${n}`)
      done.maps.push(map)
      await sleep(300)
    }),
  ])
  try {
    // A Meno that does not come up again fails the test at once.
    const never = killing.then(() => new Promise<never>(() => {}))
    await Promise.race([living, never])
  } finally {
    over.abort()
    await killing.catch(() => {})
  }
  return done
}

async function learnOne(meno: MenoProcess, number: number): Promise<Journey> {
  const arcId = await beginArc(meno.url, { topic: `carpentry ${number}`, settings: SETTINGS })
  const answer = async ({ text }: PendingQuestion) => rightAnswer(text)
  const maxSeconds = TIMEOUT_MS / 1000 - 60
  const learner = { url: meno.url, rightAnswer: answer, missShare: 0.2, seed: SEED + number }
  const journey = await learn(arcId, { ...learner, maxSeconds })
  expect(journey.phases.at(-1)).toBe('COMPLETED')
  await untilTurnEnded(meno, arcId)
  return journey
}

/** Entities that a fault holds up, or whose inputs were not answered. */
const leftOver = (meno: MenoProcess) =>
  meno.rows(
    `select product, entities.id, fault, inbox.id as input, inbox.failure
     from entities left join inbox on entity_id = entities.id
       and (failure is not null or (answered_at is null and withdrawn_at is null))
     where fault is not null or inbox.id is not null`,
  )

const PRODUCTS = ['arc', 'practice', 'course', 'curriculum']

const noVictims = () =>
  Object.fromEntries(VICTIMS.map((victim) => [victim, 0])) as Record<Victim, number>

/** Which product asked the model. */
function productOf({ system, messages }: RecordedCall): string {
  if (/You decide one move of one turn|You grade a student's answer/.test(system)) return 'course'
  if (system.includes('helps one student through single problems')) return 'practice'
  return messages[0]?.text.includes('topic: basket weaving') ? 'curriculum' : 'arc'
}

function report(
  { meta }: TestContext['task'],
  killed: Victim[],
  broken: Record<string, Record<Victim, number>>,
  { journeys, sessions, threads, answered, maps }: Done,
  calls: { recorded: number; unrecorded: number },
): void {
  const { turns, grades, exams } = answered
  meta.counted = { kills: killed.length, arcs: journeys.length, sessions: sessions.size }
  const kills = noVictims()
  for (const victim of killed) kills[victim] += 1
  console.log('Kills, and the model steps that they broke off')
  console.table({ kills, ...broken })
  const messages = journeys.reduce((sum, { sent }) => sum + sent.length, 0)
  const asked = turns.length + grades.length + exams.length
  console.table({
    arc: { entities: journeys.length, answered: messages },
    practice: { entities: sessions.size, answered: [...sessions.values()].flat().length },
    course: { entities: threads.length, answered: asked },
    curriculum: { entities: maps.length, answered: maps.length },
  })
  console.log(`model steps on record ${calls.recorded}, calls that led to none ${calls.unrecorded}`)
}
