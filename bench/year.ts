import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from '@temporalio/worker'
import { sql } from 'kysely'
import { agendaProduct } from '../src/activities/agenda/product.ts'
import { wakeEntity } from '../src/commands/wake.ts'
import { workflowId } from '../src/contracts/temporal.ts'
import { startLocalStack } from '../src/dev/local-stack.ts'
import { seededRandom } from '../src/domain/random/seeded-random.ts'
import { agendaEntity, storeAgendaInput } from '../src/store/agenda/entity.ts'
import { takeAllSnapshots } from '../src/store/analytics.ts'
import { entityInsert } from '../src/store/spine/entities.ts'
import { workflowBundle } from '../src/workflow-bundle.ts'
import { atRest } from '../test/support/calm.ts'
import { allRuns } from '../test/support/histories.ts'
import { type House, openHouse } from '../test/support/house.ts'
import { spineCrew } from '../test/support/spine-crew.ts'
import { findTestServer } from '../test/support/test-server.ts'
import { BARE_QUEUE, BARE_WORKFLOW, TURN_SIGNAL } from './support/bare-names.ts'
import { DUE_LEARNERS } from './support/due-learners.ts'
import { tableLine, timed } from './support/statistics.ts'

const DAYS = Number(process.env.MENO_BENCH_DAYS || 365)
const TOPICS = 5
const CONCEPTS_EACH = 6
const CAP = 20
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** The hours of a day, UTC: snapshots are taken, reviews fall due, the learner is nudged, the learner answers. */
const [SNAPSHOT, DUE, STUDY, ANSWER] = [3, 7, 18, 19]
const SUNDAY = 0
const INTERVALS = [1, 6, 15, 21]
/** On so many of a hundred days the learner answers what is listed; in the summer nobody is there. */
const ANSWERS_OF_100 = 60
const isAway = (day: number) => day >= 200 && day < 221
const isThere = (day: number, draw: number) => !isAway(day) && draw * 100 < ANSWERS_OF_100

/**
 * A year of one learner over five topics on the time-skipping server: the nudges and digests of the real workflow, rules
 * and outbox, and the nightly snapshots, against a count made by days, in whole numbers, without any of them; and how long
 * it takes beside as many turns of a bare workflow over as many days. `MENO_BENCH_DAYS` says how many days.
 */
export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'meno-year-'))
  const log = () => {}
  const stack = await startLocalStack({
    menoHome: home,
    env: { ...process.env, DATABASE_URL: '', TEMPORAL_ADDRESS: '' },
    log,
    ports: { postgres: 0, temporal: 0, temporalUi: 0 },
  })
  try {
    const house = await openHouse({
      server: 'skipping',
      servers: {
        postgresUrl: stack.databaseUrl,
        temporalAddress: stack.temporal.address,
        testServerPath: await findTestServer({ log }),
        workflowBundlePath: await workflowBundle(),
      },
      crew: (opened) =>
        spineCrew(opened, [
          agendaProduct({
            db: opened.db,
            channels: [],
            courses: [],
            mind: null,
            pageUrl: '',
            dayMs: DAY_MS,
          }),
        ]),
    })
    const begin = Math.ceil((await house.env.currentTimeMs()) / DAY_MS) * DAY_MS
    const [lived, ms] = await timed(() => liveAYear(house, begin))
    const bareMs = await bareYear(house, lived.decisions)
    print(lived, countAYear(begin), ms, bareMs)
    await house.stop()
  } finally {
    await stack.stop()
    rmSync(home, { recursive: true, force: true })
  }
}

interface Year {
  /** The day of each nudge, and how many reviews it named. */
  nudges: { day: number; items: number }[]
  reviews: number
  /** The day of each digest. */
  digests: number[]
  snapshots: number
  decisions: number
  events: number
}

type Counted = Omit<Year, 'decisions' | 'events'>

