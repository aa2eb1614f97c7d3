import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test } from 'vitest'
import { type MenoProcess, startMenoProcess } from '../support/meno-process.ts'
import { type NoticeGateway, startNoticeGateway } from '../support/notice-gateway.ts'
import { learnerWithDueReviews } from '../support/nudged-learner.ts'

const KILLS = Number(process.env.MENO_NUDGE_KILLS || 5)
const KILLS_A_ROUND = 2
const LEARNERS = 4

let meno: MenoProcess
let gateway: NoticeGateway

beforeAll(async () => {
  gateway = await startNoticeGateway()
  meno = await startMenoProcess({ MENO_DAY_SECONDS: '86400' })
}, 180_000)
afterAll(async () => {
  gateway?.close()
  await meno?.remove()
})

const rounds = Array.from({ length: Math.ceil(KILLS / KILLS_A_ROUND) }, (_, round) => ({
  round,
  kills: Math.min(KILLS_A_ROUND, KILLS - round * KILLS_A_ROUND),
}))

test.for(rounds)(
  'the worker killed $kills times between "sent" and "noted": each nudge once to a receiver that tells repeats (round $round)',
  { timeout: 240_000 },
  async ({ round, kills }, { task }) => {
    onTestFailed(() => console.log(meno.log()))
    const handles = Array.from({ length: LEARNERS }, (_, number) => `nudged-${round}-${number}`)
    const learners = await Promise.all(
      handles.map((handle) => learnerWithDueReviews(meno, handle, gateway.url)),
    )
    let left = kills
    let dying: Promise<void> | null = null
    gateway.onReceived = () => {
      if (dying) return 'cut'
      if (left === 0) return undefined
      left -= 1
      dying = meno.kill('worker').finally(() => {
        dying = null
      })
      return 'cut'
    }
    const before = gateway.received.length
    await Promise.all(learners.map(({ look }) => look()))
    const ids = learners.map(({ learnerId }) => learnerId)
    const outcomes = async () =>
      (
        await meno.rows<{ status: string }>(
          `select delivery.status from nudge_deliveries as delivery
           join nudges on nudges.id = delivery.nudge_id where learner_id = any($1)`,
          [ids],
        )
      ).map(({ status }) => status)
    await expect
      .poll(outcomes, { timeout: 200_000, interval: 1_000 })
      .toEqual(Array(LEARNERS).fill('sent'))
    expect(left).toBe(0)
    const received = gateway.received.slice(before)
    // Whoever keeps the first of a key has one for each learner; what was cut came again under its own.
    const keys = new Map(received.map(({ key, notice }) => [key, notice.id]))
    expect(keys.size).toBe(LEARNERS)
    expect(new Set(keys.values()).size).toBe(LEARNERS)
    expect(received.length).toBeGreaterThan(LEARNERS)
    task.meta.counted = { kills, nudges: LEARNERS, repeats: received.length - LEARNERS }
  },
)

test('where many are nudged at once, whoever waits for an answer goes first', {
  timeout: 120_000,
}, async () => {
  const { arcId, learnerId, look } = await learnerWithDueReviews(meno, 'patient', gateway.url)
  await look()
  const connection = await Connection.connect({ address: meno.temporalAddress() })
  onTestFinished(() => connection.close())
  const { workflow } = new Client({ connection })
  const keyOf = async (workflowId: string) => {
    const find = () =>
      workflow
        .getHandle(workflowId)
        .describe()
        .catch(() => null)
    await expect.poll(find, { timeout: 60_000 }).not.toBeNull()
    return (await find())?.priority?.priorityKey ?? Number.NaN
  }
  const [arc, agenda] = await Promise.all([keyOf(`arc-${arcId}`), keyOf(`agenda-${learnerId}`)])
  // The smaller, the earlier.
  expect(arc).toBeLessThan(agenda)
})
