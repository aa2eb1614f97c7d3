import { setTimeout as sleep } from 'node:timers/promises'
import { type MenoProcess, startMenoProcess } from '../test/support/meno-process.ts'
import { beginArc } from '../test/support/scripted-learner.ts'
import { startBareStack } from './support/bare-stack.ts'
import { DUE_LEARNERS } from './support/due-learners.ts'
import { say, viewOf } from './support/sleeping-arcs.ts'
import { quantile, tableLine, timed } from './support/statistics.ts'

const COUNT = Number(process.env.MENO_BENCH_LEARNERS || 2_000)
/** The reconciler begins two hundred agendas every 15 seconds. */
const BEGIN_MS = 45_000 + Math.ceil(COUNT / 200) * 15_000
const BARE_SLEEP_MS = 30_000 + COUNT * 50
const LOOK_EVERY_MS = 1_000
/** Somebody else goes on learning: so many turns before the rush say what is usual. */
const USUAL_TURNS = 60
const WARM_UP = 20
const REST_MS = 250

/** From the moment on at which all fall due until the first and the last are done, in ms. */
interface Rush {
  firstMs: number
  lastMs: number
}

/**
 * 2,000 learners whose reviews fall due at one moment, until each has its nudge on the page, against as many bare
 * workflows whose timers ring at one moment and that run one local activity each; on the same servers, one after the
 * other. Beside it how long a turn of another learner takes before and meanwhile. `MENO_BENCH_LEARNERS` says how many.
 */
export async function run(): Promise<void> {
  const meno = await startMenoProcess({ MENO_DAY_SECONDS: '86400' })
  try {
    const bare = await rushBare(meno)
    const { nudges, usual, meanwhile } = await rushNudges(meno)
    console.log(`\n${COUNT} reviews due at one moment, until every learner is nudged`)
    console.log(tableLine('', ['first, s', 'last, s', 'ratio of last']))
    for (const [name, { firstMs, lastMs }] of Object.entries({ 'bare workflows': bare, nudges })) {
      const cells = [firstMs / 1_000, lastMs / 1_000, lastMs / bare.lastMs]
      console.log(
        tableLine(
          name,
          cells.map((cell) => cell.toFixed(2)),
        ),
      )
    }
    console.log(`\nA turn of another learner, ${meanwhile.length} of them meanwhile`)
    console.log(tableLine('', ['p50, ms', 'p95, ms', 'ratio of p95']))
    for (const [name, turns] of Object.entries({ usual, meanwhile })) {
      const ratio = quantile(turns, 0.95) / quantile(usual, 0.95)
      const cells = [quantile(turns, 0.5), quantile(turns, 0.95), ratio]
      console.log(
        tableLine(
          name,
          cells.map((cell) => cell.toFixed(2)),
        ),
      )
    }
  } finally {
    await meno.remove()
  }
}

async function rushBare(meno: MenoProcess): Promise<Rush> {
  const bare = await startBareStack(meno)
  try {
    const dueAt = Date.now() + BARE_SLEEP_MS
    await bare.sleepers(COUNT, dueAt)
    return await untilAll(
      meno,
      dueAt,
      "select count(*)::int as count, min(at) as first, max(at) as last from bare_turns where id not like '%/begun'",
    )
  } finally {
    await bare.end()
  }
}

async function rushNudges(
  meno: MenoProcess,
): Promise<{ nudges: Rush; usual: number[]; meanwhile: number[] }> {
  const turn = await learner(meno)
  const dueAt = Date.now() + BEGIN_MS
  await meno.rows(DUE_LEARNERS, [COUNT, new Date(dueAt)])
  for (;;) {
    const [waiting] = await meno.rows<{ count: number }>(
      "select count(*)::int as count from inbox where id = 'begin' and answered_at is null",
    )
    if (waiting?.count === 0) break
    if (Date.now() > dueAt) throw new Error('not all agendas began before the reviews were due')
    await sleep(LOOK_EVERY_MS)
  }
  for (let turns = 0; turns < WARM_UP; turns += 1) await turn()
  const usual: number[] = []
  while (usual.length < USUAL_TURNS) usual.push(await turn())
  if (Date.now() > dueAt) throw new Error('the reviews were due before it was known what is usual')
  const meanwhile: number[] = []
  let isOver = false
  const learns = async () => {
    while (!isOver) {
      const ms = await turn()
      if (Date.now() > dueAt) meanwhile.push(ms)
    }
  }
  const rush = untilAll(
    meno,
    dueAt,
    `select count(*)::int as count, min(created_at) as first, max(created_at) as last
     from events where type = 'nudge' and stream in (select id::text from learners)`,
  ).finally(() => {
    isOver = true
  })
  const [nudges] = await Promise.all([rush, learns()])
  return { nudges, usual, meanwhile }
}

/** Somebody who learns; each call is a turn, after a rest, and tells how long it took in ms. */
async function learner(meno: MenoProcess): Promise<() => Promise<number>> {
  const arcId = await beginArc(meno.url, {
    topic: 'common factors',
    settings: { skipDiagnosis: true },
  })
  while ((await viewOf(meno, arcId)).pendingQuestion === null) await sleep(50)
  return async () => {
    await sleep(REST_MS)
    const [, ms] = await timed(() => say(meno, arcId, { text: 'hint' }))
    return ms
  }
}

async function untilAll(meno: MenoProcess, dueAt: number, counted: string): Promise<Rush> {
  await sleep(Math.max(0, dueAt - Date.now()))
  for (;;) {
    const [row] = await meno.rows<{ count: number; first: Date; last: Date }>(counted)
    if (row && row.count >= COUNT) {
      return { firstMs: row.first.getTime() - dueAt, lastMs: row.last.getTime() - dueAt }
    }
    await sleep(LOOK_EVERY_MS)
  }
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