async function liveAYear(house: House, begin: number): Promise<Year> {
  const { db, env } = house
  await db.executeQuery(
    sql.raw(DUE_LEARNERS.replaceAll('$1', '1').replace('$2', `'epoch'`)).compile(db),
  )
  const { id: learnerId } = await db.selectFrom('learners').select('id').executeTakeFirstOrThrow()
  await db
    .updateTable('learners')
    .set({
      quiet_from: '21:00',
      quiet_to: '08:00',
      study_time: `${STUDY}:00`,
      daily_review_cap: CAP,
    })
    .execute()
  await topicsOf(house, learnerId, begin)
  const handle = env.client.workflow.getHandle(workflowId.agenda(learnerId))
  await wakeEntity(env.client, agendaEntity(learnerId))
  const until = async (at: number) => {
    await atRest(handle)
    await env.sleep(Math.max(0, at - (await env.currentTimeMs())))
    await atRest(handle)
  }
  const draw = seededRandom(7)
  let reviews = 0
  for (let day = 0; day < DAYS; day += 1) {
    const isAnswering = isThere(day, draw())
    await takeAllSnapshots(db, begin + day * DAY_MS + SNAPSHOT * HOUR_MS)
    if (!isAnswering) continue
    await until(begin + day * DAY_MS + ANSWER * HOUR_MS)
    reviews += await answer(house, learnerId, begin, day)
  }
  await until(begin + DAYS * DAY_MS)
  const rows = await db
    .selectFrom('nudges')
    .select(['kind', 'created_at', 'notice'])
    .orderBy('created_at')
    .execute()
  const dayOf = (at: Date) => Math.floor((at.getTime() - begin) / DAY_MS)
  const { count } = await db
    .selectFrom('analytics_snapshots')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  const entity = await db
    .selectFrom('entities')
    .select('generation')
    .where('id', '=', learnerId)
    .executeTakeFirstOrThrow()
  const runs = await allRuns(env.client.workflow, handle.workflowId)
  return {
    nudges: rows
      .filter(({ kind }) => kind === 'reviews')
      .map(({ created_at, notice }) => ({ day: dayOf(created_at), items: notice.items.length })),
    digests: rows.flatMap(({ kind, created_at }) => (kind === 'digest' ? dayOf(created_at) : [])),
    snapshots: Number(count),
    reviews,
    decisions: entity.generation,
    events: runs.reduce((sum, { events }) => sum + events.length, 0),
  }
}

/** The concept of the first topic makes room for five topics, each with its concepts due one after the other. */
async function topicsOf({ db }: House, learnerId: string, begin: number): Promise<void> {
  await sql`delete from arcs`.execute(db)
  await sql`delete from mind_maps`.execute(db)
  for (let topic = 0; topic < TOPICS; topic += 1) {
    const { id } = await db
      .insertInto('mind_maps')
      .values({ title: `topic ${topic}`, learner_id: learnerId })
      .returning('id')
      .executeTakeFirstOrThrow()
    const arcId = randomUUID()
    await entityInsert(db, {
      id: arcId,
      product: 'arc',
      workflowId: workflowId.arc(arcId),
      learnerId,
      courseId: null,
      begins: 'with its first input',
    }).execute()
    await db
      .insertInto('arcs')
      .values({
        id: arcId,
        mind_map_id: id,
        learner_id: learnerId,
        topic: `topic ${topic}`,
        tutor: 'offline',
        settings: '{}',
        phase: 'REVIEWING',
      })
      .execute()
    for (let concept = 0; concept < CONCEPTS_EACH; concept += 1) {
      await db
        .insertInto('mind_map_nodes')
        .values({
          mind_map_id: id,
          label: `${topic}-${concept}`,
          mastery_status: 'reviewing',
          next_review_at: new Date(begin + (topic + concept) * DAY_MS + DUE * HOUR_MS),
        })
        .execute()
    }
  }
}

/** The learner answers what is listed: the longest overdue, by label where they are alike; as rows, without an arc. */
async function answer(
  { db, env }: House,
  learnerId: string,
  begin: number,
  day: number,
): Promise<number> {
  const now = new Date(begin + day * DAY_MS + ANSWER * HOUR_MS)
  const due = await db
    .selectFrom('mind_map_nodes')
    .select(['id', 'mind_map_id', 'repetitions'])
    .where('next_review_at', '<=', now)
    .orderBy('next_review_at')
    .orderBy('label')
    .limit(CAP)
    .execute()
  for (const { id, mind_map_id, repetitions } of due) {
    const days = INTERVALS[Math.min(repetitions, INTERVALS.length - 1)] ?? 1
    await db
      .updateTable('mind_map_nodes')
      .set({
        repetitions: repetitions + 1,
        next_review_at: new Date(begin + (day + days) * DAY_MS + DUE * HOUR_MS),
      })
      .where('id', '=', id)
      .execute()
    await db
      .insertInto('quiz_responses')
      .values({
        node_id: id,
        mind_map_id,
        question_text: '?',
        quality: 5,
        response_type: 'review',
        responded_at: now,
      })
      .execute()
  }
  await db.updateTable('arcs').set({ last_session_at: now }).execute()
  const agenda = await storeAgendaInput(db, learnerId, { id: `seen/${day}`, type: 'seen' })
  if (agenda) await wakeEntity(env.client, agenda)
  return due.length
}

