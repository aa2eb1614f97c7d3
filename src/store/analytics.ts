import { sql } from 'kysely'
import type { MapMetrics } from '../domain/analytics/metrics.ts'
import type { Db, DbOrTrx } from './database.ts'
import { type MeasuredMap, snapshotsUpsert, utcDate } from './map-metrics.ts'

/** The metrics of a map on one UTC date, YYYY-MM-DD. */
export interface Snapshot {
  snapshotDate: string
  metrics: MapMetrics
}

const MAPS_AT_ONCE = 1_000

/** The map's learner is its arc's, else its own; UTC where it has none. */
const measuredMaps = sql`
  select map.id, coalesce(learner.time_zone, 'UTC') as zone
  from mind_maps map
  left join arcs arc on arc.mind_map_id = map.id
  left join learners learner on learner.id = coalesce(arc.learner_id, map.learner_id)`

/**
 * Computes the metrics of a map as of now and keeps them as that UTC date's snapshot; computed
 * again on the same date, the later one stays. Null for an unknown map.
 */
export async function takeSnapshot(
  db: DbOrTrx,
  mapId: string,
  now: number,
): Promise<Snapshot | null> {
  const { rows } = await sql<MeasuredMap>`${measuredMaps} where map.id = ${mapId}`.execute(db)
  if (rows.length === 0) return null
  await db.executeQuery(snapshotsUpsert(db, rows, now))
  return findSnapshot(db, mapId, utcDate(now))
}

/** How far a night's snapshots have come: those of all maps up to this id are taken. */
export interface SnapshotProgress {
  after: string
  taken: number
}

/**
 * One snapshot of every map that has concepts (seed 000 D6), a thousand maps at once in the order of their ids.
 * @param from what an earlier run told of last, to go on from there
 * @param onProgress is told after each batch
 * @returns how many were taken
 */
export async function takeAllSnapshots(
  db: Db,
  now: number,
  from: SnapshotProgress | null = null,
  onProgress: (progress: SnapshotProgress) => void = () => {},
): Promise<number> {
  let after = from?.after ?? null
  let taken = from?.taken ?? 0
  for (;;) {
    const { rows } = await sql<MeasuredMap>`
      ${measuredMaps}
      where (${after}::uuid is null or map.id > ${after}::uuid)
        and exists (select from mind_map_nodes where mind_map_id = map.id)
      order by map.id limit ${MAPS_AT_ONCE}
    `.execute(db)
    const last = rows.at(-1)
    if (!last) return taken
    await db.transaction().execute(async (trx) => {
      // Planned once for every batch, it would be planned for ten maps, and take four times as long.
      await sql`set local plan_cache_mode = force_custom_plan`.execute(trx)
      await trx.executeQuery(snapshotsUpsert(trx, rows, now))
    })
    after = last.id
    taken += rows.length
    onProgress({ after, taken })
  }
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
