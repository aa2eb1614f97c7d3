import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newFlow } from '../../../src/domain/arc/flow.ts'
import { earliestReview, nextActivity } from '../../../src/domain/arc/next-activity.ts'
import {
  applyResponse,
  completeCycle,
  emptyHistory,
  type NodeHistory,
} from '../../../src/domain/mastery/status.ts'
import { buildMap } from '../../../src/domain/mind-map/building.ts'
import { isComplete } from '../../../src/domain/mind-map/frontier.ts'
import type { MindMap, MindMapNode, UnlockAt } from '../../../src/domain/mind-map/mind-map.ts'

const DAY = 86_400_000
const QUESTIONS = 3

/** A map of `size` concepts; concept i builds on one or two earlier ones. */
function mapOf(size: number, picks: number[]): MindMap {
  const label = (i: number) => `concept ${i}`
  const edges = Array.from({ length: size - 1 }, (_, k) => k + 1).flatMap((i) => {
    const parents = new Set([(picks[i] ?? 0) % i, (picks[i + size] ?? 0) % i])
    return [...parents].map((parent) => ({ parent: label(parent), child: label(i) }))
  })
  const nodes = Array.from({ length: size }, (_, i) => ({ label: label(i), effortMinutes: 10 + i }))
  let id = 0
  const built = buildMap(
    { root: label(0), nodes, edges },
    { maxNodes: 100, maxDepth: 100 },
    () => `id-${id++}`,
  )
  if (!built.ok) throw new Error(built.violations.map(({ message }) => message).join(' '))
  return built.map
}

interface Life {
  days: number
  lessons: string[]
  reviews: number
  map: MindMap
}

/** The life of an arc by its rules alone: `answer` gives the quality of each answer. */
function live(
  map: MindMap,
  unlockAt: UnlockAt,
  scheduler: 'sm2' | 'fsrs',
  answer: () => number,
): Life {
  const flow = { ...newFlow(0), phase: 'REVIEWING' as const, diagnosed: true }
  const histories = new Map<string, NodeHistory>()
  const life: Life = { days: 0, lessons: [], reviews: 0, map }
  let now = 0
  const context = (inCycle: boolean) => ({
    at: now,
    dayMs: DAY,
    learningSteps: [1, 6],
    scheduler,
    inCycle,
  })
  const set = (node: MindMapNode) => {
    life.map = {
      ...life.map,
      nodes: life.map.nodes.map((other) => (other.id === node.id ? node : other)),
    }
  }
  const nodeOf = (id: string) => life.map.nodes.find((node) => node.id === id) as MindMapNode
  const respond = (id: string, type: 'teach' | 'review', inCycle: boolean) => {
    const quality = answer()
    const applied = applyResponse(
      nodeOf(id),
      histories.get(id) ?? emptyHistory(),
      { quality, type },
      context(inCycle),
    )
    histories.set(id, applied.history)
    set(applied.node)
    return quality
  }
  for (let step = 0; step < 100_000; step += 1) {
    const activity = nextActivity(flow, life.map, { unlockAt }, now)
    if (activity.do === 'complete') {
      life.days = now / DAY
      return life
    }
    if (activity.do === 'review') {
      respond(activity.nodeIds[0] ?? '', 'review', false)
      life.reviews += 1
    } else if (activity.do === 'teach') {
      life.lessons.push(activity.nodeId)
      const qualities = Array.from({ length: QUESTIONS }, () =>
        respond(activity.nodeId, 'teach', true),
      )
      if (qualities.every((quality) => quality >= 3)) {
        set(completeCycle(nodeOf(activity.nodeId), qualities, context(false)))
      }
    } else if (activity.do === 'sleep') {
      const next = earliestReview(life.map)
      if (next === null) throw new Error('asleep for ever')
      now = Math.max(now, next)
    }
  }
  throw new Error('the arc does not end')
}

const arbitraryMap = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.array(fc.nat(1_000), { minLength: 60, maxLength: 60 }))
  .map(([size, picks]) => mapOf(size, picks))

describe('an arc by its rules alone', () => {
  it.each([
    ['reviewing', 'sm2'],
    ['mastered', 'sm2'],
    ['reviewing', 'fsrs'],
    ['mastered', 'fsrs'],
  ] as const)(
    'completes for every learner who always answers with quality 4 (%s, %s)',
    (unlockAt, scheduler) => {
      fc.assert(
        fc.property(arbitraryMap, (map) => {
          const life = live(map, unlockAt, scheduler, () => 4)
          expect(isComplete(life.map)).toBe(true)
          expect(new Set(life.lessons).size).toBe(map.nodes.length)
          expect(life.reviews).toBeGreaterThanOrEqual(3 * map.nodes.length)
        }),
        { seed: 42, numRuns: 60 },
      )
    },
  )

  it('reviews a perfectly known concept after 1, 6 and then growing days', () => {
    const life = live(mapOf(1, []), 'reviewing', 'sm2', () => 5)
    // 1 + 6 days, then 6 times the ease after two perfect answers.
    expect(life.days).toBeCloseTo(1 + 6 + 6 * 2.7, 6)
  })

  it('completes for a learner who lapses now and then', () => {
    fc.assert(
      fc.property(arbitraryMap, fc.infiniteStream(fc.integer({ min: 0, max: 9 })), (map, luck) => {
        const next = luck[Symbol.iterator]()
        const life = live(map, 'reviewing', 'sm2', () => ((next.next().value ?? 1) === 0 ? 1 : 5))
        expect(isComplete(life.map)).toBe(true)
      }),
      { seed: 7, numRuns: 40 },
    )
  })
})
