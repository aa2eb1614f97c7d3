import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { type MenoProcess, startMenoProcess, VICTIMS } from '../support/meno-process.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'

const ROUNDS = Number(process.env.MENO_CAMPAIGN_ROUNDS || 1)
const MAPS = 8
/** Below the root of every map. */
const CONCEPTS = 4

interface ToolAnswer {
  isError?: boolean
  structuredContent?: Record<string, unknown>
  content?: { text: string }[]
}

/** Calls a tool; null where nobody answers. */
async function callTool(meno: MenoProcess, name: string, args: object): Promise<ToolAnswer | null> {
  const response = await fetch(`${meno.url()}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name, arguments: args },
    }),
    signal: AbortSignal.timeout(70_000),
  }).catch(() => null)
  const text = await response?.text().catch(() => null)
  if (!text) return null
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  try {
    return JSON.parse(data).result ?? null
  } catch {
    return null
  }
}

async function newMap(meno: MenoProcess): Promise<string> {
  for (;;) {
    const made = await callTool(meno, 'mind_map_create', { title: 'Basket weaving' })
    if (made?.structuredContent) return String(made.structuredContent.mind_map_id)
    await sleep(200)
  }
}

/** Asks for the plan until there is one, as a caller does that is told of a fault, or of nothing. */
async function plan(meno: MenoProcess, mind_map_id: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const args = { mind_map_id, topic: 'basket weaving' }
    const answer = await callTool(meno, 'curriculum_generate', args)
    if (answer?.structuredContent) return tries
    // An earlier asking, whose answer was lost on its way, has planned it.
    if (/generated again/.test(answer?.content?.[0]?.text ?? '')) return tries
    await sleep(300)
  }
}

async function standingOf(meno: MenoProcess, maps: string[]) {
  return meno.rows<Record<string, unknown>>(
    `select map.status, state->>'job' as job, fault,
            (select count(*)::int from mind_map_nodes node where node.mind_map_id = map.id) as nodes,
            (select count(*)::int from inbox where entity_id = map.id
               and answered_at is null and withdrawn_at is null) as open
     from mind_maps map join entities using (id) where id = any($1)`,
    [maps],
  )
}

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
