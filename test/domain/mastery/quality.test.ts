import { expect, test } from 'vitest'
import {
  isPassed,
  outcomeQuality,
  type Verdict,
  verdictQuality,
} from '../../../src/domain/mastery/quality.ts'

test.each<[Verdict, number, boolean, number]>([
  ['correct', 1, false, 5],
  ['correct', 2, false, 3],
  ['correct', 1, true, 3],
  ['close', 1, false, 2],
  ['close', 2, true, 2],
  ['wrong', 1, false, 1],
  ['abstained', 1, false, 0],
  ['shown', 2, true, 0],
])('%s at try %i, hinted %s, has quality %i', (verdict, attempt, hinted, quality) => {
  expect(verdictQuality(verdict, { attempt, hinted })).toBe(quality)
})

test('a practised problem counts by its outcome', () => {
  const outcomes = ['mastered', 'learned', 'struggling', 'stuck', 'skipped'] as const
  expect(outcomes.map(outcomeQuality)).toEqual([5, 3, 1, 0, 0])
})

test('passed is a quality of 3 or more', () => {
  expect([0, 1, 2, 3, 4, 5].filter(isPassed)).toEqual([3, 4, 5])
})
