import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../src/store/database.ts'
import {
  activateMap,
  createEdge,
  createMap,
  createNode,
  updateNode,
} from '../../../src/store/maps/building.ts'
import { readMap } from '../../../src/store/maps/rows.ts'
import { GraphRefusal } from '../../../src/store/maps/stored-map.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

const newMap = () => createMap(db, { title: 'Map', learnerId: null })

const add = (mindMapId: string, label: string, ...parentIds: string[]) =>
  createNode(db, { mindMapId, label, description: '', effortMinutes: 10, depth: null, parentIds })

const link = (parentNodeId: string, childNodeId: string, edgeType = 'prerequisite' as const) =>
  createEdge(db, { parentNodeId, childNodeId, edgeType })

const relate = (parentNodeId: string, childNodeId: string) =>
  createEdge(db, { parentNodeId, childNodeId, edgeType: 'related' })

async function depths(mapId: string): Promise<Record<string, number>> {
  const map = await readMap(db, mapId)
  return Object.fromEntries(map?.nodes.map(({ label, depth }) => [label, depth]) ?? [])
}

describe('a map in creation', () => {
  test('is built in any order; its root is the one node that needs nothing', async () => {
    const map = await newMap()
    const a = await add(map, 'A')
    const b = await add(map, 'B')
    const topic = await add(map, 'Topic')
    await link(topic, a)
    await link(a, b)
    expect((await readMap(db, map))?.rootNodeId).toBe(topic)
    expect(await depths(map)).toEqual({ Topic: 0, A: 1, B: 2 })
    const active = await activateMap(db, map)
    expect(active).toMatchObject({ status: 'active', rootNodeId: topic })
    expect(active.nodes.map(({ label, sequence }) => [label, sequence]).sort()).toEqual([
      ['A', 2],
      ['B', 3],
      ['Topic', 1],
    ])
  })

  test('does not become active while a node is unreachable, or without any', async () => {
    const map = await newMap()
    await expect(activateMap(db, map)).rejects.toThrow(/no root/)
    const root = await add(map, 'Root')
    const stray = await add(map, 'Stray')
    await expect(activateMap(db, map)).rejects.toThrow(/No prerequisite path.*"Stray"/)
    await relate(root, stray)
    await expect(activateMap(db, map)).rejects.toThrow(/"Stray"/)
    await link(root, stray)
    expect((await activateMap(db, map)).status).toBe('active')
  })

  test('takes no 31st concept', async () => {
    const map = await newMap()
    const root = await add(map, 'Root')
    for (let index = 2; index <= 30; index += 1) await add(map, `N${index}`, root)
    await expect(add(map, 'N31', root)).rejects.toThrow(/at most 30/)
    expect(Object.keys(await depths(map))).toHaveLength(30)
  })
})

describe('an active map', () => {
  async function activeMap() {
    const map = await newMap()
    const root = await add(map, 'Root')
    const a = await add(map, 'A', root)
    const b = await add(map, 'B', root)
    await activateMap(db, map)
    return { map, root, a, b }
  }

  test('takes a concept with its parents only, at the end of the order', async () => {
    const { map, a } = await activeMap()
    await expect(add(map, 'Alone')).rejects.toThrow(/No prerequisite path/)
    await expect(add(map, 'Foreign', map)).rejects.toThrow(GraphRefusal)
    const c = await add(map, 'C', a)
    const node = (await readMap(db, map))?.nodes.find(({ id }) => id === c)
    expect(node).toMatchObject({ label: 'C', depth: 2, sequence: 4 })
  })

  test('keeps depths right below a new edge', async () => {
    const { map, a, b } = await activeMap()
    const c = await add(map, 'C', b)
    await add(map, 'D', c)
    await link(a, b)
    expect(await depths(map)).toEqual({ Root: 0, A: 1, B: 2, C: 3, D: 4 })
  })

  test('lets a relation become a prerequisite, and never the other way', async () => {
    const { map, a, b } = await activeMap()
    expect(await relate(a, b)).toMatchObject({ edgeType: 'related' })
    expect((await depths(map)).B).toBe(1)
    expect(await link(a, b)).toMatchObject({ edgeType: 'prerequisite' })
    expect((await depths(map)).B).toBe(2)
    expect(await relate(a, b)).toMatchObject({ edgeType: 'prerequisite' })
    const edges = (await readMap(db, map))?.edges.filter((edge) => edge.parentNodeId === a)
    expect(edges).toEqual([{ parentNodeId: a, childNodeId: b, edgeType: 'prerequisite' }])
  })

  test('is refused an edge that pushes a node too deep, and stays as it was', async () => {
    const { map, root, a, b } = await activeMap()
    let last = b
    for (let depth = 2; depth <= 5; depth += 1) last = await add(map, `D${depth}`, last)
    const before = await depths(map)
    await expect(link(a, b)).rejects.toThrow(/maximum depth of 5.*"D5"/)
    expect(await depths(map)).toEqual(before)
    expect(await link(root, last)).toMatchObject({ edgeType: 'prerequisite' })
  })

  test('takes new words for a concept, but no other’s label', async () => {
    const { map, a } = await activeMap()
    await updateNode(db, a, { label: ' Apples ', metadata: { tags: ['fruit'] } })
    const node = (await readMap(db, map))?.nodes.find(({ id }) => id === a)
    expect(node).toMatchObject({ label: 'Apples', metadata: { tags: ['fruit'] } })
    await expect(updateNode(db, a, { label: ' b ' })).rejects.toThrow(/several concepts/)
    await expect(updateNode(db, a, { effortMinutes: 0 })).rejects.toThrow(/effort/)
  })

  test('changes no more once it is terminal', async () => {
    const { map, a, b } = await activeMap()
    for (const status of ['completed', 'abandoned']) {
      await sql`update mind_maps set status = ${status} where id = ${map}`.execute(db)
      await expect(add(map, 'C', a)).rejects.toThrow(status)
      await expect(link(a, b)).rejects.toThrow(status)
      await expect(updateNode(db, a, { label: 'X' })).rejects.toThrow(status)
      await expect(activateMap(db, map)).rejects.toThrow(status)
    }
  })
})

describe('a root that is no node of its map', () => {
  test('is refused by the database', async () => {
    const map = await newMap()
    const other = await newMap()
    const foreign = await add(other, 'Elsewhere')
    for (const root of ['00000000-0000-4000-8000-000000000000', foreign]) {
      await expect(
        sql`update mind_maps set root_node_id = ${root} where id = ${map}`.execute(db),
      ).rejects.toThrow(/mind_maps_root/)
    }
  })

  test('goes with its node, and a map with its root', async () => {
    const map = await newMap()
    const root = await add(map, 'Root')
    await db.deleteFrom('mind_map_nodes').where('id', '=', root).execute()
    expect((await readMap(db, map))?.rootNodeId).toBeNull()
    await add(map, 'Again')
    await db.deleteFrom('mind_maps').where('id', '=', map).execute()
    expect(await readMap(db, map)).toBeNull()
  })
})
