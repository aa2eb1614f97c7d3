import type { MindMapView } from '../../contracts/arc.ts'
import { frontier, nextNode } from '../../domain/mind-map/frontier.ts'
import type { UnlockAt } from '../../domain/mind-map/mind-map.ts'
import { nodeView } from '../commit-events.ts'
import type { Db } from '../database.ts'
import { readMap } from './rows.ts'

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
  const map = await readMap(db, mindMapId)
  const texts = await db
    .selectFrom('mind_map_nodes')
    .select(['id', 'description', 'inferred'])
    .where('mind_map_id', '=', mindMapId)
    .execute()
  const textOf = new Map(texts.map((text) => [text.id, text]))
  return {
    mindMap: {
      id: row.id,
      title: row.title,
      status: row.status,
      rootNodeId: row.root_node_id,
      metadata: row.metadata,
    },
    nodes: (map?.nodes ?? []).map((node) => {
      const text = textOf.get(node.id)
      return {
        ...nodeView(node),
        description: text?.description ?? '',
        ...(text?.inferred === null || text === undefined ? {} : { inferred: text.inferred }),
      }
    }),
    edges: map?.edges ?? [],
    frontier: map ? frontier(map, unlockAt).map((node) => node.id) : [],
    nextNodeId: map ? (nextNode(map, unlockAt)?.id ?? null) : null,
  }
}
