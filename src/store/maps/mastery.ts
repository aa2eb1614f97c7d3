import { type Selectable, sql } from 'kysely'
import { emptyHistory } from '../../domain/mastery/status.ts'
import {
  type StrugglingReason,
  strugglingReasons,
  strugglingSubtrees,
} from '../../domain/mastery/struggling.ts'
import type { MasteryStatus } from '../../domain/mind-map/mind-map.ts'
import type { DbOrTrx } from '../database.ts'
import type { Database } from '../schema.ts'
import { readHistories, readMap } from './rows.ts'
import { GraphRefusal } from './stored-map.ts'

/** The latest responses on a node, newest first. */
export async function nodeResponses(
  db: DbOrTrx,
  nodeId: string,
  limit: number,
): Promise<Selectable<Database['quiz_responses']>[]> {
  return db
    .selectFrom('quiz_responses')
    .selectAll()
    .where('node_id', '=', nodeId)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
}

export interface MasterySummary {
  total: number
  byStatus: Record<MasteryStatus, number>
  /** Mastered of all nodes, 0..1, two decimals. */
  masteryPct: number
  /** Mean score, 0..1; 0 for a map without nodes. */
  avgScore: number
}

/** How far a map is, counted by the database. */
export async function masterySummary(db: DbOrTrx, mapId: string): Promise<MasterySummary> {
  const { rows } = await sql<{ status: MasteryStatus; count: number; score: number }>`
    select mastery_status as status, count(*)::int as count, sum(mastery_score) as score
    from mind_map_nodes where mind_map_id = ${mapId} group by mastery_status
  `.execute(db)
  const byStatus = { unseen: 0, diagnosed: 0, learning: 0, reviewing: 0, mastered: 0 }
  for (const row of rows) byStatus[row.status] = row.count
  const total = rows.reduce((sum, row) => sum + row.count, 0)
  const score = rows.reduce((sum, row) => sum + row.score, 0)
  return {
    total,
    byStatus,
    masteryPct: total === 0 ? 0 : Math.round((byStatus.mastered / total) * 100) / 100,
    avgScore: total === 0 ? 0 : score / total,
  }
}

export interface Struggles {
  nodes: { nodeId: string; label: string; reasons: StrugglingReason[] }[]
  /** Children of the root with two struggling nodes at or below them. */
  subtrees: string[]
}

/** The nodes of a map that are in difficulty, and why. */
export async function detectStruggles(db: DbOrTrx, mapId: string): Promise<Struggles> {
  const map = await readMap(db, mapId)
  if (!map) throw new GraphRefusal('not-found', 'There is no such mind map.')
  const histories = await readHistories(db, mapId)
  const nodes = map.nodes.flatMap(({ id, label, masteryStatus }) => {
    const reasons = strugglingReasons(masteryStatus, histories[id] ?? emptyHistory())
    return reasons.length > 0 ? [{ nodeId: id, label, reasons }] : []
  })
  const struggling = new Set(nodes.map(({ nodeId }) => nodeId))
  return { nodes, subtrees: strugglingSubtrees(map, struggling) }
}
