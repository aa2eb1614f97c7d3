import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  applyResponse,
  completeCycle,
  emptyHistory,
  type NodeHistory,
  postponeReview,
  type ResponseContext,
  type ResponseMark,
  type ResponseType,
  recordMark,
} from '../../../src/domain/mastery/status.ts'
import type { MasteryStatus, MindMapNode } from '../../../src/domain/mind-map/mind-map.ts'
import type { SchedulerName } from '../../../src/domain/spaced-repetition/scheduler.ts'
import { sampleNode } from '../mind-map/sample-map.ts'

const DAY = 86_400_000
const AT = Date.UTC(2026, 2, 1)
const CTX: ResponseContext = {
  at: AT,
  dayMs: DAY,
  learningSteps: [1, 6],
  scheduler: 'sm2',
  inCycle: false,
}

function nodeAt(masteryStatus: MasteryStatus, given: Partial<MindMapNode> = {}): MindMapNode {
  const scheduled = masteryStatus === 'reviewing' || masteryStatus === 'mastered'
  return sampleNode('n', {
    masteryStatus,
    ...(scheduled && { repetitions: 2, intervalDays: 6, nextReviewAt: AT, lastReviewedAt: 0 }),
    ...(masteryStatus === 'mastered' && { masteredAt: 7 }),
    ...given,
  })
}

function marks(type: ResponseType, qualities: number[]): NodeHistory {
  return qualities.reduce(
    (history, quality) => recordMark(history, { type, quality }),
    emptyHistory(),
  )
}

function respond(
  node: MindMapNode,
  type: ResponseType,
  quality: number,
  history = emptyHistory(),
  ctx: Partial<ResponseContext> = {},
): MindMapNode {
  return applyResponse(node, history, { type, quality }, { ...CTX, ...ctx }).node
}

describe('status after a response', () => {
  test.each<[MasteryStatus, ResponseType, number, MasteryStatus]>([
    ['unseen', 'diagnostic', 3, 'diagnosed'],
    ['unseen', 'diagnostic', 2, 'unseen'],
    ['unseen', 'teach', 0, 'learning'],
    ['unseen', 'teach', 5, 'learning'],
    ['unseen', 'review', 5, 'unseen'],
    ['unseen', 'review', 0, 'unseen'],
    ['diagnosed', 'teach', 5, 'learning'],
    ['diagnosed', 'diagnostic', 5, 'diagnosed'],
    ['diagnosed', 'diagnostic', 2, 'learning'],
    ['diagnosed', 'review', 5, 'diagnosed'],
    ['diagnosed', 'review', 2, 'learning'],
    ['learning', 'teach', 3, 'reviewing'],
    ['learning', 'teach', 2, 'learning'],
    ['learning', 'review', 3, 'reviewing'],
    ['reviewing', 'review', 3, 'reviewing'],
    ['reviewing', 'review', 2, 'learning'],
    ['reviewing', 'teach', 2, 'learning'],
    ['mastered', 'review', 3, 'mastered'],
    ['mastered', 'review', 2, 'reviewing'],
    ['mastered', 'teach', 0, 'mastered'],
  ])('%s and a %s of quality %i gives %s', (from, type, quality, to) => {
    expect(respond(nodeAt(from), type, quality).masteryStatus).toBe(to)
  })

  test('inside a learning cycle a single answer does not move learning to reviewing', () => {
    const node = respond(nodeAt('learning'), 'teach', 5, emptyHistory(), { inCycle: true })
    expect(node).toMatchObject({ masteryStatus: 'learning', masteryScore: 1, nextReviewAt: null })
  })

  test('outside a cycle a passed answer opens the reviews at the first step', () => {
    expect(
      respond(nodeAt('learning', { repetitions: 4, intervalDays: 90 }), 'teach', 4),
    ).toMatchObject({
      masteryStatus: 'reviewing',
      repetitions: 1,
      intervalDays: 1,
      nextReviewAt: AT + DAY,
      lastReviewedAt: AT,
    })
  })
})

describe('mastery', () => {
  test('takes three review responses of at least 4', () => {
    expect(respond(nodeAt('reviewing'), 'review', 4, marks('review', [4, 4]))).toMatchObject({
      masteryStatus: 'mastered',
      masteredAt: AT,
      nextReviewAt: AT + 15 * DAY,
    })
    expect(respond(nodeAt('reviewing'), 'review', 5, marks('review', [5, 3])).masteryStatus).toBe(
      'reviewing',
    )
    expect(respond(nodeAt('reviewing'), 'review', 5, marks('review', [5])).masteryStatus).toBe(
      'reviewing',
    )
  })

  test('teach responses do not count towards it', () => {
    expect(respond(nodeAt('reviewing'), 'review', 5, marks('teach', [5, 5, 5])).masteryStatus).toBe(
      'reviewing',
    )
    expect(respond(nodeAt('reviewing'), 'teach', 5, marks('review', [5, 5, 5])).masteryStatus).toBe(
      'reviewing',
    )
  })

  test('a failed review takes it back, due again after the first step', () => {
    for (const scheduler of ['sm2', 'fsrs'] as const) {
      const node = respond(nodeAt('mastered'), 'review', 2, marks('review', [5, 5, 5]), {
        scheduler,
        learningSteps: [3, 9],
      })
      expect(node).toMatchObject({
        masteryStatus: 'reviewing',
        masteredAt: null,
        intervalDays: 3,
        nextReviewAt: AT + 3 * DAY,
      })
    }
  })

  test('a passed review keeps the day it was mastered', () => {
    expect(respond(nodeAt('mastered'), 'review', 4)).toMatchObject({
      masteredAt: 7,
      nextReviewAt: AT + 15 * DAY,
    })
  })
})

