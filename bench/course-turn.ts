import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'
import { patiently } from '../test/support/scripted-learner.ts'
import { startScriptedModel } from '../test/support/scripted-model.ts'
import { blockOf } from '../test/support/scripted-world.ts'
import { median, quantile, tableLine } from './support/statistics.ts'

const TURNS = 220
const WARM_UP = 20

/**
 * What a turn of the course tutor costs, from request to answer, against a bare Temporal turn with one regular and one
 * local activity on the same servers and with the same worker settings. The model answers at once; the two take turns,
 * so that what slows the machine down slows both. Prints the ratios of the quantiles.
 */
export async function run(): Promise<void> {
  const model = await startScriptedModel()
  model.answer('*', ({ prompt }) => socratic(blockOf(prompt, 'policy')))
  const meno = await startMenoProcess({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  })
  const bare = await startBare(meno)
  try {
    const ask = bareCaller(bare.url, `bare-${randomUUID()}`)
    await ask('/start')
    const { body } = await patiently(meno.url, '/api/tutor/threads', {
      method: 'POST',
      body: JSON.stringify({ courseId: 'algebra-basics' }),
    })
    const { threadId } = body as { threadId: string }
    const samples: { course: number; bare: number }[] = []
    for (let turn = 0; turn < TURNS; turn += 1) {
      const course = await timed(() => takeTurn(meno, threadId))
      const other = await timed(() => ask('/turn', 1))
      if (turn >= WARM_UP) samples.push({ course, bare: other })
    }
    print(samples)
  } finally {
    await bare.end()
    await meno.remove()
    await model.close()
  }
}

function socratic(policy: string) {
  const { focusUnitId } = JSON.parse(policy) as { focusUnitId: string }
  return {
    mapped_units: [{ unit_id: focusUnitId, confidence: 0.9 }],
    action: 'SOCRATIC_QUESTION',
    target_unit_id: focusUnitId,
    tutor_text: 'What would you try first, and why?',
    turn_analysis: {
      student_intent: 'solve',
      understanding_signal: 'uncertain',
      suggested_prereq_units: [],
    },
  }
}

async function takeTurn(meno: MenoProcess, threadId: string): Promise<void> {
  const response = await fetch(`${meno.url()}/api/tutor/threads/${threadId}/turn`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ messageText: 'how do I subtract a negative number' }),
  })
  const turn = (await response.json()) as { messages?: { text: string }[] }
  const isAnswered = turn.messages?.at(-1)?.text.startsWith('What would you try')
  if (!isAnswered) throw new Error(`a turn was answered with ${JSON.stringify(turn)}`)
}

async function startBare(meno: MenoProcess): Promise<{ url: string; end: () => Promise<void> }> {
  const children: ChildProcess[] = []
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: meno.databaseUrl(),
    TEMPORAL_ADDRESS: meno.temporalAddress(),
  }
  const start = (role: string) =>
    new Promise<string>((resolve, reject) => {
      const child = fork(path.join(import.meta.dirname, 'support/bare-process.ts'), [role], { env })
      children.push(child)
      child.once('message', ({ url }: { url: string }) => resolve(url))
      child.once('exit', (code) => reject(new Error(`the bare ${role} ended (${code})`)))
    })
  const url = await start('api')
  await start('worker')
  const end = async () => {
    for (const child of children) {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    }
  }
  return { url, end }
}

function bareCaller(url: string, workflowId: string) {
  return async (route: string, steps = 0): Promise<void> => {
    const body = JSON.stringify({ workflowId, turn: { id: randomUUID(), steps } })
    await (await fetch(url + route, { method: 'POST', body })).json()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function print(samples: readonly { course: number; bare: number }[]): void {
  const course = samples.map((sample) => sample.course)
  const bare = samples.map((sample) => sample.bare)
  const ratio = (share: number) => (quantile(course, share) / quantile(bare, share)).toFixed(2)
  console.log('\nA turn of the course tutor against a bare Temporal turn with one model step')
  console.log(tableLine('', ['turns', 'p50 ratio', 'p95 ratio', 'limit']))
  console.log(tableLine('one model step', [samples.length, ratio(0.5), ratio(0.95), '1.50']))
  console.log(
    `(p50 on this machine: ${median(course).toFixed(1)} ms to ${median(bare).toFixed(1)} ms)`,
  )
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
