import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findSnapshot,
  mapsOfLearner,
  snapshotsSince,
  takeAllSnapshots,
  takeSnapshot,
} from '../../src/store/analytics.ts'
import type { Db } from '../../src/store/database.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { activateMap, createMap, createNode } from '../../src/store/maps/building.ts'
import { recordResponse } from '../../src/store/maps/responses.ts'
import { proves } from '../spec/scenario.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 2, 15, 3)

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

async function mapWithRoot(learnerId: string | null = null) {
  const mindMapId = await createMap(db, { title: 'Measured', learnerId })
  const nodeId = await createNode(db, {
    mindMapId,
    label: 'Root',
    description: '',
    effortMinutes: 10,
    depth: null,
    parentIds: [],
  })
  await activateMap(db, mindMapId)
  return { mindMapId, nodeId }
}

describe('snapshots', () => {
  test(
    'of one date are one row: the later computation stays',
    proves(
      '000 D6 Learning analytics: The nightly job writes one snapshot per map and date, with every metric',
    ),
    async () => {
      const { mindMapId, nodeId } = await mapWithRoot()
      await takeSnapshot(db, mindMapId, NOW)
      const response = { questionText: '?', userAnswer: null, responseId: null }
      await recordResponse(
        db,
        { mindMapId, nodeId, quality: 4, type: 'teach', ...response },
        { at: NOW, dayMs: DAY_MS },
      )
      await takeSnapshot(db, mindMapId, NOW + 1_000)
      const all = await snapshotsSince(db, mindMapId, '2026-01-01')
      expect(all).toHaveLength(1)
      expect(all[0]).toMatchObject({
        snapshotDate: '2026-03-15',
        metrics: { total_quiz_responses: 1, avg_quality_score: 4 },
      })
    },
  )

  test('the nightly job takes one of every map that has concepts, by UTC date', async () => {
    const { mindMapId } = await mapWithRoot()
    const empty = await createMap(db, { title: 'Empty', learnerId: null })
    await takeAllSnapshots(db, NOW - DAY_MS)
    await takeAllSnapshots(db, NOW)
    const dates = (await snapshotsSince(db, mindMapId, '2026-03-14')).map((s) => s.snapshotDate)
    expect(dates).toEqual(['2026-03-14', '2026-03-15'])
    expect(await findSnapshot(db, empty, null)).toBeNull()
    expect((await findSnapshot(db, mindMapId, '2026-03-14'))?.snapshotDate).toBe('2026-03-14')
    expect((await findSnapshot(db, mindMapId, null))?.snapshotDate).toBe('2026-03-15')
    expect(await findSnapshot(db, mindMapId, '2026-03-13')).toBeNull()
  })

  test("the hours are those of the map's learner", async () => {
    const learner = await ensureLearner(db, 'tokyo')
    await db
      .updateTable('learners')
      .set({ time_zone: 'Asia/Tokyo' })
      .where('id', '=', learner.id)
      .execute()
    const { mindMapId, nodeId } = await mapWithRoot(learner.id)
    await recordResponse(
      db,
      {
        mindMapId,
        nodeId,
        quality: 4,
        type: 'teach',
        questionText: '?',
        userAnswer: null,
        responseId: null,
      },
      { at: NOW, dayMs: DAY_MS },
    )
    const snapshot = await takeSnapshot(db, mindMapId, NOW)
    expect(snapshot?.metrics.time_of_day_distribution).toEqual({
      morning: 0,
      afternoon: 1,
      evening: 0,
    })
    expect(await mapsOfLearner(db, learner.id)).toEqual([{ id: mindMapId, title: 'Measured' }])
  })
})
