import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyHistory, type NodeHistory, recordMark } from '../../src/domain/mastery/status.ts'
import type { MindMap } from '../../src/domain/mind-map/mind-map.ts'
import { takeAllSnapshots, takeSnapshot } from '../../src/store/analytics.ts'
import type { Db } from '../../src/store/database.ts'
import { anyMap, sampleMap, sampleNode } from '../domain/mind-map/sample-map.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { mapMetrics } from '../support/map-metrics.ts'
import { type GivenResponse, type StoredMap, storeMap } from '../support/store-map.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 2, 15, 3)
const daysAgo = (days: number) => NOW - days * DAY_MS

let fresh: FreshDatabase
let db: Db

beforeAll(async () => {
  fresh = await freshDatabase()
  db = fresh.db
})
afterAll(() => fresh.drop())

const review = (at: number, quality: number): GivenResponse => ({
  nodeId: 'root',
  at,
  quality,
  type: 'review',
})
const mastered = (id: string, at: number, given = {}) =>
  sampleNode(id, {
    masteryStatus: 'mastered',
    masteredAt: at,
    masteryScore: 0.9,
    nextReviewAt: NOW,
    ...given,
  })

interface Given {
  map?: MindMap
  responses?: GivenResponse[]
  timeZone?: string
}

/** The metrics that a snapshot of the map holds, with the nodes by their given names. */
async function metricsOf(given: Given = {}, now = NOW) {
  const map = given.map ?? sampleMap([sampleNode('root'), sampleNode('a')], ['root>a'])
  const stored = await storeMap(db, map, given.responses ?? [], given.timeZone ?? 'UTC')
  return named(stored, (await takeSnapshot(db, stored.map.id, now))?.metrics)
}

function named(stored: StoredMap, metrics: ReturnType<typeof mapMetrics> | undefined) {
  if (!metrics) throw new Error('no snapshot was taken')
  return {
    ...metrics,
    struggling_nodes: metrics.struggling_nodes.map(stored.nameOf),
    strongest_subtree: metrics.strongest_subtree && stored.nameOf(metrics.strongest_subtree),
  }
}

function historiesOf(responses: readonly GivenResponse[]): Record<string, NodeHistory> {
  const histories: Record<string, NodeHistory> = {}
  for (const { nodeId, quality, type } of responses) {
    histories[nodeId] = recordMark(histories[nodeId] ?? emptyHistory(), { quality, type })
  }
  return histories
}

