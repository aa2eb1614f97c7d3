import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'
import { beginArc } from '../test/support/scripted-learner.ts'
import { say, viewOf } from './support/sleeping-arcs.ts'
import { median, tableLine, timed } from './support/statistics.ts'

const KILLS = 7
const REST_MS = 1_500
/** By then the decision has begun, and waits for the row. */
const IN_THE_MIDDLE_MS = 400

/**
 * How long a message waits for its answer when the worker is killed with -9 in the middle of `advance`: the arc's row is
 * locked from outside, so that the decision about the message has begun and cannot end.
 */
export async function run(): Promise<void> {
  const meno = await startMenoProcess({ MENO_DAY_SECONDS: '86400' })
  try {
    const arcId = await openArc(meno)
    const seconds: number[] = []
    const next: number[] = []
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(REST_MS)
      seconds.push(await killInAdvance(meno, arcId))
      const [, ms] = await timed(() => say(meno, arcId, { text: 'hint' }))
      next.push(ms / 1_000)
    }
    console.log(`\nAfter kill -9 of the worker in the middle of advance, ${KILLS} times`)
    console.log(tableLine('seconds', ['median', 'longest']))
    print('from the kill to its answer', seconds)
    print('the message after that', next)
  } finally {
    await meno.remove()
  }
}

async function openArc(meno: MenoProcess): Promise<string> {
  const request = { topic: 'common factors', settings: { skipDiagnosis: true } }
  const arcId = await beginArc(meno.url, request)
  while ((await viewOf(meno, arcId)).pendingQuestion === null) await sleep(50)
  return arcId
}

async function killInAdvance(meno: MenoProcess, arcId: string): Promise<number> {
  const holder = new pg.Client({ connectionString: meno.databaseUrl() })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query('select from entities where id = $1 for update', [arcId])
    const message = say(meno, arcId, { text: 'hint', messageId: randomUUID() })
    await sleep(IN_THE_MIDDLE_MS)
    const [waiting] = await meno.rows<{ count: number }>(
      "select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock'",
    )
    if (waiting?.count === 0) throw new Error('nothing waits for the row')
    const killedAt = performance.now()
    await meno.kill('worker')
    await holder.query('rollback')
    await message
    return (performance.now() - killedAt) / 1_000
  } finally {
    await holder.end()
  }
}

function print(name: string, seconds: number[]): void {
  console.log(tableLine(name, [median(seconds).toFixed(1), Math.max(...seconds).toFixed(1)]))
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
