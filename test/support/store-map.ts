import { randomUUID } from 'node:crypto'
import type { ResponseType } from '../../src/domain/mastery/status.ts'
import type { MindMap } from '../../src/domain/mind-map/mind-map.ts'
import type { Db } from '../../src/store/database.ts'
import { edgesInsert, nodesUpsert } from '../../src/store/maps/rows.ts'

/** A response about a node of a map; `at` in UTC ms. */
export interface GivenResponse {
  nodeId: string
  at: number
  quality: number
  type: ResponseType
}

/** The map with ids as the database has them, and what they were. */
export interface StoredMap {
  map: MindMap
  learnerId: string
  idOf(given: string): string
  nameOf(stored: string): string
}

/** Stores a map whose ids are any text, with its responses in their order, as that of a new learner in that zone. */
export async function storeMap(
  db: Db,
  given: MindMap,
  responses: readonly GivenResponse[],
  timeZone: string,
): Promise<StoredMap> {
  const ids = new Map(given.nodes.map(({ id }) => [id, randomUUID() as string]))
  const names = new Map([...ids].map(([name, id]) => [id, name]))
  const idOf = (name: string) => ids.get(name) ?? name
  const map: MindMap = {
    ...given,
    id: randomUUID(),
    rootNodeId: given.rootNodeId && idOf(given.rootNodeId),
    nodes: given.nodes.map((node) => ({ ...node, id: idOf(node.id) })),
    edges: given.edges.map((edge) => ({
      ...edge,
      parentNodeId: idOf(edge.parentNodeId),
      childNodeId: idOf(edge.childNodeId),
    })),
  }
  const { id: learnerId } = await db
    .insertInto('learners')
    .values({ handle: randomUUID(), time_zone: timeZone })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('mind_maps')
    .values({ id: map.id, title: 'Given', learner_id: learnerId })
    .execute()
  if (map.nodes.length > 0) await nodesUpsert(db, map.id, map.nodes).execute()
  await db
    .updateTable('mind_maps')
    .set({ root_node_id: map.rootNodeId, status: map.status })
    .where('id', '=', map.id)
    .execute()
  if (map.edges.length > 0) await edgesInsert(db, map.id, map.edges).execute()
  const rows = responses.map(({ nodeId, at, quality, type }) => ({
    node_id: idOf(nodeId),
    mind_map_id: map.id,
    question_text: '?',
    quality,
    response_type: type,
    responded_at: new Date(at),
  }))
  if (rows.length > 0) await db.insertInto('quiz_responses').values(rows).execute()
  return { map, learnerId, idOf, nameOf: (stored) => names.get(stored) ?? stored }
}
