import { describe, expect, it } from 'vitest'
import {
  applyResponse,
  completeCycle,
  emptyHistory,
  type NodeHistory,
  type ResponseContext,
} from '../../../src/domain/mastery/status.ts'
import type { MindMapNode } from '../../../src/domain/mind-map/mind-map.ts'
import { sampleNode } from '../mind-map/sample-map.ts'

const DAY = 86_400_000

/** The day on which a concept of an arc is mastered whose reviews are answered so; null if it lapses before. */
function masteredOn(qualities: readonly number[], scheduler: 'sm2' | 'fsrs' = 'sm2') {
  const at = (time: number): ResponseContext => ({
    ...{ at: time, dayMs: DAY, learningSteps: [1, 6], scheduler },
    ...{ maxInterval: 21, inCycle: false },
  })
  let node: MindMapNode = completeCycle(
    sampleNode('n', { masteryStatus: 'learning' }),
    [5, 5, 5],
    at(0),
  )
  let history: NodeHistory = emptyHistory()
  const days: number[] = []
  for (const quality of qualities) {
    const due = node.nextReviewAt ?? Number.NaN
    days.push(due / DAY)
    ;({ node, history } = applyResponse(node, history, { quality, type: 'review' }, at(due)))
    if (node.masteryStatus === 'mastered') return { day: due / DAY, days, node }
    if (node.masteryStatus === 'learning') return { day: null, days, node }
  }
  return { day: null, days, node }
}

const perfect = [5, 5, 5, 5, 5, 5]

describe('in an arc', () => {
  it.each([
    ['sm2', 24],
    ['fsrs', 51],
  ] as const)('who knows everything masters a concept by %s within %i days', (scheduler, most) => {
    expect(masteredOn(perfect, scheduler).day).toBeLessThanOrEqual(most)
    expect(masteredOn([4, 4, 4, 4], scheduler).day).toBeLessThanOrEqual(most)
  })

  it.each(['sm2', 'fsrs'] as const)(
    'a hint in any one review moves mastery by two days at the most: %s',
    (scheduler) => {
      const without = masteredOn(perfect, scheduler).day ?? Number.NaN
      for (const place of [0, 1, 2]) {
        const qualities = [...perfect]
        qualities.splice(place, 0, 3)
        const day = masteredOn(qualities, scheduler).day ?? Number.NaN
        expect(day - without, `a hint in review ${place + 1}`).toBeLessThanOrEqual(2)
        expect(day - without).toBeGreaterThanOrEqual(0)
      }
    },
  )

  it('a review with help is asked again the next day and keeps repetitions, interval and memory', () => {
    for (const scheduler of ['sm2', 'fsrs'] as const) {
      const before = masteredOn([5], scheduler).node
      const { node, days } = masteredOn([5, 3, 5], scheduler)
      const helped = masteredOn([5, 3], scheduler).node
      expect(helped).toMatchObject({
        repetitions: before.repetitions,
        intervalDays: before.intervalDays,
        masteryStatus: 'reviewing',
      })
      expect(helped.metadata.fsrs).toEqual(before.metadata.fsrs)
      expect((days[2] ?? 0) - (days[1] ?? 0)).toBe(1)
      expect(node.repetitions).toBe(before.repetitions + 1)
    }
  })

  it('the third review in a row that needs help is a lapse, and the count begins anew', () => {
    const { node, days } = masteredOn([3, 3, 3, 5])
    expect(days).toHaveLength(3)
    expect(node).toMatchObject({ masteryStatus: 'learning', nextReviewAt: null })
    expect(node.metadata).toMatchObject({ helpedLapses: 1 })
    expect(node.metadata.helped).toBeUndefined()
    expect(masteredOn([3, 3, 5, 3, 3, 5, 5]).day).not.toBeNull()
  })

  it('until it is mastered a concept is due within three weeks, whatever its interval', () => {
    for (const scheduler of ['sm2', 'fsrs'] as const) {
      const { days } = masteredOn([5, 3, 5, 3, 5], scheduler)
      for (const [index, day] of days.entries()) {
        expect(day - (days[index - 1] ?? 0)).toBeLessThanOrEqual(21)
      }
    }
  })
})