describe('the schedule', () => {
  test('a lapse of a reviewing node clears it', () => {
    expect(respond(nodeAt('reviewing'), 'review', 1)).toMatchObject({
      masteryStatus: 'learning',
      nextReviewAt: null,
      repetitions: 0,
    })
    expect(respond(nodeAt('reviewing'), 'teach', 1).nextReviewAt).toBeNull()
  })

  test('a teach response leaves it alone', () => {
    const before = nodeAt('reviewing')
    const { masteryScore: _, ...rest } = respond(before, 'teach', 5)
    expect(before).toMatchObject(rest)
  })

  test('FSRS keeps its memory in the metadata and counts from the last review', () => {
    const first = completeCycle(nodeAt('learning', { metadata: { note: 1 } }), [4], {
      ...CTX,
      scheduler: 'fsrs',
    })
    expect(first.metadata).toMatchObject({ note: 1, fsrs: { repetitions: 1, lapses: 0 } })
    const onTime = { scheduler: 'fsrs' as const, at: first.nextReviewAt ?? 0 }
    const late = { ...onTime, at: onTime.at + 30 * DAY }
    const next = respond(first, 'review', 4, emptyHistory(), onTime)
    expect(next.metadata).toMatchObject({ note: 1, fsrs: { repetitions: 2 } })
    expect(respond(first, 'review', 4, emptyHistory(), late).intervalDays).toBeGreaterThan(
      next.intervalDays,
    )
  })

  test('a skipped review is due again after the first step', () => {
    expect(postponeReview(nodeAt('reviewing'), CTX)).toEqual(
      nodeAt('reviewing', { nextReviewAt: AT + DAY }),
    )
  })
})

describe('a passed cycle', () => {
  test('opens the reviews by one step from repetitions 0 with the rounded mean', () => {
    const node = completeCycle(
      nodeAt('learning', { repetitions: 3, intervalDays: 40 }),
      [5, 5, 3],
      CTX,
    )
    expect(node).toMatchObject({
      masteryStatus: 'reviewing',
      repetitions: 1,
      intervalDays: 1,
      easeFactor: 2.5,
      nextReviewAt: AT + DAY,
    })
    const second = respond(node, 'review', 4, emptyHistory(), { at: AT + DAY })
    expect(second).toMatchObject({ intervalDays: 6, nextReviewAt: AT + 7 * DAY })
  })

  test('needs answers', () => {
    expect(() => completeCycle(nodeAt('learning'), [], CTX)).toThrow(RangeError)
  })
})

describe('the score', () => {
  test('is the seed score until the first other response', () => {
    const diagnosed = respond(nodeAt('unseen'), 'diagnostic', 4)
    expect(diagnosed.masteryScore).toBe(0.5)
    const history = marks('diagnostic', [4])
    expect(respond(diagnosed, 'teach', 3, history).masteryScore).toBe(0.6)
    const taught = recordMark(history, { type: 'teach', quality: 3 })
    const learning = nodeAt('learning', { masteryScore: 0.6 })
    expect(respond(learning, 'diagnostic', 1, taught).masteryScore).toBe(0.6)
  })

  test('refuses what is no quality', () => {
    expect(() => respond(nodeAt('unseen'), 'teach', 5.5)).toThrow(RangeError)
  })
})

test('any walk of responses keeps the invariants of a node', () => {
  const anyMark = fc.record({
    type: fc.constantFrom<ResponseType>('diagnostic', 'teach', 'review'),
    quality: fc.integer({ min: 0, max: 5 }),
  }) satisfies fc.Arbitrary<ResponseMark>
  const anyStep = fc.record({
    mark: anyMark,
    inCycle: fc.boolean(),
    wait: fc.nat(20),
    passed: fc.boolean(),
  })
  const anyScheduler = fc.constantFrom<SchedulerName>('sm2', 'fsrs')
  const reached = new Set<MasteryStatus>()
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), anyScheduler, (steps, scheduler) => {
      let node = nodeAt('unseen')
      let history = emptyHistory()
      let at = AT
      for (const { mark, inCycle, wait, passed } of steps) {
        at += wait * DAY
        const ctx = { ...CTX, at, scheduler, inCycle }
        const before = JSON.stringify([node, history])
        const result = applyResponse(node, history, mark, ctx)
        expect(JSON.stringify([node, history])).toBe(before)
        node = result.node
        history = result.history
        if (inCycle && passed && node.masteryStatus === 'learning') {
          node = completeCycle(node, [mark.quality, 4, 5], ctx)
        }
        reached.add(node.masteryStatus)
        const reviewed = node.masteryStatus === 'reviewing' || node.masteryStatus === 'mastered'
        expect(node.nextReviewAt !== null).toBe(reviewed)
        expect(node.masteredAt !== null).toBe(node.masteryStatus === 'mastered')
        expect(node.masteryScore).toBeGreaterThanOrEqual(0)
        expect(node.masteryScore).toBeLessThanOrEqual(1)
        expect(node.easeFactor).toBeGreaterThanOrEqual(1.3)
        expect(history.graded.length).toBeLessThanOrEqual(8)
        expect(history.reviews.length).toBeLessThanOrEqual(3)
        expect(history.recent.length).toBeLessThanOrEqual(3)
      }
    }),
    { seed: 42, numRuns: 300 },
  )
  expect(reached.size).toBe(5)
})
