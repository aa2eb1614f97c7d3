import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../../src/store/database.ts'
import { activateMap, createMap, createNode } from '../../../src/store/maps/building.ts'
import {
  beginDiagnosis,
  completeDiagnosis,
  readDiagnosis,
  recordProbe,
} from '../../../src/store/maps/diagnosis.ts'
import { nodeResponses } from '../../../src/store/maps/responses.ts'
import { readMap } from '../../../src/store/maps/rows.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

const NOW = { at: Date.UTC(2026, 5, 1), dayMs: 86_400_000 }
const CONCEPTS = [
  { label: 'Numbers', difficulty: 'beginner' as const, prerequisites: [] },
  { label: 'Equations', difficulty: 'intermediate' as const, prerequisites: ['Numbers'] },
  { label: 'Systems', difficulty: 'expert' as const, prerequisites: ['Equations'] },
]

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

const newMap = () => createMap(db, { title: 'Map', learnerId: null })

describe('a diagnosis of a map', () => {
  test('keeps the later grade of a concept, by any spelling of its label', async () => {
    const map = await newMap()
    await beginDiagnosis(db, map, 'Algebra', CONCEPTS)
    await recordProbe(db, map, { label: ' equations ', quality: 1 })
    await recordProbe(db, map, { label: 'Equations', quality: 4 })
    expect((await readDiagnosis(db, map))?.diagnosis.probes).toEqual([
      { label: 'Equations', quality: 4 },
    ])
    await expect(recordProbe(db, map, { label: 'Monads', quality: 4 })).rejects.toThrow(/inventory/)
    await expect(recordProbe(db, map, { label: 'Systems', quality: 7 })).rejects.toThrow(RangeError)
  })

  test('is summed up once, and says the same again', async () => {
    const map = await newMap()
    await expect(completeDiagnosis(db, map, NOW)).rejects.toThrow(/start one first/)
    await beginDiagnosis(db, map, 'Algebra', CONCEPTS)
    await expect(completeDiagnosis(db, map, NOW), 'completed without a probe').rejects.toThrow(
      'No concept was probed yet; record a probe first.',
    )
    await recordProbe(db, map, { label: 'Numbers', quality: 5 })
    await recordProbe(db, map, { label: 'Equations', quality: 0 })
    const summary = await completeDiagnosis(db, map, NOW)
    expect(summary).toMatchObject({ level: 'intermediate', gaps: ['Equations'] })
    expect(summary.results.map(({ label, quality }) => [label, quality])).toEqual([
      ['Numbers', 5],
      ['Equations', 0],
    ])
    expect(await completeDiagnosis(db, map, NOW)).toEqual(summary)
    await expect(recordProbe(db, map, { label: 'Systems', quality: 4 })).rejects.toThrow(/complete/)
    await beginDiagnosis(db, map, 'Algebra', CONCEPTS)
    expect((await readDiagnosis(db, map))?.diagnosis.probes).toEqual([])
  })

  test('seeds the concepts that the map has, once', async () => {
    const map = await newMap()
    const ids: string[] = []
    for (const label of ['Numbers', 'equations']) {
      const node = { mindMapId: map, label, description: '', effortMinutes: 5, depth: null }
      ids.push(await createNode(db, { ...node, parentIds: ids.slice(0, 1) }))
    }
    await activateMap(db, map)
    await beginDiagnosis(db, map, 'Algebra', CONCEPTS)
    await recordProbe(db, map, { label: 'Numbers', quality: 4 })
    await recordProbe(db, map, { label: 'Equations', quality: 2 })
    await recordProbe(db, map, { label: 'Systems', quality: 5 })
    await completeDiagnosis(db, map, NOW)
    await completeDiagnosis(db, map, NOW)
    const nodes = (await readMap(db, map))?.nodes
    const state = nodes?.map(({ label, masteryStatus, masteryScore }) => [
      label,
      masteryStatus,
      masteryScore,
    ])
    expect(state).toEqual([
      ['Numbers', 'diagnosed', 0.5],
      ['equations', 'unseen', 0],
    ])
    const responses = await nodeResponses(db, ids[0] ?? '', 10)
    expect(responses).toMatchObject([{ responseType: 'diagnostic', quality: 4 }])
  })
})
