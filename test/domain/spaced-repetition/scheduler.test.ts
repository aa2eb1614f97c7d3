import fc from 'fast-check'
import { createEmptyCard, fsrs, Rating } from 'ts-fsrs'
import { describe, expect, test } from 'vitest'
import { dueReviews } from '../../../src/domain/spaced-repetition/due-reviews.ts'
import { readFsrsMemory } from '../../../src/domain/spaced-repetition/fsrs.ts'
import {
  type ReviewState,
  type SchedulerName,
  schedulerFor,
} from '../../../src/domain/spaced-repetition/scheduler.ts'
import { proves } from '../../spec/scenario.ts'
import { sampleMap, sampleNode } from '../mind-map/sample-map.ts'

const DAY = 86_400_000
const FRESH: ReviewState = {
  easeFactor: 2.5,
  repetitions: 0,
  intervalDays: 0,
  lastReviewedAt: null,
}

describe.each<SchedulerName>(['sm2', 'fsrs'])('the %s scheduler', (name) => {
  const scheduler = schedulerFor(name)

  test(
    'sets a later whole millisecond, the same under a scaled day',
    proves('000 D2 Spaced repetition: The next review is the computed interval after this one'),
    () => {
      const anyReviews = fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat(40)), {
        minLength: 1,
        maxLength: 30,
      })
      fc.assert(
        fc.property(anyReviews, fc.constantFrom(1000, 60_000), (reviews, dayMs) => {
          let real = { state: FRESH, nextReviewAt: 0 }
          let scaled = real
          for (const [quality, lateDays] of reviews) {
            const at = real.nextReviewAt + lateDays * DAY
            const scaledAt = scaled.nextReviewAt + lateDays * dayMs
            real = scheduler.review(real.state, quality, at, DAY)
            scaled = scheduler.review(scaled.state, quality, scaledAt, dayMs)
            expect(Number.isSafeInteger(real.nextReviewAt)).toBe(true)
            expect(real.nextReviewAt).toBeGreaterThan(at)
            expect(real.nextReviewAt - at).toBe(Math.round(real.state.intervalDays * DAY))
            expect(real.state.intervalDays).toBeLessThanOrEqual(36_500)
            expect(real.state.lastReviewedAt).toBe(at)
            expect(scaled.state.easeFactor).toBe(real.state.easeFactor)
            expect(scaled.nextReviewAt - scaledAt).toBe(
              Math.round(scaled.state.intervalDays * dayMs),
            )
          }
        }),
        { seed: 42, numRuns: 100 },
      )
    },
  )

  test('never waits longer than a century', () => {
    let review = { state: FRESH, nextReviewAt: 0 }
    for (let count = 0; count < 40; count += 1) {
      review = scheduler.review(review.state, 5, review.nextReviewAt, DAY)
    }
    expect(review.state.intervalDays).toBe(36_500)
  })

  test('changes no state it is given and refuses what is no quality', () => {
    const state = Object.freeze({ ...FRESH })
    expect(scheduler.review(state, 4, DAY, DAY)).toEqual(scheduler.review(state, 4, DAY, DAY))
    for (const quality of [-1, 6, 3.5]) {
      expect(() => scheduler.review(state, quality, DAY, DAY)).toThrow(RangeError)
    }
  })
})

describe('elapsed time', () => {
  const late = (name: SchedulerName, days: number) => {
    const scheduler = schedulerFor(name)
    const { state, nextReviewAt } = scheduler.review(FRESH, 4, 0, DAY)
    return scheduler.review(state, 4, nextReviewAt + days * DAY, DAY).state.intervalDays
  }

  test('counts for FSRS only', () => {
    expect(late('fsrs', 30)).toBeGreaterThan(late('fsrs', 0))
    expect(late('sm2', 30)).toBe(late('sm2', 0))
  })
})

describe('FSRS', () => {
  test('schedules as ts-fsrs does with a retention of 0.9, days as its steps and no fuzz', () => {
    const grades = [Rating.Again, Rating.Again, Rating.Again, Rating.Hard, Rating.Good, Rating.Easy]
    const library = fsrs({ request_retention: 0.9, enable_fuzz: false, enable_short_term: false })
    const start = Date.UTC(2026, 0, 1, 12)
    const scheduler = schedulerFor('fsrs')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat(20)), { maxLength: 12 }),
        (reviews) => {
          let card = createEmptyCard(new Date(start))
          let state = FRESH
          let at = start
          for (const [quality, lateDays] of reviews) {
            card = library.next(card, new Date(at), grades[quality] as Rating.Good).card
            const stored = JSON.parse(JSON.stringify(state)) as ReviewState
            const next = scheduler.review(stored, quality, at, DAY)
            state = next.state
            expect(next.nextReviewAt).toBe(card.due.getTime())
            expect(state.fsrs).toMatchObject({
              stability: card.stability,
              difficulty: card.difficulty,
              lapses: card.lapses,
              scheduledDays: card.scheduled_days,
              state: 'review',
            })
            at = next.nextReviewAt + lateDays * DAY
          }
        },
      ),
      { seed: 42, numRuns: 100 },
    )
  })

  test('what metadata holds is read only when it is a memory of FSRS', () => {
    const memory = schedulerFor('fsrs').review(FRESH, 5, 0, DAY).state.fsrs
    expect(readFsrsMemory(JSON.parse(JSON.stringify(memory)))).toEqual(memory)
    for (const other of [null, undefined, 3, {}, { ...memory, state: 'toString' }]) {
      expect(readFsrsMemory(other)).toBeNull()
    }
    expect(readFsrsMemory({ ...memory, stability: Number.NaN })).toBeNull()
  })
})

describe('due reviews', () => {
  const due = (id: string, nextReviewAt: number | null, easeFactor = 2.5) =>
    sampleNode(id, { masteryStatus: 'reviewing', nextReviewAt, easeFactor })

  test('come lowest ease first, then longest overdue', () => {
    const map = sampleMap([
      due('late', 10),
      due('later', 5),
      due('hard', 90, 1.3),
      due('future', 101),
      sampleNode('mastered', { masteryStatus: 'mastered', nextReviewAt: 100, easeFactor: 2.6 }),
      sampleNode('learning', { masteryStatus: 'learning', nextReviewAt: 1 }),
    ])
    expect(dueReviews(map, 100).map(({ id }) => id)).toEqual(['hard', 'later', 'late', 'mastered'])
  })

  test(
    'are at most 20 in one session',
    proves('000 D2 Spaced repetition: At most 20 reviews of one map are pending in one session'),
    () => {
      const map = sampleMap(Array.from({ length: 25 }, (_, index) => due(`n${index}`, 25 - index)))
      expect(dueReviews(map, 100)).toHaveLength(20)
      expect(dueReviews(map, 100, 2).map(({ id }) => id)).toEqual(['n24', 'n23'])
    },
  )

  test('a map that is not active has none', () => {
    const map = sampleMap([due('n', 1)])
    for (const status of ['creation', 'completed', 'abandoned'] as const) {
      expect(dueReviews({ ...map, status }, 100)).toEqual([])
    }
  })
})
