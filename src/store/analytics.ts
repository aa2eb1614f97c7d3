import { sql } from 'kysely'
import { type MapMetrics, mapMetrics } from '../domain/analytics/metrics.ts'
import type { DbOrTrx } from './database.ts'
import { readHistories, readMap } from './maps/rows.ts'

/** The metrics of a map on one UTC date, YYYY-MM-DD. */
export interface Snapshot {
  snapshotDate: string
  metrics: MapMetrics
}

/** The UTC date of a moment in UTC ms. */
export const utcDate = (at: number): string => new Date(at).toISOString().slice(0, 10)

/**
 * Computes the metrics of a map as of now and keeps them as that UTC date's snapshot; computed
 * again on the same date, the later one stays. Null for an unknown map.
 */
export async function takeSnapshot(
  db: DbOrTrx,
  mapId: string,
  now: number,
): Promise<Snapshot | null> {
  const map = await readMap(db, mapId)
  if (!map) return null
  const [responses, histories, timeZone] = await Promise.all([
    db
      .selectFrom('quiz_responses')
      .select(['quality', 'response_type', 'responded_at'])
      .where('mind_map_id', '=', mapId)
      .execute(),
    readHistories(db, mapId),
    zoneOf(db, mapId),
  ])
  const metrics = mapMetrics(
    {
      map,
      responses: responses.map((row) => ({
        at: row.responded_at.getTime(),
        quality: row.quality,
        type: row.response_type,
      })),
      histories,
      timeZone,
    },
    now,
  )
  const snapshotDate = utcDate(now)
  await sql`
    insert into analytics_snapshots (mind_map_id, snapshot_date, metrics)
    values (${mapId}, ${snapshotDate}, ${JSON.stringify(metrics)})
    on conflict (mind_map_id, snapshot_date)
    do update set metrics = excluded.metrics, created_at = now()
  `.execute(db)
  return { snapshotDate, metrics }
}

async function zoneOf(db: DbOrTrx, mapId: string): Promise<string> {
  const { rows } = await sql<{ time_zone: string }>`
    select learner.time_zone
    from mind_maps map
    left join arcs arc on arc.mind_map_id = map.id
    join learners learner on learner.id = coalesce(arc.learner_id, map.learner_id)
    where map.id = ${mapId}
  `.execute(db)
  return rows[0]?.time_zone ?? 'UTC'
}

/**
 * The nightly job (seed 000 D6): one snapshot of every map that has concepts.
 * @returns how many were taken
 */
export async function takeAllSnapshots(db: DbOrTrx, now: number): Promise<number> {
  const maps = await db.selectFrom('mind_map_nodes').select('mind_map_id').distinct().execute()
  for (const map of maps) await takeSnapshot(db, map.mind_map_id, now)
  return maps.length
}

/** The snapshots of a map from a UTC date on, oldest first. */
export async function snapshotsSince(
  db: DbOrTrx,
  mapId: string,
  from: string,
): Promise<Snapshot[]> {
  const { rows } = await sql<Snapshot>`
    select to_char(snapshot_date, 'YYYY-MM-DD') as "snapshotDate", metrics
    from analytics_snapshots
    where mind_map_id = ${mapId} and snapshot_date >= ${from}::date
    order by snapshot_date
  `.execute(db)
  return rows
}

/** The snapshot of a UTC date, or the latest there is; null without one. */
export async function findSnapshot(
  db: DbOrTrx,
  mapId: string,
  date: string | null,
): Promise<Snapshot | null> {
  const { rows } = await sql<Snapshot>`
    select to_char(snapshot_date, 'YYYY-MM-DD') as "snapshotDate", metrics
    from analytics_snapshots
    where mind_map_id = ${mapId} and (${date}::date is null or snapshot_date = ${date}::date)
    order by snapshot_date desc limit 1
  `.execute(db)
  return rows[0] ?? null
}

/** The maps of a learner that have concepts, newest first. */
export async function mapsOfLearner(
  db: DbOrTrx,
  learnerId: string,
): Promise<{ id: string; title: string }[]> {
  const { rows } = await sql<{ id: string; title: string }>`
    select map.id, map.title
    from mind_maps map left join arcs arc on arc.mind_map_id = map.id
    where coalesce(arc.learner_id, map.learner_id) = ${learnerId}
      and exists (select 1 from mind_map_nodes where mind_map_id = map.id)
    order by map.created_at desc, map.id
  `.execute(db)
  return rows
}
