import { setTimeout as sleep } from 'node:timers/promises'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'
import { startBareStack } from './support/bare-stack.ts'
import { arcsAsleep, closedArc } from './support/sleeping-arcs.ts'
import { tableLine } from './support/statistics.ts'

const COUNT = Number(process.env.MENO_BENCH_ARCS || 2_000)
/** How long everything has to fall asleep, in seconds; on a busy machine eight arcs a second do. */
const DUE_SECONDS = 60 + COUNT / 8
/** Reviews are fifty days away. */
const DUE_DAYS = 50
const DAY_SECONDS = Math.ceil(DUE_SECONDS / DUE_DAYS)
/** Bare workflows fall asleep faster. */
const BARE_SLEEP_MS = 30_000 + COUNT * 50
const LOOK_EVERY_MS = 500

interface Drained {
  /** From when the workers were up until all were done, and from the first one until the last, in ms. */
  totalMs: number
  drainMs: number
}

/**
 * 2,000 arcs whose reviews fell due while everything was down: how long it takes until all their reviews are open,
 * against 2,000 bare workflows whose timers fired while their worker was down and that run one local activity each; on
 * the same servers, one after the other. `MENO_BENCH_ARCS` says how many.
 */
export async function run(): Promise<void> {
  const meno = await startMenoProcess({ MENO_DAY_SECONDS: String(DAY_SECONDS) })
  try {
    const settings = { learningSteps: [DUE_DAYS, DUE_DAYS + 10] }
    const bare = await drainBare(meno)
    const arcs = await drainArcs(meno, settings)
    console.log(`\n${COUNT} arcs overdue after an outage, until all their reviews are open`)
    console.log(tableLine('', ['from up, s', 'first to last', 'ratio', 'drain ratio']))
    print('bare workflows', bare, bare)
    print('arcs', arcs, bare)
  } finally {
    await meno.remove()
  }
}

/** Bare workflows sleep, their worker ends, their timers fire, a worker starts. */
async function drainBare(meno: MenoProcess): Promise<Drained> {
  const before = await startBareStack(meno)
  const dueAt = Date.now() + BARE_SLEEP_MS
  await before.sleepers(COUNT, dueAt)
  await before.end()
  // As the arcs: everything was down when they fell due.
  await meno.stop()
  await sleep(Math.max(0, dueAt + 2_000 - Date.now()))
  await meno.start()
  const after = await startBareStack(meno)
  const upAt = Date.now()
  try {
    return await untilDone(upAt, async () => {
      const [row] = await meno.rows<Counted>(
        "select count(*)::int as count, min(at) as first, max(at) as last from bare_turns where id not like '%/begun'",
      )
      return row
    })
  } finally {
    await after.end()
  }
}

/** Arcs sleep, everything is stopped, their reviews fall due, everything is started. */
async function drainArcs(meno: MenoProcess, settings: object): Promise<Drained> {
  const closed = await closedArc(meno, settings)
  await arcsAsleep(meno, closed, COUNT)
  const [due] = await meno.rows<{ latest: Date }>(
    `select max(wake_at) as latest from entities join arcs using (id) where revived_from = $1`,
    [closed],
  )
  await meno.stop()
  await sleep(Math.max(0, (due?.latest.getTime() ?? 0) + 2_000 - Date.now()))
  await meno.start()
  return untilDone(Date.now(), async () => {
    const [row] = await meno.rows<Counted>(
      `select count(*)::int as count, min(opened_at) as first, max(opened_at) as last
       from arc_questions question join arcs on arcs.id = arc_id
       where revived_from = $1 and question.kind = 'review'`,
      [closed],
    )
    return row
  })
}

interface Counted {
  count: number
  first: Date
  last: Date
}

async function untilDone(upAt: number, look: () => Promise<Counted | undefined>): Promise<Drained> {
  for (;;) {
    const row = await look()
    if (row && row.count >= COUNT) {
      const [first, last] = [row.first.getTime(), row.last.getTime()]
      return { totalMs: last - upAt, drainMs: last - first }
    }
    await sleep(LOOK_EVERY_MS)
  }
}

function print(name: string, { totalMs, drainMs }: Drained, bare: Drained): void {
  const cells = [totalMs / 1_000, drainMs / 1_000, totalMs / bare.totalMs, drainMs / bare.drainMs]
  console.log(
    tableLine(
      name,
      cells.map((cell, index) => cell.toFixed(index < 2 ? 1 : 2)),
    ),
  )
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
