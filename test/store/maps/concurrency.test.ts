import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { masteryScore } from '../../../src/domain/mastery/score.ts'
import { findCycles, longestDepths, prerequisiteGraph } from '../../../src/domain/mind-map/graph.ts'
import type { Db } from '../../../src/store/database.ts'
import { activateMap, createEdge, createMap, createNode } from '../../../src/store/maps/building.ts'
import { recordResponse } from '../../../src/store/maps/responses.ts'
import { readMap } from '../../../src/store/maps/rows.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

const ROUNDS = 20
const DAY_MS = 86_400_000

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

/** A root with the given concepts directly below it; ids by label. */
async function mapOf(...labels: string[]) {
  const mindMapId = await createMap(db, { title: 'Race', learnerId: null })
  const ids = new Map<string, string>()
  for (const label of ['Root', ...labels]) {
    const root = ids.get('Root')
    const node = { mindMapId, label, description: '', effortMinutes: 10, depth: null }
    ids.set(label, await createNode(db, { ...node, parentIds: root ? [root] : [] }))
  }
  return { mindMapId, id: (label: string) => ids.get(label) ?? '' }
}

const add = (parentNodeId: string, childNodeId: string) =>
  createEdge(db, { parentNodeId, childNodeId, edgeType: 'prerequisite' })

describe('two writers at once', () => {
  test('that add opposite edges leave one of them, never a cycle', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { mindMapId, id } = await mapOf('A', 'B')
      const outcomes = await Promise.allSettled([add(id('A'), id('B')), add(id('B'), id('A'))])
      const states = outcomes.map(({ status }) => status).sort()
      expect(states, `round ${round}`).toEqual(['fulfilled', 'rejected'])
      const map = await readMap(db, mindMapId)
      if (!map) throw new Error('the map is gone')
      expect(findCycles(prerequisiteGraph(map)), `round ${round}`).toEqual([])
      expect(map.edges, `round ${round}`).toHaveLength(3)
    }
  })

  test('that close a longer cycle together leave none, and right depths', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { mindMapId, id } = await mapOf('A', 'B', 'C')
      await Promise.allSettled([
        add(id('A'), id('B')),
        add(id('B'), id('C')),
        add(id('C'), id('A')),
      ])
      const map = await readMap(db, mindMapId)
      if (!map) throw new Error('the map is gone')
      const graph = prerequisiteGraph(map)
      expect(findCycles(graph), `round ${round}`).toEqual([])
      expect(map.edges, `round ${round}`).toHaveLength(5)
      const depths = longestDepths(graph)
      for (const node of map.nodes) expect(node.depth, node.label).toBe(depths.get(node.id))
    }
  })
})

describe('answers at once', () => {
  const answer = (mindMapId: string, nodeId: string, quality: number, responseId: string | null) =>
    recordResponse(
      db,
      {
        mindMapId,
        nodeId,
        questionText: '?',
        userAnswer: null,
        quality,
        type: 'teach',
        responseId,
      },
      { at: Date.UTC(2026, 0, 1), dayMs: DAY_MS },
    )

  const storedQualities = async (nodeId: string) =>
    (
      await db
        .selectFrom('quiz_responses')
        .select('quality')
        .where('node_id', '=', nodeId)
        .orderBy('position')
        .execute()
    ).map(({ quality }) => quality)

  test('three to one node: all are stored, and the score is the formula over the rows', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { mindMapId, id } = await mapOf()
      await activateMap(db, mindMapId)
      const given = [round % 6, (round + 2) % 6, (round + 4) % 6]
      await Promise.all(given.map((quality) => answer(mindMapId, id('Root'), quality, null)))
      const stored = await storedQualities(id('Root'))
      expect([...stored].sort(), `round ${round}`).toEqual([...given].sort())
      const map = await readMap(db, mindMapId)
      expect(map?.nodes[0]?.masteryScore, `round ${round}`).toBe(masteryScore(stored))
    }
  })

  test('the same answer id twice: one row, one effect, one answer', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { mindMapId, id } = await mapOf()
      await activateMap(db, mindMapId)
      const twice = await Promise.all([
        answer(mindMapId, id('Root'), 4, `answer ${round}`),
        answer(mindMapId, id('Root'), 4, `answer ${round}`),
      ])
      expect(twice[0]).toEqual(twice[1])
      expect(await storedQualities(id('Root')), `round ${round}`).toEqual([4])
      expect(twice[0]?.node.masteryStatus).toBe('learning')
    }
  })
})