/** As many turns of a bare workflow, each with one local activity that writes, spread over as many days; in ms. */
async function bareYear({ db, env }: House, turns: number): Promise<number> {
  await sql`create table bare_turns (id text primary key)`.execute(db)
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: BARE_QUEUE,
    workflowsPath: join(import.meta.dirname, 'support/bare-workflow.ts'),
    activities: {
      write: (id: string) => sql`insert into bare_turns values (${id})`.execute(db).then(() => {}),
    },
  })
  return worker.runUntil(async () => {
    const handle = await env.client.workflow.start(BARE_WORKFLOW, {
      workflowId: 'bare-year',
      taskQueue: BARE_QUEUE,
    })
    await atRest(handle)
    const [, ms] = await timed(async () => {
      for (let turn = 0; turn < turns; turn += 1) {
        await handle.signal(TURN_SIGNAL, { id: String(turn), steps: 0 })
        await atRest(handle)
        await env.sleep((DAYS * DAY_MS) / turns)
      }
    })
    await handle.terminate()
    return ms
  })
}

/** The same year in whole days: who is due, who is asked, who is ignored, who has something to look back on. */
function countAYear(begin: number): Counted {
  const draw = seededRandom(7)
  const concepts = Array.from({ length: TOPICS * CONCEPTS_EACH }, (_, number) => ({
    label: `${Math.floor(number / CONCEPTS_EACH)}-${number % CONCEPTS_EACH}`,
    due: Math.floor(number / CONCEPTS_EACH) + (number % CONCEPTS_EACH),
    times: 0,
  }))
  const nudges: Year['nudges'] = []
  const digests: number[] = []
  let [reviews, ignored, lastDay] = [0, 0, -8]
  for (let day = 0; day < DAYS; day += 1) {
    const isSunday = new Date(begin + day * DAY_MS).getUTCDay() === SUNDAY
    if (isSunday && lastDay >= day - 7) digests.push(day)
    const due = concepts
      .filter((concept) => concept.due <= day)
      .sort((a, b) => a.due - b.due || (a.label < b.label ? -1 : 1))
    const last = nudges.at(-1)?.day ?? -9
    const isNudged = due.length > 0 && (ignored < 3 || day >= last + 2)
    if (isNudged) nudges.push({ day, items: Math.min(CAP, due.length) })
    if (isThere(day, draw())) {
      for (const concept of due.slice(0, CAP)) {
        concept.due = day + (INTERVALS[Math.min(concept.times, INTERVALS.length - 1)] ?? 1)
        concept.times += 1
        reviews += 1
        lastDay = day
      }
      ignored = 0
    } else if (isNudged) ignored += 1
  }
  return { nudges, reviews, digests, snapshots: DAYS * TOPICS }
}

function print(lived: Year, expected: Counted, ms: number, bareMs: number): void {
  const named = ({ nudges }: Counted) => nudges.reduce((sum, { items }) => sum + items, 0)
  console.log(`\n${DAYS} days of one learner over ${TOPICS} topics`)
  console.log(tableLine('', ['lived', 'counted']))
  for (const [name, of] of [
    ['nudges', (year) => year.nudges.length],
    ['reviews named in them', named],
    ['reviews answered', (year) => year.reviews],
    ['digests', (year) => year.digests.length],
    ['snapshots', (year) => year.snapshots],
  ] as [string, (year: Counted) => number][]) {
    console.log(tableLine(name, [of(lived), of(expected)]))
  }
  const differing = expected.nudges.filter(
    ({ day, items }, i) => lived.nudges[i]?.day !== day || lived.nudges[i]?.items !== items,
  )
  const wrong =
    differing.length +
    Math.max(0, lived.nudges.length - expected.nudges.length) +
    Math.abs(lived.snapshots - expected.snapshots) +
    expected.digests.filter((day) => !lived.digests.includes(day)).length +
    lived.digests.filter((day) => !expected.digests.includes(day)).length
  console.log(`${wrong} nudges, digests or snapshots differ by day or number`)
  console.log(
    `${lived.decisions} decisions and ${lived.events} events of history for ${lived.nudges.length} nudges; ${(ms / 1_000).toFixed(0)} s, ${(ms / bareMs).toFixed(1)} times as long as so many bare turns`,
  )
  if (wrong > 0) throw new Error('the year is not what was counted')
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
