import { z } from 'zod'
import {
  findSnapshot,
  mapsOfLearner,
  type Snapshot,
  snapshotsSince,
  takeSnapshot,
} from '../store/analytics.ts'
import { utcDate } from '../store/map-metrics.ts'
import { GraphRefusal } from '../store/maps/stored-map.ts'
import { requireMap } from './access.ts'
import { id, type ToolContext, tool } from './tool.ts'

const DAY_MS = 86_400_000
const metrics = z.record(z.string(), z.unknown()).describe('the metrics of one map on one day')
const SnapshotView = z.object({ snapshot_date: z.string(), metrics })

const view = (snapshot: Snapshot) => ({ ...snapshot, metrics: { ...snapshot.metrics } })

/** The snapshot of the date, or the latest; where the nightly job has not come by, taken now. */
async function snapshotOf({ db }: ToolContext, mapId: string, date: string | null) {
  const found = await findSnapshot(db, mapId, date)
  const isToday = date === null || date === utcDate(Date.now())
  const snapshot = found ?? (isToday ? await takeSnapshot(db, mapId, Date.now()) : null)
  if (snapshot) return snapshot
  throw new GraphRefusal('not-found', `There is no snapshot of ${date}.`)
}

const get = tool(
  'analytics_get_snapshot',
  'The metrics of a map on a UTC date, or the latest; computed now where there are none yet.',
  {
    input: { mind_map_id: id, date: z.iso.date().optional() },
    output: SnapshotView.shape,
  },
  async (context, { mindMapId, date }) => {
    await requireMap(context, mindMapId)
    return view(await snapshotOf(context, mindMapId, date ?? null))
  },
)

const trend = tool(
  'analytics_get_trend',
  'The snapshots of a map over the last days, oldest first.',
  {
    input: { mind_map_id: id, days: z.int().min(1).max(366).default(30) },
    output: { snapshots: z.array(SnapshotView) },
  },
  async (context, { mindMapId, days }) => {
    await requireMap(context, mindMapId)
    await snapshotOf(context, mindMapId, null)
    const from = utcDate(Date.now() - (days - 1) * DAY_MS)
    return { snapshots: (await snapshotsSince(context.db, mindMapId, from)).map(view) }
  },
)

const crossTopic = tool(
  'analytics_get_cross_topic',
  'The latest metrics of every map of yours that has concepts.',
  {
    input: {},
    output: { maps: z.array(z.object({ mind_map_id: id, title: z.string(), metrics })) },
  },
  async (context) => {
    const maps = await mapsOfLearner(context.db, context.actor.learner.id)
    return {
      maps: await Promise.all(
        maps.map(async ({ id: mapId, title }) => ({
          mindMapId: mapId,
          title,
          metrics: { ...(await snapshotOf(context, mapId, null)).metrics },
        })),
      ),
    }
  },
)

export const ANALYTICS_TOOLS = [get, trend, crossTopic]
