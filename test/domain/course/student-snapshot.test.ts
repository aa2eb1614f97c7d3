import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StudentSnapshot } from '../../../src/contracts/course-tutor.ts'
import { keepKnownTag } from '../../../src/domain/course/drills/drill-grade.ts'
import type { Evidence } from '../../../src/domain/course/snapshot/evidence.ts'
import { applyEvidence } from '../../../src/domain/course/snapshot/evidence.ts'
import {
  desiredExamTierFromMastery,
  MASTERY_TIERS,
  updateUnitMasteryTier,
} from '../../../src/domain/course/snapshot/mastery-tier.ts'
import {
  coldSnapshot,
  unitProgressOf,
} from '../../../src/domain/course/snapshot/student-snapshot.ts'
import { proves } from '../../spec/scenario.ts'
import { recomputeSnapshot } from '../../support/recompute-snapshot.ts'
import { anyCourse, deepFreeze, evidenceOf, T0 } from './random-course.ts'
import { cold, drill, exam, reach, snapshotAfter } from './sample-course.ts'

const start = { studentId: 'S1', courseId: 'C1', entryUnitId: 'U0', startedAt: T0 }
const fresh = () => deepFreeze(coldSnapshot('S1', 'C1', 'U0', T0))
const anyLog = anyCourse.chain(evidenceOf).map(deepFreeze)
const runs = { seed: 42, numRuns: 500 }

test(
  'a cold snapshot is empty and points at the entry',
  proves('004 Snapshot (PF-1.1): A student begins with an empty snapshot at the entry unit'),
  () => {
    expect(cold).toEqual({
      studentId: 'S1',
      courseId: 'MATH-G10',
      focusUnitId: 'ALG-00',
      unitsInProgress: [],
      unitProgress: {},
      examTouched: {},
      revisitQueue: {},
      lastTurnAnalysis: null,
      lastTurnAt: '2026-01-05T09:00:00.000Z',
    })
  },
)

describe(
  'tiers',
  proves('004 Exam tiers (PF-5.1): Passes and streak give bronze, silver and gold'),
  () => {
    test.each([
      ['none', 2, [0, 0, 0], 'none'],
      ['none', 1, [1, 0, 0], 'none'],
      ['none', 2, [1, 0, 0], 'bronze'],
      ['none', 2, [0, 1, 1], 'none'],
      ['none', 2, [1, 1, 0], 'silver'],
      ['none', 3, [1, 1, 1], 'gold'],
      ['none', 3, [1, 0, 1], 'bronze'],
      ['bronze', 0, [1, 0, 0], 'bronze'],
      ['bronze', 0, [1, 1, 0], 'silver'],
      ['silver', 0, [1, 1, 1], 'gold'],
      ['gold', 0, [0, 0, 0], 'gold'],
    ] as const)(
      '%s with streak %d and passes %j is %s',
      (masteryTier, streakCorrect, passed, tier) => {
        const [bronze, silver, gold] = passed
        const exams = { passedByTier: { bronze, silver, gold } }
        expect(updateUnitMasteryTier({ masteryTier, drill: { streakCorrect }, exam: exams })).toBe(
          tier,
        )
      },
    )

    test('the tier to work towards', () => {
      expect(MASTERY_TIERS.map(desiredExamTierFromMastery)).toEqual([
        'bronze',
        'silver',
        'gold',
        'gold',
      ])
    })

    test('a pass without the streak counts once the streak is there', () => {
      const passed = exam('ALG-00', 'bronze', true)
      const early = snapshotAfter(drill('ALG-00', true), passed)
      expect(early.unitProgress['ALG-00']?.masteryTier).toBe('none')
      const late = snapshotAfter(drill('ALG-00', true), passed, drill('ALG-00', true))
      expect(late.unitProgress['ALG-00']?.masteryTier).toBe('bronze')
    })

    test('never fall, whatever follows', () => {
      const climbed = new Set<string>()
      fc.assert(
        fc.property(anyLog, (log) => {
          let before = fresh()
          for (const entry of log) {
            const next = deepFreeze(applyEvidence(before, entry))
            for (const [unitId, { masteryTier }] of Object.entries(next.unitProgress)) {
              const held = before.unitProgress[unitId]?.masteryTier ?? 'none'
              expect(MASTERY_TIERS.indexOf(masteryTier)).toBeGreaterThanOrEqual(
                MASTERY_TIERS.indexOf(held),
              )
              climbed.add(masteryTier)
            }
            before = next
          }
        }),
        runs,
      )
      expect(climbed).toEqual(new Set(MASTERY_TIERS))
    })
  },
)

