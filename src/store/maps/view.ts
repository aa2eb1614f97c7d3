import type { MindMapView } from '../../contracts/arc.ts'
import { frontier, isPlaced, nextNode } from '../../domain/mind-map/frontier.ts'
import type { MindMapNode, UnlockAt } from '../../domain/mind-map/mind-map.ts'
import type { Db } from '../database.ts'
import { readDescribedMap } from './rows.ts'

const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())

/** A node of the map as events and HTTP show it, without its description. */
export const nodeView = (node: MindMapNode) => ({
  id: node.id,
  label: node.label,
  depth: node.depth,
  sequence: node.sequence,
  masteryStatus: node.masteryStatus,
  masteryScore: node.masteryScore,
  easeFactor: node.easeFactor,
  repetitions: node.repetitions,
  intervalDays: node.intervalDays,
  nextReviewAt: iso(node.nextReviewAt),
  effortMinutes: node.effortMinutes,
  placed: isPlaced(node),
  unitId: node.unitId,
  metadata: node.metadata,
})

/** A map as the API shows it: nodes with their texts, edges, frontier and the node that comes next. */
export async function readMindMapView(
  db: Db,
  mindMapId: string,
  unlockAt: UnlockAt,
): Promise<MindMapView> {
  const row = await db
    .selectFrom('mind_maps')
    .selectAll()
    .where('id', '=', mindMapId)
    .executeTakeFirstOrThrow()
  const map = await readDescribedMap(db, mindMapId)
  return {
    mindMap: {
      id: row.id,
      title: row.title,
      status: row.status,
      rootNodeId: row.root_node_id,
      metadata: row.metadata,
    },
    nodes: (map?.nodes ?? []).map((node) => ({
      ...nodeView(node),
      description: node.description,
      ...(node.inferred === null ? {} : { inferred: node.inferred }),
    })),
    edges: map?.edges ?? [],
    frontier: map ? frontier(map, unlockAt).map((node) => node.id) : [],
    nextNodeId: map ? (nextNode(map, unlockAt)?.id ?? null) : null,
  }
}
