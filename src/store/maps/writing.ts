import { sql } from 'kysely'
import { isComplete } from '../../domain/mind-map/frontier.ts'
import { prerequisiteGraph } from '../../domain/mind-map/graph.ts'
import type { MindMap, MindMapEdge, MindMapNode } from '../../domain/mind-map/mind-map.ts'
import type { Trx } from '../database.ts'
import { writeEdges, writeNodes } from './rows.ts'

/**
 * Writes what differs between two states of a map: nodes, edges, root and status. An active map of
 * which every node that counts is mastered is completed by it (seed 001, syllabus lifecycle).
 * @returns the map as it is stored now
 */
export async function writeMap(
  trx: Trx,
  before: MindMap,
  after: MindMap,
  descriptions: readonly { nodeId: string; description: string }[] = [],
): Promise<MindMap> {
  const stored = settled(after)
  const known = new Set<MindMapNode>(before.nodes)
  const changed = stored.nodes.filter((node) => !known.has(node))
  await writeNodes(trx, stored.id, changed, {
    descriptions: new Map(descriptions.map((text) => [text.nodeId, text.description])),
  })
  const knownEdges = new Set<MindMapEdge>(before.edges)
  await writeEdges(
    trx,
    stored.id,
    stored.edges.filter((edge) => !knownEdges.has(edge)),
  )
  await trx
    .updateTable('mind_maps')
    .set({
      status: stored.status,
      root_node_id: stored.rootNodeId,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', stored.id)
    .execute()
  return stored
}

function settled(map: MindMap): MindMap {
  if (map.status === 'creation') return { ...map, rootNodeId: rootOf(map) }
  return map.status === 'active' && isComplete(map) ? { ...map, status: 'completed' } : map
}

/** While a map is built its root is the first node that needs nothing; a whole map has just one. */
function rootOf(map: MindMap): string | null {
  const { parents } = prerequisiteGraph(map)
  const needsNothing = (id: string | null) => id !== null && parents.get(id)?.length === 0
  if (needsNothing(map.rootNodeId)) return map.rootNodeId
  return map.nodes.find((node) => needsNothing(node.id))?.id ?? null
}
