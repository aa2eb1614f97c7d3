import type { MindMapView } from '../../contracts/arc.ts'
import { frontier, nextNode } from '../../domain/mind-map/frontier.ts'
import type { UnlockAt } from '../../domain/mind-map/mind-map.ts'
import { nodeView } from '../commit-events.ts'
import type { Db } from '../database.ts'
import { readDescribedMap } from './rows.ts'

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
