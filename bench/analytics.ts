import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { takeAllSnapshots } from '../src/store/analytics.ts'
import type { Db } from '../src/store/database.ts'
import { readHistories, readMap } from '../src/store/maps/rows.ts'
import { freshDatabase } from '../test/support/database.ts'
import { mapMetrics } from '../test/support/map-metrics.ts'
import { startMenoProcess } from '../test/support/meno-process.ts'
import { tableLine, timed } from './support/statistics.ts'

const RESPONSES = Number(process.env.MENO_BENCH_RESPONSES || 100_000)
const MAPS = Number(process.env.MENO_BENCH_MAPS || 1_000)
/** Maps are chains of small subtrees, as arcs make them. */
const NODES = 12
const NOW = Date.UTC(2026, 2, 15, 3)
const SAMPLE_MS = 20

/**
 * A night's snapshots of maps with many responses, against a loop that reads each map with its responses and computes in
 * memory; on the same rows, one after the other. `MENO_BENCH_RESPONSES` and `MENO_BENCH_MAPS` say how many.
 */
export async function run(): Promise<void> {
  const meno = await startMenoProcess()
  try {
    const fresh = await freshDatabase(meno.databaseUrl())
    await fill(fresh.db)
    const looped = await measured(() => loopOverMaps(fresh.db))
    const before = await metricsByMap(fresh.db)
    await sql`delete from analytics_snapshots`.execute(fresh.db)
    const together = await measured(() => takeAllSnapshots(fresh.db, NOW))
    const same = isSame(before, await metricsByMap(fresh.db))
    console.log(
      `\n${RESPONSES} responses over ${MAPS} maps; the metrics are ${same ? 'the same' : 'NOT THE SAME'}`,
    )
    console.log(tableLine('', ['seconds', 'heap growth MB', 'times as fast']))
    print('loop over maps', looped, looped.ms)
    print('set-based', together, looped.ms)
    await fresh.drop()
  } finally {
    await meno.remove()
  }
}

async function fill(db: Db): Promise<void> {
  const learner = randomUUID()
  await sql`insert into learners (id, handle, time_zone) values (${learner}, ${learner}, 'Europe/Berlin')`.execute(
    db,
  )
  await sql`
    insert into mind_maps (id, title, learner_id)
    select gen_random_uuid(), 'Map ' || n, ${learner} from generate_series(1, ${MAPS}::int) n
  `.execute(db)
  await sql`
    insert into mind_map_nodes (mind_map_id, label, sequence, mastery_status, mastery_score, ease_factor,
                                mastered_at, next_review_at)
    select map.id, 'Concept ' || n, n, reached, (hash % 100) / 100.0, 1.3 + (hash % 130) / 100.0,
           case when reached = 'mastered' then ${new Date(NOW)}::timestamptz - (hash % 60) * interval '1 day' end,
           case when reached in ('mastered', 'reviewing') then ${new Date(NOW)}::timestamptz end
    from mind_maps map, generate_series(1, ${NODES}::int) n,
         lateral (select abs(hashtext(map.id::text || n)) as hash) as drawn,
         lateral (select (array['unseen', 'learning', 'reviewing', 'mastered'])[1 + hash % 4] as reached) as state
  `.execute(db)
  await sql`
    insert into mind_map_edges (mind_map_id, parent_node_id, child_node_id)
    select child.mind_map_id, parent.id, child.id
    from mind_map_nodes child
    join mind_map_nodes parent on parent.mind_map_id = child.mind_map_id
      and parent.sequence = case when child.sequence <= 5 then 1 else child.sequence - 4 end
    where child.sequence > 1
  `.execute(db)
  await sql`
    update mind_maps set root_node_id = node.id
    from mind_map_nodes node where node.mind_map_id = mind_maps.id and node.sequence = 1
  `.execute(db)
  // As answers come in: by time, each one about another map.
  await sql`
    insert into quiz_responses (node_id, mind_map_id, question_text, user_answer, quality, response_type, responded_at)
    select node.id, node.mind_map_id, 'What is ' || n || ' times 7?', (n * 7)::text, n % 6,
           (array['teach', 'review', 'teach', 'review', 'review', 'diagnostic'])[1 + n % 6],
           ${new Date(NOW)}::timestamptz - (${RESPONSES}::int - n) * (interval '180 days' / ${RESPONSES}::int)
    from generate_series(1, ${RESPONSES}::int) n
    join (select id, mind_map_id, row_number() over (order by md5(id::text)) as place from mind_map_nodes) node
      on node.place = 1 + abs(hashint8(n)::bigint) % ${MAPS * NODES}::int
    order by n
  `.execute(db)
  // As the database itself has done by the night.
  await sql`vacuum analyze`.execute(db)
}

async function loopOverMaps(db: Db): Promise<number> {
  const maps = await sql<{ id: string; zone: string }>`
    select map.id, learner.time_zone as zone from mind_maps map join learners learner on learner.id = map.learner_id
  `.execute(db)
  for (const { id, zone: timeZone } of maps.rows) {
    const [map, histories, { rows: responses }] = await Promise.all([
      readMap(db, id),
      readHistories(db, id),
      sql<{ at: Date; quality: number; type: 'teach' | 'review' | 'diagnostic' }>`
        select responded_at as at, quality, response_type as type from quiz_responses where mind_map_id = ${id}
      `.execute(db),
    ])
    if (!map) continue
    const timed = responses.map(({ at, ...response }) => ({ at: at.getTime(), ...response }))
    const metrics = mapMetrics({ map, responses: timed, histories, timeZone }, NOW)
    await sql`
      insert into analytics_snapshots (mind_map_id, snapshot_date, metrics)
      values (${id}, ${new Date(NOW)}::date, ${JSON.stringify(metrics)})
    `.execute(db)
  }
  return maps.rows.length
}

async function metricsByMap(db: Db): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; metrics: string }>`
    select mind_map_id as id, metrics::text as metrics from analytics_snapshots
  `.execute(db)
  return new Map(rows.map(({ id, metrics }) => [id, JSON.stringify(JSON.parse(metrics))]))
}

const isSame = (one: Map<string, string>, other: Map<string, string>): boolean =>
  one.size === other.size && [...one].every(([id, metrics]) => other.get(id) === metrics)

interface Measured {
  ms: number
  /** By how much the heap, and what hangs from it, was larger than before at its largest, in bytes. */
  memory: number
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, used())
  }, SAMPLE_MS)
  const [, ms] = await timed(work)
  clearInterval(sampling)
  return { ms, memory: Math.max(most, used()) - before }
}

function print(name: string, { ms, memory }: Measured, loopMs: number): void {
  const cells = [(ms / 1_000).toFixed(2), (memory / 2 ** 20).toFixed(0), (loopMs / ms).toFixed(1)]
  console.log(tableLine(name, cells))
}

if (import.meta.main) {
  await run()
  process.exit(0)
}
