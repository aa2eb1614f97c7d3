import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { type MenoProcess, startMenoProcess, VICTIMS } from '../support/meno-process.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { newMap, plan, standingOf } from './map-planner.ts'

const ROUNDS = Number(process.env.MENO_CAMPAIGN_ROUNDS || 1)
const MAPS = 8
/** Below the root of every map. */
const CONCEPTS = 4

let model: ScriptedModel
let meno: MenoProcess

beforeAll(async () => {
  // Slow enough for a kill to find a graph in mid-stream.
  model = await startScriptedModel({ concepts: CONCEPTS, paceMs: 40 })
  meno = await startMenoProcess({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
    MENO_LLM_CONCURRENCY: '4',
  })
}, 180_000)
afterAll(async () => {
  await meno?.remove()
  await model?.close()
})

const KILLS = Array.from({ length: ROUNDS }, (_, round) => round + 1).flatMap((seed) =>
  VICTIMS.map((victim) => [victim, seed] as const),
)

test.for(KILLS)(
  '%s killed while maps are planned (seed %i): each is planned once, and nobody waits for ever',
  { timeout: 240_000 },
  async ([victim, seed], { task }) => {
    onTestFailed(() => console.log(meno.log()))
    const random = seededRandom(seed)
    const maps = await Promise.all(Array.from({ length: MAPS }, () => newMap(meno)))
    const before = model.calls.length
    const planning = Promise.all(maps.map((map) => plan(meno, map)))
    const calls = () => model.calls.length
    await expect.poll(calls, { timeout: 30_000, interval: 10 }).toBeGreaterThan(before)
    await sleep(random() * 1_000)
    await meno.kill(victim)
    if (victim === 'everything') await meno.start()
    const tries = await planning
    const planned = { status: 'active', job: null, fault: null, nodes: CONCEPTS + 1, open: 0 }
    await expect
      .poll(() => standingOf(meno, maps), { timeout: 30_000 })
      .toEqual(maps.map(() => planned))
    task.meta.counted = { kills: 1, maps: MAPS, askings: tries.reduce((sum, n) => sum + n, 0) }
  },
)
