import { setTimeout as sleep } from 'node:timers/promises'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'
import { beginArc } from '../test/support/scripted-learner.ts'
import { type BareStack, startBareStack } from './support/bare-stack.ts'
import { arcsAsleep, closedArc, say, viewOf } from './support/sleeping-arcs.ts'
import { quantile, tableLine, timed } from './support/statistics.ts'

const ARCS = Number(process.env.MENO_BENCH_ARCS || 20_000)
/** Of each learner: nobody has 20,000 topics. */
const ARCS_OF_ONE = 5
const TURNS = 200
const WARM_UP = 30
const REST_MS = 50
/** Days; nothing falls due meanwhile. */
const SETTINGS = { learningSteps: [30, 60] }

interface Quantiles {
  p50: number
  p95: number
}

/**
 * What a turn costs with 20,000 arcs asleep in the server and the database, against what it costs with none; beside it
 * the same of a bare Temporal turn and of a transaction, for what the servers alone have to do with it. `MENO_BENCH_ARCS`
 * says how many.
 */
export async function run(): Promise<void> {
  const meno = await startMenoProcess({ MENO_DAY_SECONDS: '86400' })
  const bare = await startBareStack(meno)
  try {
    const closed = await closedArc(meno, SETTINGS)
    const before = await measure(meno, bare)
    const [, asleepMs] = await timed(() => arcsAsleep(meno, closed, ARCS, ARCS_OF_ONE))
    // What the last ones leave to be done is not charged to the turns.
    await sleep(10_000)
    const after = await measure(meno, bare)
    const rate = ((ARCS / asleepMs) * 1_000).toFixed(0)
    console.log(
      `\nA turn with ${ARCS} arcs asleep against the same turn with none (${rate}/s fell asleep)`,
    )
    console.log(tableLine('', ['p50 ratio', 'p95 ratio', 'p50 ms', 'p95 ms']))
    for (const name of ['arc', 'bare', 'transaction'] as const) {
      const [one, other] = [after[name], before[name]]
      console.log(
        tableLine(name === 'arc' ? 'a turn of an arc' : name === 'bare' ? 'a bare turn' : name, [
          (one.p50 / other.p50).toFixed(2),
          (one.p95 / other.p95).toFixed(2),
          `${other.p50.toFixed(1)} > ${one.p50.toFixed(1)}`,
          `${other.p95.toFixed(1)} > ${one.p95.toFixed(1)}`,
        ]),
      )
    }
  } finally {
    await bare.end()
    await meno.remove()
  }
}

/** Turns of the three one after the other, each after a rest. */
async function measure(meno: MenoProcess, bare: BareStack) {
  const request = { topic: 'common factors', settings: { skipDiagnosis: true } }
  const arcId = await beginArc(meno.url, request)
  while ((await viewOf(meno, arcId)).pendingQuestion === null) await sleep(50)
  const turns = await bare.begin()
  const ms: Record<'arc' | 'bare' | 'transaction', number[]> = {
    arc: [],
    bare: [],
    transaction: [],
  }
  const works = {
    arc: () => say(meno, arcId, { text: 'hint' }),
    bare: () => turns.turn(0),
    transaction: () => turns.transaction(),
  }
  for (let turn = 0; turn < TURNS + WARM_UP; turn += 1) {
    for (const name of ['arc', 'bare', 'transaction'] as const) {
      await sleep(REST_MS)
      const [, taken] = await timed(works[name])
      if (turn >= WARM_UP) ms[name].push(taken)
    }
  }
  await turns.end()
  const of = (values: number[]): Quantiles => ({
    p50: quantile(values, 0.5),
    p95: quantile(values, 0.95),
  })
  return { arc: of(ms.arc), bare: of(ms.bare), transaction: of(ms.transaction) }
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
