import { expect, test } from 'vitest'
import {
  outcomeQuality,
  selfGradeQuality,
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

test('self-grades are 1, 3, 4 and 5', () => {
  const grades = ['again', 'hard', 'good', 'easy'] as const
  expect(grades.map(selfGradeQuality)).toEqual([1, 3, 4, 5])
})
