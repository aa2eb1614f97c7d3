import { expect, it } from 'vitest'
import { bandOf, progressOf } from '../../../src/domain/mastery/band.ts'

it.each([
  ['unseen', 0, false, 'new'],
  ['diagnosed', 0, true, 'learned'],
  ['learning', 0, false, 'new'],
  ['reviewing', 1, false, 'learned'],
  ['reviewing', 2, false, 'memory'],
  ['reviewing', 0, false, 'learned'],
  ['mastered', 0, false, 'mastered'],
] as const)(
  '%s after %i repetitions, placed: %s, is %s',
  (masteryStatus, repetitions, placed, band) => {
    expect(bandOf({ masteryStatus, repetitions, placed })).toBe(band)
  },
)

it('counts what is known more firmly among what is known less', () => {
  const one = (
    masteryStatus: 'unseen' | 'reviewing' | 'mastered',
    repetitions: number,
    count?: number,
  ) => ({
    ...{ masteryStatus, repetitions, placed: false },
    ...(count ? { count } : {}),
  })
  expect(
    progressOf([
      one('unseen', 0, 3),
      one('reviewing', 1),
      one('reviewing', 3),
      one('mastered', 4, 2),
    ]),
  ).toEqual({ learned: 4, inMemory: 3, mastered: 2, total: 7 })
})
