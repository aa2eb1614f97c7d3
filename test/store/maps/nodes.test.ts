import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frontier, nextNode } from '../../../src/domain/mind-map/frontier.ts'
import { descendants, prerequisiteGraph } from '../../../src/domain/mind-map/graph.ts'
import type { MindMap, UnlockAt } from '../../../src/domain/mind-map/mind-map.ts'
import { withSequence } from '../../../src/domain/mind-map/order.ts'
import type { Db } from '../../../src/store/database.ts'
import { frontierRows, nextNodeRow, subtreeRows } from '../../../src/store/maps/nodes.ts'
import { writeEdges, writeNodes } from '../../../src/store/maps/rows.ts'
import { anyMap } from '../../domain/mind-map/sample-map.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

/** The same map with uuids for ids, in the database. */
async function stored(drawn: MindMap): Promise<MindMap> {
  const ids = new Map(drawn.nodes.map((node) => [node.id, randomUUID()]))
  const id = (old: string | null) => ids.get(old ?? '') ?? ''
  const map: MindMap = {
    ...drawn,
    id: randomUUID(),
    rootNodeId: id(drawn.rootNodeId),
    nodes: drawn.nodes.map((node) => ({ ...node, id: id(node.id) })),
    edges: drawn.edges.map((edge) => ({
      ...edge,
      parentNodeId: id(edge.parentNodeId),
      childNodeId: id(edge.childNodeId),
    })),
  }
  await sql`insert into mind_maps (id, title, root_node_id) values (${map.id}, 'Any', ${map.rootNodeId})`.execute(
    db,
  )
  await writeNodes(db, map.id, map.nodes)
  await writeEdges(db, map.id, map.edges)
  return map
}

const ids = (nodes: readonly { id: string }[]) => nodes.map((node) => node.id)
const unlockRules: UnlockAt[] = ['mastered', 'reviewing']

describe('queries over any map', () => {
  test('frontier, next node and subtree are what the rules say', async () => {
    await fc.assert(
      fc.asyncProperty(anyMap(), fc.constantFrom(...unlockRules), async (drawn, unlockAt) => {
        const map = await stored(withSequence(drawn, unlockAt))
        expect(ids(await frontierRows(db, map.id, unlockAt))).toEqual(ids(frontier(map, unlockAt)))
        const next = await nextNodeRow(db, map.id, unlockAt)
        expect(next?.id ?? null).toBe(nextNode(map, unlockAt)?.id ?? null)
        const graph = prerequisiteGraph(map)
        for (const node of map.nodes) {
          const below = new Set(descendants(graph, [node.id]))
          below.delete(node.id)
          expect(new Set(ids(await subtreeRows(db, node.id)))).toEqual(below)
        }
      }),
      { seed: 42, numRuns: 60 },
    )
  })

  test('a map that is not active has no next node', async () => {
    const [drawn] = fc.sample(anyMap(), { seed: 7, numRuns: 1 })
    const map = await stored({ ...(drawn as MindMap), nodes: (drawn as MindMap).nodes })
    for (const status of ['creation', 'completed', 'abandoned'] as const) {
      await db.updateTable('mind_maps').set({ status }).where('id', '=', map.id).execute()
      expect(await nextNodeRow(db, map.id, 'mastered')).toBeNull()
    }
  })
})
