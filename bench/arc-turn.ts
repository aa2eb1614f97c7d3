import { setTimeout as sleep } from 'node:timers/promises'
import { Connection, WorkflowClient } from '@temporalio/client'
import type { PendingQuestion, Turn } from '../src/contracts/arc.ts'
import { SIGNAL, workflowId } from '../src/contracts/temporal.ts'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'
import { beginArc, patiently } from '../test/support/scripted-learner.ts'
import { type ScriptedModel, startScriptedModel } from '../test/support/scripted-model.ts'
import { rightAnswer } from '../test/support/scripted-world.ts'
import { type BareStack, startBareStack } from './support/bare-stack.ts'
import { median, quantile, tableLine, timed } from './support/statistics.ts'

const ARCS = 7
/** The first arcs are taught to warm up. */
const WARM_UP = 1
const CONCEPTS = 12
const WORKER_KILLS = 5
/** What an answer leaves to be done is not charged to the next. */
const REST_MS = 50
/** Of the median and of the 95th percentile, by model steps. */
const LIMITS = ['1.40 / 1.50', '1.10 / 1.15', '1.15 / 1.20']
/** An answer is there a moment before the workflow has put its pen down. */
const AT_REST_MS = 500
/** By then the servers know that the worker is gone. */
const DISCONNECTED_MS = 200

interface Sample {
  /** Model steps of the turn. */
  steps: number
  arcMs: number
  bareMs: number
  /** A bare turn whose activities ask a model. */
  askingMs: number
  transactionMs: number
  commits: number
  events: number
}

/**
 * What a turn of an arc costs, from request to stored reply, against a bare Temporal turn with as many regular
 * activities and one local one, on the same servers and with the same worker settings; against the same where each of
 * them asks the model, too, which the arc cannot do without; and both against one PostgreSQL transaction over the same
 * HTTP hop. The model answers at once. The three take turns, so that what slows the
 * machine down slows them all. Prints ratios of the quantiles, history events and commits per turn, and how long a
 * message waits whose worker was just killed.
 */
export async function run(): Promise<void> {
  const model = await startScriptedModel({ concepts: CONCEPTS })
  const meno = await startMenoProcess({
    MENO_DAY_SECONDS: '86400',
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  })
  const bare = await startBareStack(meno, model.url)
  try {
    const samples: Sample[] = []
    for (let arc = 0; arc < ARCS; arc += 1) {
      const taught = await teach(meno, model, bare)
      if (arc >= WARM_UP) samples.push(...taught)
    }
    print(samples)
    printWaits(await waitsAfterKills(meno))
  } finally {
    await bare.end()
    await meno.remove()
    await model.close()
  }
}

/** Teaches an arc all but its last question; each turn is followed by a bare one and a transaction, each after a rest. */
async function teach(meno: MenoProcess, model: ScriptedModel, bare: BareStack): Promise<Sample[]> {
  const bareTurns = await bare.begin()
  const arcId = await beginArc(meno.url, { topic: 'carpentry', settings: { skipDiagnosis: true } })
  let question: PendingQuestion | null = await firstQuestion(meno, arcId)
  const samples: Sample[] = []
  while (question) {
    const callsBefore = model.calls.length
    const xidBefore = await nextXid(meno)
    const asked: PendingQuestion = question
    const [turn, arcMs] = await timed(() => answer(meno, arcId, asked))
    const commits = (await nextXid(meno)) - xidBefore
    const steps = model.calls.length - callsBefore
    await sleep(REST_MS)
    const [, bareMs] = await timed(() => bareTurns.turn(steps))
    await sleep(REST_MS)
    const [, askingMs] = steps > 0 ? await timed(() => bareTurns.turn(steps, true)) : [null, bareMs]
    await sleep(REST_MS)
    const [, transactionMs] = await timed(() => bareTurns.transaction())
    await sleep(REST_MS)
    samples.push({ steps, arcMs, bareMs, askingMs, transactionMs, commits, events: 0 })
    question = turn.phase === 'REVIEWING' ? null : turn.pendingQuestion
    if (samples.length >= CONCEPTS * 4) question = null
  }
  const events = await eventsByTurn(meno, arcId)
  for (const [index, sample] of samples.entries()) sample.events = events[index] ?? Number.NaN
  await patiently(meno.url, `/api/arcs/${arcId}/abandon`, { method: 'POST', body: '{}' })
  await bareTurns.end()
  return samples
}

async function firstQuestion(meno: MenoProcess, arcId: string): Promise<PendingQuestion> {
  for (;;) {
    const { body } = await patiently(meno.url, `/api/arcs/${arcId}`)
    const { pendingQuestion } = body as { pendingQuestion: PendingQuestion | null }
    if (pendingQuestion) return pendingQuestion
  }
}

