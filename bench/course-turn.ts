import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../src/domain/random/seeded-random.ts'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'
import { patiently } from '../test/support/scripted-learner.ts'
import { startScriptedModel } from '../test/support/scripted-model.ts'
import { blockOf } from '../test/support/scripted-world.ts'
import { startBareStack } from './support/bare-stack.ts'
import { median, quantile, tableLine, timed } from './support/statistics.ts'

const TURNS = 220
const WARM_UP = 20
/** A student rests between two turns, and what a turn leaves behind is not counted as part of the next. */
const REST_MS = 50

/**
 * What a turn of the course tutor costs, from request to answer, against a bare Temporal turn with one regular and one
 * local activity on the same servers and with the same worker settings. The model answers at once; one turn of each is
 * taken in an order drawn anew each time, so that what slows the machine down slows both. Prints the ratios of the
 * quantiles.
 */
export async function run(): Promise<void> {
  const model = await startScriptedModel()
  model.answer('*', ({ prompt }) => socratic(blockOf(prompt, 'policy')))
  const meno = await startMenoProcess({
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'scripted',
  })
  const bare = await startBareStack(meno)
  try {
    const bareTurns = await bare.begin()
    const { body } = await patiently(meno.url, '/api/tutor/threads', {
      method: 'POST',
      body: JSON.stringify({ courseId: 'algebra-basics' }),
    })
    const { threadId } = body as { threadId: string }
    const random = seededRandom(5)
    const samples: { course: number; bare: number }[] = []
    for (let turn = 0; turn < TURNS; turn += 1) {
      const sample = { course: Number.NaN, bare: Number.NaN }
      const takes = {
        course: () => takeTurn(meno, threadId),
        bare: () => bareTurns.turn(1),
      }
      const order = random() < 0.5 ? (['course', 'bare'] as const) : (['bare', 'course'] as const)
      for (const name of order) {
        await sleep(REST_MS)
        const [, ms] = await timed(takes[name])
        sample[name] = ms
      }
      if (turn >= WARM_UP) samples.push(sample)
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