describe('the metrics of a map', () => {
  test('of a map nobody has worked on say nothing they do not know', async () => {
    expect(await metricsOf()).toEqual({
      total_nodes: 2,
      mastered_nodes: 0,
      mastery_pct: 0,
      avg_ease_factor: 2.5,
      retention_rate_7d: null,
      retention_rate_30d: null,
      velocity_nodes_per_week: 0,
      estimated_completion_days: null,
      struggling_nodes: [],
      strongest_subtree: 'a',
      total_quiz_responses: 0,
      avg_quality_score: null,
      sessions_this_period: 0,
      time_of_day_distribution: { morning: 0, afternoon: 0, evening: 0 },
    })
  })

  test('of a map without concepts are null where there is nothing to measure', async () => {
    expect(await metricsOf({ map: { ...sampleMap([]), rootNodeId: null } })).toMatchObject({
      total_nodes: 0,
      mastery_pct: 0,
      avg_ease_factor: null,
      strongest_subtree: null,
    })
  })

  test('count mastery over all concepts, to two decimals', async () => {
    const nodes = [mastered('r', NOW), sampleNode('a', { easeFactor: 2.368 }), sampleNode('b')]
    expect(await metricsOf({ map: sampleMap(nodes, ['r>a', 'r>b']) })).toMatchObject({
      mastered_nodes: 1,
      mastery_pct: 0.33,
      avg_ease_factor: 2.46,
    })
  })

  test('round a half up, where the nearest binary fraction lies below it', async () => {
    const eases = [2.5, 2.5, 2.5, 2.36]
    const nodes = eases.map((easeFactor, index) => sampleNode(`n${index}`, { easeFactor }))
    expect((await metricsOf({ map: sampleMap(nodes) })).avg_ease_factor).toBe(2.47)
    const many = Array.from({ length: 200 }, (_, index) =>
      index < 57 ? mastered(`m${index}`, 0) : sampleNode(`u${index}`),
    )
    expect((await metricsOf({ map: sampleMap(many) })).mastery_pct).toBe(0.29)
  })

  test('take retention from the reviews of the window only', async () => {
    const responses = [
      { ...review(daysAgo(1), 0), type: 'teach' as const },
      review(daysAgo(1), 3),
      review(daysAgo(2), 2),
      review(daysAgo(10), 5),
      review(daysAgo(20), 4),
      review(daysAgo(40), 0),
    ]
    expect(await metricsOf({ responses })).toMatchObject({
      retention_rate_7d: 0.5,
      retention_rate_30d: 0.75,
      total_quiz_responses: 6,
      avg_quality_score: 2.3,
    })
  })

  test('take velocity from the last 28 days and estimate from it what counts', async () => {
    const nodes = [
      mastered('r', daysAgo(1)),
      mastered('a', daysAgo(27)),
      mastered('old', daysAgo(29)),
      sampleNode('b'),
      sampleNode('c', { masteryStatus: 'reviewing', nextReviewAt: NOW }),
      sampleNode('aside', { metadata: { optional: true } }),
      sampleNode('left out', { metadata: { skipped: true } }),
    ]
    const map = sampleMap(nodes, ['r>a', 'r>b', 'r>c', 'r>old', 'r>aside', 'r>left out'])
    expect(await metricsOf({ map })).toMatchObject({
      velocity_nodes_per_week: 0.5,
      estimated_completion_days: 28,
    })
  })

  test('estimate nothing when nothing is left', async () => {
    const map = sampleMap([mastered('r', daysAgo(1))])
    expect((await metricsOf({ map })).estimated_completion_days).toBeNull()
  })

  test('name who struggles, and the strongest subtree by its mean score', async () => {
    const nodes = [
      sampleNode('root'),
      sampleNode('weak', { masteryStatus: 'learning', masteryScore: 0.2 }),
      sampleNode('strong', { masteryScore: 0.6 }),
      sampleNode('below weak', { masteryScore: 0.9 }),
    ]
    const map = sampleMap(nodes, ['root>weak', 'root>strong', 'weak>below weak'])
    const low = (quality: number) =>
      ({ nodeId: 'weak', at: daysAgo(1), quality, type: 'teach' }) as const
    expect(await metricsOf({ map, responses: [low(1), low(2), low(1)] })).toMatchObject({
      struggling_nodes: ['weak'],
      strongest_subtree: 'strong',
    })
  })

  test("count sittings by the learner's clock, not their answers", async () => {
    const responses = [
      review(Date.UTC(2026, 2, 14, 11, 59), 4),
      review(Date.UTC(2026, 2, 14, 12), 4),
      review(Date.UTC(2026, 2, 14, 17, 59), 4),
      review(Date.UTC(2026, 2, 14, 18), 4),
      review(Date.UTC(2026, 2, 13, 5, 59), 4),
      review(Date.UTC(2026, 2, 13, 6), 4),
      review(daysAgo(8), 4),
    ]
    expect(await metricsOf({ responses })).toMatchObject({
      sessions_this_period: 2,
      time_of_day_distribution: { morning: 2, afternoon: 1, evening: 2 },
    })
    expect(await metricsOf({ responses, timeZone: 'Asia/Tokyo' })).toMatchObject({
      sessions_this_period: 3,
      time_of_day_distribution: { morning: 0, afternoon: 1, evening: 2 },
    })
  })

  test.each([
    // In Chicago the clocks go forward on 8 March 2026 at 08:00 UTC: 11:59 UTC is 05:59 the day before, 06:59 that day.
    ['America/Chicago', Date.UTC(2026, 2, 8, 11, 59), { morning: 1 }],
    ['America/Chicago', Date.UTC(2026, 2, 8, 7, 59), { evening: 1 }],
    ['Asia/Kathmandu', Date.UTC(2026, 2, 10, 0, 14), { evening: 1 }],
    ['Asia/Kathmandu', Date.UTC(2026, 2, 10, 0, 15), { morning: 1 }],
    // A zone as browsers may name it, which to PostgreSQL lies on the other side of Greenwich.
    ['+05:30', Date.UTC(2026, 2, 10, 0, 30), { morning: 1 }],
  ])('know the clock of %s', async (timeZone, at, expected) => {
    const all = { morning: 0, afternoon: 0, evening: 0, ...expected }
    const { time_of_day_distribution: parts } = await metricsOf({
      responses: [review(at, 4)],
      timeZone,
    })
    expect(parts).toEqual(all)
  })
})