async function answer(meno: MenoProcess, arcId: string, question: PendingQuestion): Promise<Turn> {
  const response = await fetch(`${meno.url()}/api/arcs/${arcId}/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', prefer: 'wait=30' },
    body: JSON.stringify({ text: rightAnswer(question.text), questionId: question.id }),
  })
  if (response.status !== 200) throw new Error(`a turn was answered with ${response.status}`)
  return (await response.json()) as Turn
}

/** Every transaction that writes takes a number; reading the next one takes none. */
async function nextXid(meno: MenoProcess): Promise<number> {
  const [row] = await meno.rows<{ next: string }>(
    'select pg_snapshot_xmax(pg_current_snapshot())::text as next',
  )
  return Number(row?.next)
}

/** History events from one learner message to the next, in order. */
async function eventsByTurn(meno: MenoProcess, arcId: string): Promise<number[]> {
  const connection = await Connection.connect({ address: meno.temporalAddress() })
  try {
    const handle = new WorkflowClient({ connection }).getHandle(workflowId.arc(arcId))
    const { events } = await handle.fetchHistory()
    const turns: number[] = []
    for (const event of events ?? []) {
      const { signalName } = event.workflowExecutionSignaledEventAttributes ?? {}
      if (signalName === SIGNAL.userMessage) turns.push(0)
      if (turns.length > 0) turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1
    }
    return turns
  } finally {
    await connection.close()
  }
}

function print(samples: Sample[]): void {
  console.log(`\nA turn of an arc against a bare Temporal turn, from request to stored reply`)
  const heads = [
    'turns',
    'p50 ratio',
    'p95 ratio',
    'limits',
    'that asks',
    'p50 / tx',
    'bare / tx',
    'events',
    'commits',
  ]
  console.log(tableLine('model steps', heads))
  for (const steps of [0, 1, 2]) {
    const of = samples.filter((sample) => sample.steps === steps)
    const at = (share: number, part: 'arcMs' | 'bareMs' | 'askingMs' | 'transactionMs') =>
      quantile(
        of.map((sample) => sample[part]),
        share,
      )
    const transaction = at(0.5, 'transactionMs')
    const most = (part: 'events' | 'commits') => Math.max(...of.map((sample) => sample[part]))
    const usual = (part: 'events' | 'commits') => median(of.map((sample) => sample[part]))
    console.log(
      tableLine(String(steps), [
        of.length,
        (at(0.5, 'arcMs') / at(0.5, 'bareMs')).toFixed(2),
        (at(0.95, 'arcMs') / at(0.95, 'bareMs')).toFixed(2),
        LIMITS[steps] ?? '',
        (at(0.5, 'arcMs') / at(0.5, 'askingMs')).toFixed(2),
        (at(0.5, 'arcMs') / transaction).toFixed(1),
        (at(0.5, 'bareMs') / transaction).toFixed(1),
        `${usual('events')}, max ${most('events')}/${5 + 6 * steps}`,
        `${usual('commits')}/${2 + steps}`,
      ]),
    )
  }
  console.log(
    `(p50 on this machine: ${[0, 1, 2]
      .map((steps) => {
        const of = samples.filter((sample) => sample.steps === steps)
        const ms = (part: 'arcMs' | 'bareMs') => median(of.map((sample) => sample[part])).toFixed(1)
        return `${ms('arcMs')} ms to ${ms('bareMs')} ms`
      })
      .join(', ')})`,
  )
}

/**
 * Seconds that a message waits for its answer when the worker was killed a moment before. In the first milliseconds
 * Temporal may still hand the turn to the dead worker's open poll; it then waits for the task's timeout of 10 s.
 */
async function waitsAfterKills(meno: MenoProcess): Promise<number[]> {
  const arcId = await beginArc(meno.url, { topic: 'pottery', settings: { skipDiagnosis: true } })
  let question: PendingQuestion | null = await firstQuestion(meno, arcId)
  const seconds: number[] = []
  while (question && seconds.length < WORKER_KILLS) {
    const isJudgedByCode = question.kind === 'quiz' && !question.text.startsWith('Explain')
    if (isJudgedByCode) {
      await sleep(AT_REST_MS)
      await meno.kill('worker')
      await sleep(DISCONNECTED_MS)
    }
    const asked: PendingQuestion = question
    const [turn, ms] = await timed(() => answer(meno, arcId, asked))
    if (isJudgedByCode) seconds.push(ms / 1000)
    question = turn.pendingQuestion
  }
  return seconds
}

function printWaits(seconds: number[]): void {
  console.log(
    `\nWhat a message waits for its answer after kill -9 of the worker, ${seconds.length} times`,
  )
  console.log(tableLine('seconds', ['median', 'longest', 'limit']))
  const longest = Math.max(...seconds)
  console.log(tableLine('', [median(seconds).toFixed(1), longest.toFixed(1), '2.0']))
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
