import { setTimeout as sleep } from 'node:timers/promises'
import type { MenoProcess } from '../support/meno-process.ts'

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

/** A new map, still empty. */
export async function newMap(meno: MenoProcess): Promise<string> {
  for (;;) {
    const made = await callTool(meno, 'mind_map_create', { title: 'Basket weaving' })
    if (made?.structuredContent) return String(made.structuredContent.mind_map_id)
    await sleep(200)
  }
}

/** Asks for the plan until there is one, as a caller does that is told of a fault, or of nothing. */
export async function plan(
  meno: MenoProcess,
  mind_map_id: string,
  topic = 'basket weaving',
): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const args = { mind_map_id, topic }
    const answer = await callTool(meno, 'curriculum_generate', args)
    if (answer?.structuredContent) return tries
    // An earlier asking, whose answer was lost on its way, has planned it.
    if (/generated again/.test(answer?.content?.[0]?.text ?? '')) return tries
    await sleep(300)
  }
}

/** How the planning of maps stands. */
export async function standingOf(meno: MenoProcess, maps: string[]) {
  return meno.rows<Record<string, unknown>>(
    `select map.status, state->>'job' as job, fault,
            (select count(*)::int from mind_map_nodes node where node.mind_map_id = map.id) as nodes,
            (select count(*)::int from inbox where entity_id = map.id
               and answered_at is null and withdrawn_at is null) as open
     from mind_maps map join entities using (id) where id = any($1)`,
    [maps],
  )
}
