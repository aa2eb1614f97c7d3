import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MindMapEdge } from '../../../src/domain/mind-map/mind-map.ts'
import type { Db } from '../../../src/store/database.ts'
import { createMap } from '../../../src/store/maps/building.ts'
import { edgesInsert } from '../../../src/store/maps/rows.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

/** Writes edges of these types between the same two nodes, one after the other; returns what is stored. */
async function storedAfter(...types: MindMapEdge['edgeType'][]): Promise<string[]> {
  const mapId = await createMap(db, { title: 'Edges', learnerId: null })
  const [parentNodeId, childNodeId] = [randomUUID(), randomUUID()]
  await db
    .insertInto('mind_map_nodes')
    .values([parentNodeId, childNodeId].map((id) => ({ id, mind_map_id: mapId, label: id })))
    .execute()
  for (const edgeType of types) {
    await edgesInsert(db, mapId, [{ parentNodeId, childNodeId, edgeType }]).execute()
  }
  const rows = await db
    .selectFrom('mind_map_edges')
    .select('edge_type')
    .where('mind_map_id', '=', mapId)
    .execute()
  return rows.map(({ edge_type }) => edge_type)
}

test('a relation that is written as a prerequisite becomes one', async () => {
  expect(await storedAfter('related', 'prerequisite')).toEqual(['prerequisite'])
})

test('a prerequisite that is written as a relation stays one', async () => {
  expect(await storedAfter('prerequisite', 'related')).toEqual(['prerequisite'])
  expect(await storedAfter('related', 'related')).toEqual(['related'])
})
