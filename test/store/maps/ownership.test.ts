import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ArcSettings } from '../../../src/contracts/arc.ts'
import { createArc } from '../../../src/store/arc/arcs.ts'
import type { Db } from '../../../src/store/database.ts'
import { ensureLearner } from '../../../src/store/learners.ts'
import {
  activateMap,
  createEdge,
  createNode,
  updateNode,
} from '../../../src/store/maps/building.ts'
import {
  beginDiagnosis,
  completeDiagnosis,
  recordProbe,
} from '../../../src/store/maps/diagnosis.ts'
import { recordResponse } from '../../../src/store/maps/responses.ts'
import { recordReview } from '../../../src/store/maps/reviews.ts'
import { edgesInsert, nodesUpsert, readMap } from '../../../src/store/maps/rows.ts'
import { findMap } from '../../../src/store/maps/stored-map.ts'
import { sampleMap, sampleNode } from '../../domain/mind-map/sample-map.ts'
import { proves } from '../../spec/scenario.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'

const NOW = { at: Date.UTC(2026, 5, 1), dayMs: 86_400_000 }
const A = '00000000-0000-4000-8000-00000000000a'
const B = '00000000-0000-4000-8000-00000000000b'

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

async function arcWithMap() {
  const learner = await ensureLearner(db, 'me')
  const arc = await createArc(db, {
    learnerId: learner.id,
    topic: 'Sums',
    goal: null,
    courseId: null,
    goalUnitIds: [],
    tutor: 'offline',
    settings: ArcSettings.parse({}),
  })
  const map = sampleMap([sampleNode(A), sampleNode(B)], [`${A}>${B}`])
  await nodesUpsert(db, arc.mind_map_id, map.nodes).execute()
  await edgesInsert(db, arc.mind_map_id, map.edges).execute()
  return { arc, learner, mindMapId: arc.mind_map_id }
}

describe('a map that an arc owns', () => {
  test(
    'is its learner’s, and read by the arc’s rule of unlocking',
    proves('000 Open questions: Arcs unlock what comes next at reviewing unless told otherwise'),
    async () => {
      const { arc, learner, mindMapId } = await arcWithMap()
      expect(await findMap(db, mindMapId)).toMatchObject({
        arcId: arc.id,
        learnerId: learner.id,
        unlockAt: 'reviewing',
      })
    },
  )

  test('is changed by its arc alone: everything else is refused with the reason', async () => {
    await db.deleteFrom('arcs').execute()
    await db.deleteFrom('mind_maps').execute()
    const { arc, mindMapId } = await arcWithMap()
    const before = await readMap(db, mindMapId)
    const node = { mindMapId, label: 'C', description: '', effortMinutes: 5, depth: null }
    const answer = { mindMapId, nodeId: A, quality: 4 }
    const question = { questionText: '?', userAnswer: null, responseId: null }
    const changes: Record<string, () => Promise<unknown>> = {
      createNode: () => createNode(db, { ...node, parentIds: [A] }),
      updateNode: () => updateNode(db, A, { label: 'Mine' }),
      createEdge: () =>
        createEdge(db, { parentNodeId: A, childNodeId: B, edgeType: 'prerequisite' }),
      activateMap: () => activateMap(db, mindMapId),
      recordResponse: () => recordResponse(db, { ...answer, ...question, type: 'teach' }, NOW),
      recordReview: () => recordReview(db, answer, NOW),
      beginDiagnosis: () => beginDiagnosis(db, mindMapId, 'Sums', []),
      recordProbe: () => recordProbe(db, mindMapId, { label: 'A', quality: 4 }),
      completeDiagnosis: () => completeDiagnosis(db, mindMapId, NOW),
    }
    for (const [name, change] of Object.entries(changes)) {
      await expect(change(), name).rejects.toThrow(`Arc ${arc.id} teaches this map`)
    }
    expect(await readMap(db, mindMapId)).toEqual(before)
  })
})
