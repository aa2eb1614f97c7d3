import { type CompiledQuery, sql } from 'kysely'
import { settled } from '../../domain/mind-map/lifecycle.ts'
import type { MindMap, MindMapEdge, MindMapNode } from '../../domain/mind-map/mind-map.ts'
import type { DbOrTrx, Trx } from '../database.ts'
import { edgesInsert, nodesUpsert } from './rows.ts'

type Descriptions = readonly { nodeId: string; description: string }[]

/**
 * Writes what differs between two states of a map: nodes, edges, root and status.
 * @returns the map as it is stored now
 */
export async function writeMap(
  trx: Trx,
  before: MindMap,
  after: MindMap,
  descriptions: Descriptions = [],
): Promise<MindMap> {
  const stored = settled(after)
  for (const statement of mapWrites(trx, before, stored, descriptions)) {
    await trx.executeQuery(statement)
  }
  return stored
}

/** The statements of `writeMap`, for a map that is settled. */
export function mapWrites(
  db: DbOrTrx,
  before: MindMap,
  stored: MindMap,
  descriptions: Descriptions,
): CompiledQuery[] {
  const known = new Set<MindMapNode>(before.nodes)
  const nodes = stored.nodes.filter((node) => !known.has(node))
  const knownEdges = new Set<MindMapEdge>(before.edges)
  const edges = stored.edges.filter((edge) => !knownEdges.has(edge))
  const texts = {
    descriptions: new Map(descriptions.map((text) => [text.nodeId, text.description])),
  }
  const map = db
    .updateTable('mind_maps')
    .set({
      status: stored.status,
      root_node_id: stored.rootNodeId,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', stored.id)
  return [
    ...(nodes.length > 0 ? [nodesUpsert(db, stored.id, nodes, texts).compile()] : []),
    ...(edges.length > 0 ? [edgesInsert(db, stored.id, edges).compile()] : []),
    map.compile(),
  ]
}