describe('unitsInProgress', () => {
  test('the unit touched last comes first, and gold leaves', () => {
    const both = snapshotAfter(drill('ALG-00', true), drill('ALG-01', false))
    expect(both.unitsInProgress).toEqual(['ALG-01', 'ALG-00'])
    expect(
      snapshotAfter(drill('ALG-01', false), ...reach('ALG-00', 'silver')).unitsInProgress,
    ).toEqual(['ALG-00', 'ALG-01'])
    const gold = snapshotAfter(
      drill('ALG-01', false),
      ...reach('ALG-00', 'gold'),
      drill('ALG-00', false),
    )
    expect(gold.unitsInProgress).toEqual(['ALG-01'])
  })

  test('status goes from not started over in progress to mastered', () => {
    expect(unitProgressOf(cold, 'ALG-00')).toBeUndefined()
    expect(unitProgressOf(snapshotAfter(drill('ALG-00', false)), 'ALG-00')?.status).toBe(
      'in_progress',
    )
    expect(unitProgressOf(snapshotAfter(...reach('ALG-00', 'silver')), 'ALG-00')?.status).toBe(
      'in_progress',
    )
    expect(unitProgressOf(snapshotAfter(...reach('ALG-00', 'gold')), 'ALG-00')?.status).toBe(
      'mastered',
    )
  })

  test('holds exactly the units with evidence and without gold, once each', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const snapshot = log.reduce(applyEvidence, fresh())
        const open = Object.entries(snapshot.unitProgress)
          .filter(([, { masteryTier }]) => masteryTier !== 'gold')
          .map(([unitId]) => unitId)
        expect(snapshot.unitsInProgress.toSorted()).toEqual(open.toSorted())
        const touched = snapshot.unitsInProgress.map(
          (unitId) => snapshot.unitProgress[unitId]?.lastTouchedAt,
        )
        expect(touched).toEqual(touched.toSorted().reverse())
      }),
      runs,
    )
  })
})

test('a turn without an analysis keeps the earlier one', () => {
  const analysis = {
    mappedUnits: [{ unitId: 'ALG-01', confidence: 0.92 }],
    studentIntent: 'solve' as const,
    understandingSignal: 'uncertain' as const,
    suggestedPrereqUnits: ['ALG-00'],
  }
  const turns: Evidence[] = [
    { type: 'turn_taken', focusUnitId: 'ALG-01', analysis, at: T0 + 1_000 },
    { type: 'turn_taken', focusUnitId: 'ALG-00', analysis: null, at: T0 + 2_000 },
  ]
  expect(snapshotAfter(...turns)).toEqual({
    ...cold,
    focusUnitId: 'ALG-00',
    lastTurnAnalysis: analysis,
    lastTurnAt: '2026-01-05T09:00:02.000Z',
  })
})

test.each([
  [false, 'sign_error', 'sign_error'],
  [false, 'invented', null],
  [false, null, null],
  [true, 'sign_error', null],
])('a grade (correct: %s) with tag %s keeps %s', (isCorrect, commonMistakeTag, kept) => {
  const grade = { isCorrect, feedbackText: 'Look at the sign.', commonMistakeTag }
  expect(keepKnownTag(grade, ['sign_error'])).toEqual({ ...grade, commonMistakeTag: kept })
})

test('recomputing from the log gives what the transitions gave, to every entry', () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      let snapshot = fresh()
      expect(recomputeSnapshot(start, [])).toEqual(snapshot)
      log.forEach((entry, index) => {
        snapshot = deepFreeze(applyEvidence(snapshot, entry))
        expect(recomputeSnapshot(start, log.slice(0, index + 1))).toEqual(snapshot)
      })
    }),
    { seed: 42, numRuns: 200 },
  )
})

test('every snapshot is what its schema says', () => {
  fc.assert(
    fc.property(anyLog, (log) => {
      const snapshot = log.reduce(applyEvidence, fresh())
      expect(StudentSnapshot.parse(snapshot)).toEqual(snapshot)
    }),
    { seed: 42, numRuns: 100 },
  )
})