const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia']
const EASES = [1.3, 1.7, 2.18, 2.36, 2.5, 2.6]

/** A map in some state with responses around the windows' ends, by the node's place in the map. */
const anyGiven = fc.record({
  map: anyMap(8),
  timeZone: fc.constantFrom(...ZONES),
  // In the week after clocks change in Europe, in America, and on a day in summer.
  now: fc.constantFrom(
    NOW,
    Date.UTC(2026, 2, 31, 3),
    Date.UTC(2026, 3, 7, 3),
    Date.UTC(2026, 6, 1),
  ),
  eases: fc.array(fc.constantFrom(...EASES), { minLength: 8, maxLength: 8 }),
  masteredAgo: fc.array(fc.constantFrom(0, 1, 27.9, 28, 29, 400), { minLength: 8, maxLength: 8 }),
  drawn: fc.array(
    fc.record({
      place: fc.nat(),
      days: fc.constantFrom(0, 1, 6, 7, 29, 30, 31, 100),
      minutes: fc.integer({ min: -1_440, max: 1_440 }),
      quality: fc.constantFrom(0, 1, 2, 2, 3, 4, 5),
      type: fc.constantFrom('teach', 'teach', 'review', 'diagnostic'),
    }),
    { maxLength: 60 },
  ),
})

test('a night of snapshots says what going through each map says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyGiven, { minLength: 1, maxLength: 4 }), async (all) => {
      const expected = new Map<string, unknown>()
      const now = all[0]?.now ?? NOW
      await db.deleteFrom('mind_maps').execute()
      const stored = []
      for (const { map: drawnMap, timeZone, drawn, eases, masteredAgo } of all) {
        const map = {
          ...drawnMap,
          nodes: drawnMap.nodes.map((node, index) => ({
            ...node,
            sequence: index + 1,
            easeFactor: eases[index] ?? 2.5,
            masteredAt: node.masteredAt === null ? null : now - (masteredAgo[index] ?? 0) * DAY_MS,
          })),
        }
        const responses = drawn.map(({ place, days, minutes, quality, type }) => ({
          nodeId: map.nodes[place % map.nodes.length]?.id ?? '',
          at: now - days * DAY_MS - minutes * 60_000,
          quality,
          type: type as GivenResponse['type'],
        }))
        const one = await storeMap(db, map, responses, timeZone)
        stored.push(one)
        const histories = historiesOf(responses)
        expected.set(one.map.id, mapMetrics({ map, responses, histories, timeZone }, now))
      }
      expect(await takeAllSnapshots(db, now)).toBe(all.length)
      const rows = await db
        .selectFrom('analytics_snapshots')
        .select(['mind_map_id', 'metrics'])
        .execute()
      expect(rows).toHaveLength(all.length)
      for (const { mind_map_id, metrics } of rows) {
        const one = stored.find(({ map }) => map.id === mind_map_id)
        expect(named(one as StoredMap, metrics as never)).toEqual(expected.get(mind_map_id ?? ''))
      }
    }),
    { numRuns: 150 },
  )
}, 120_000)
