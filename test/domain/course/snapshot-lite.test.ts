import { expect, test } from 'vitest'
import { SnapshotLite } from '../../../src/contracts/course-tutor.ts'
import type { ExamStatusById } from '../../../src/domain/course/exams/exam-availability.ts'
import {
  buildSnapshotLite,
  buildSnapshotLiteForLlm,
} from '../../../src/domain/course/snapshot/snapshot-lite.ts'
import { proves } from '../../spec/scenario.ts'
import { algebra, drill, exam, reach, snapshotAfter } from './sample-course.ts'

const snapshot = snapshotAfter(
  ...reach('ALG-00', 'gold'),
  ...reach('ALG-01', 'bronze'),
  exam('ALG-01', 'silver', false, 'EX1'),
  exam('ALG-01', 'silver', false, 'EX2'),
  exam('ALG-01', 'silver', false, 'EX3'),
)
const lite = (examStatusById: ExamStatusById, prereqBlockingUnitId: string | null = null) =>
  buildSnapshotLite({ snapshot, units: algebra.units, prereqBlockingUnitId, examStatusById })

const early = '2026-01-06T10:00:00Z'
const late = '2026-01-06T11:00:00Z'

test(
  'sums up focus, nudge, queue and progress',
  proves('004 SnapshotLite (PF-6.1): It sums up focus, nudge, queue and progress'),
  () => {
    const summary = lite(
      {
        EX1: { status: 'locked', lockedUntil: late },
        EX2: { status: 'locked', lockedUntil: early },
      },
      'ALG-02',
    )
    expect(summary).toEqual({
      focus: { unitId: 'ALG-00', title: 'Inverse Operations', masteryTier: 'gold' },
      prereqNudge: { unitId: 'ALG-02', title: 'Systems of Equations' },
      revisit: { lockedCount: 2, nextEligibleAt: early, nextQuestionId: 'EX2' },
      progress: { bronze: 1, silver: 0, gold: 1, total: 3 },
    })
    expect(SnapshotLite.parse(summary)).toEqual(summary)
  },
)

test('an open question of the queue is the next one', () => {
  const summary = lite({
    EX1: { status: 'locked', lockedUntil: late },
    EX3: { status: 'available' },
  })
  expect(summary.revisit).toEqual({ lockedCount: 1, nextEligibleAt: late, nextQuestionId: 'EX3' })
})

test('without a word from the exam authority nothing is said to be locked', () => {
  expect(lite({}).revisit).toEqual({ lockedCount: 0, nextEligibleAt: null, nextQuestionId: null })
})

test('a blocker with a tier is no longer named', () => {
  expect(lite({}, 'ALG-01').prereqNudge).toBeNull()
  expect(lite({}, null).prereqNudge).toBeNull()
})

test("the model's summary has the turn's focus", () => {
  const statuses: ExamStatusById = { EX1: { status: 'locked', lockedUntil: late } }
  expect(buildSnapshotLiteForLlm(snapshot, 'ALG-01', statuses)).toEqual({
    focusUnitId: 'ALG-01',
    focusMasteryTier: 'bronze',
    unitsInProgress: ['ALG-01'],
    revisit: { lockedCount: 1, nextEligibleAt: late },
  })
  const other = snapshotAfter(drill('ALG-02', false))
  expect(buildSnapshotLiteForLlm(other, 'ALG-01', {}).focusMasteryTier).toBe('none')
})
