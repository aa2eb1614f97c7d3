import { describe, expect, test } from 'vitest'
import { type AnalysedResponse, mapMetrics } from '../../../src/domain/analytics/metrics.ts'
import { sampleMap, sampleNode } from '../mind-map/sample-map.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 2, 15, 3)
const daysAgo = (days: number, hours = 0) => NOW - days * DAY_MS - hours * 3_600_000

const review = (at: number, quality: number): AnalysedResponse => ({ at, quality, type: 'review' })
const mastered = (id: string, at: number, given = {}) =>
  sampleNode(id, {
    masteryStatus: 'mastered',
    masteredAt: at,
    masteryScore: 0.9,
    nextReviewAt: NOW,
    ...given,
  })

function metricsOf(given: Partial<Parameters<typeof mapMetrics>[0]> = {}) {
  const map = sampleMap([sampleNode('root'), sampleNode('a')], ['root>a'])
  return mapMetrics({ map, responses: [], histories: {}, timeZone: 'UTC', ...given }, NOW)
}

describe('the metrics of a map', () => {
  test('of a map nobody has worked on say nothing they do not know', () => {
    expect(metricsOf()).toEqual({
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

  test('of a map without concepts are null where there is nothing to measure', () => {
    const map = { ...sampleMap([]), rootNodeId: null }
    expect(metricsOf({ map })).toMatchObject({
      total_nodes: 0,
      mastery_pct: 0,
      avg_ease_factor: null,
      strongest_subtree: null,
    })
  })

  test('count mastery over all concepts, to two decimals', () => {
    const nodes = [mastered('r', NOW), sampleNode('a', { easeFactor: 2.368 }), sampleNode('b')]
    const map = sampleMap(nodes, ['r>a', 'r>b'])
    expect(metricsOf({ map })).toMatchObject({
      mastered_nodes: 1,
      mastery_pct: 0.33,
      avg_ease_factor: 2.46,
    })
  })

  test('take retention from the reviews of the window only', () => {
    const teach: AnalysedResponse = { at: daysAgo(1), quality: 0, type: 'teach' }
    const responses = [
      teach,
      review(daysAgo(1), 3),
      review(daysAgo(2), 2),
      review(daysAgo(10), 5),
      review(daysAgo(20), 4),
      review(daysAgo(40), 0),
    ]
    expect(metricsOf({ responses })).toMatchObject({
      retention_rate_7d: 0.5,
      retention_rate_30d: 0.75,
      total_quiz_responses: 6,
      avg_quality_score: 2.3,
    })
  })

  test('take velocity from the last 28 days and estimate from it what counts', () => {
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
    expect(metricsOf({ map })).toMatchObject({
      velocity_nodes_per_week: 0.5,
      estimated_completion_days: 28,
    })
  })

  test('estimate nothing when nothing is left', () => {
    const map = sampleMap([mastered('r', daysAgo(1))])
    expect(metricsOf({ map }).estimated_completion_days).toBeNull()
  })

  test('name who struggles, and the strongest subtree by its mean score', () => {
    const nodes = [
      sampleNode('root'),
      sampleNode('weak', { masteryStatus: 'learning', masteryScore: 0.2 }),
      sampleNode('strong', { masteryScore: 0.6 }),
      sampleNode('below weak', { masteryScore: 0.9 }),
    ]
    const map = sampleMap(nodes, ['root>weak', 'root>strong', 'weak>below weak'])
    const low = { quality: 1, type: 'teach' as const }
    const histories = { weak: { graded: [low, low, low], reviews: [], recent: [1, 2, 1] } }
    expect(metricsOf({ map, histories })).toMatchObject({
      struggling_nodes: ['weak'],
      strongest_subtree: 'strong',
    })
  })

  test("count days and hours by the learner's clock", () => {
    const responses = [
      review(Date.UTC(2026, 2, 14, 11, 59), 4),
      review(Date.UTC(2026, 2, 14, 12), 4),
      review(Date.UTC(2026, 2, 14, 17, 59), 4),
      review(Date.UTC(2026, 2, 14, 18), 4),
      review(Date.UTC(2026, 2, 13, 5, 59), 4),
      review(Date.UTC(2026, 2, 13, 6), 4),
      review(daysAgo(8), 4),
    ]
    expect(metricsOf({ responses })).toMatchObject({
      sessions_this_period: 2,
      time_of_day_distribution: { morning: 2, afternoon: 2, evening: 2 },
    })
    expect(metricsOf({ responses, timeZone: 'Asia/Tokyo' })).toMatchObject({
      sessions_this_period: 3,
      time_of_day_distribution: { morning: 0, afternoon: 2, evening: 4 },
    })
  })
})
