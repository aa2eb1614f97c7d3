import fc from 'fast-check'
import type {
  ExamStatus,
  ExamStatusById,
} from '../../../src/domain/course/exams/exam-availability.ts'
import type { Evidence } from '../../../src/domain/course/snapshot/evidence.ts'
import type {
  StudentSnapshot,
  UnitProgress,
} from '../../../src/domain/course/snapshot/student-snapshot.ts'
import { coldSnapshot } from '../../../src/domain/course/snapshot/student-snapshot.ts'
import type { LearningPathGraph } from '../../../src/domain/course/units/learning-path-graph.ts'
import type { MappedUnit } from '../../../src/domain/course/units/mapped-units.ts'

export const T0 = Date.UTC(2026, 0, 5, 9)
const QUESTIONS = ['Q0', 'Q1', 'Q2', 'Q3', 'Q4']
const TAGS = ['inverse_operations', 'sign_error']

/** Freezes a value and all it holds, so that a mutation throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(deepFreeze)
  }
  return value
}

/** One to ten units; every edge leads from a lower to a higher number, in any order. */
export const anyCourse: fc.Arbitrary<LearningPathGraph> = fc
  .integer({ min: 1, max: 10 })
  .chain((size) => {
    const units = Array.from({ length: size }, (_, i) => ({ unitId: `U${i}`, title: `Unit ${i}` }))
    const edges = units.flatMap((to, j) =>
      units.slice(0, j).map((from): [string, string] => [from.unitId, to.unitId]),
    )
    return fc.shuffledSubarray(edges).map((prereqEdges) => ({
      entryUnitId: 'U0',
      units,
      prereqEdges,
    }))
  })

export function unitIdOf(course: LearningPathGraph): fc.Arbitrary<string> {
  return fc.constantFrom(...course.units.map(({ unitId }) => unitId))
}

/** Known units and one the course does not have, in any order, with repeats. */
export function mappedUnitsOf(course: LearningPathGraph): fc.Arbitrary<MappedUnit[]> {
  const unitId = fc.oneof(
    { weight: 9, arbitrary: unitIdOf(course) },
    { weight: 1, arbitrary: fc.constant('GONE') },
  )
  const confidence = fc.double({ min: 0, max: 1, noNaN: true })
  return fc.array(fc.record({ unitId, confidence }), { maxLength: 6 })
}

/** A log of up to forty entries, mostly on the entry, each a second to a day after the one before. */
export function evidenceOf(course: LearningPathGraph): fc.Arbitrary<Evidence[]> {
  const unitId = fc.oneof(
    { weight: 4, arbitrary: fc.constant(course.entryUnitId) },
    { weight: 1, arbitrary: unitIdOf(course) },
  )
  const tier = fc.constantFrom('bronze' as const, 'silver' as const, 'gold' as const)
  const questionId = fc.constantFrom(...QUESTIONS)
  const commonMistakeTag = fc.constantFrom(null, ...TAGS)
  const mappedUnits = fc.array(fc.record({ unitId, confidence: fc.constant(0.9) }), {
    maxLength: 2,
  })
  const analysis = fc.record({
    mappedUnits,
    studentIntent: fc.constant('solve' as const),
    understandingSignal: fc.constant('uncertain' as const),
    suggestedPrereqUnits: fc.array(unitId, { maxLength: 2 }),
  })
  const drill = fc.record({
    type: fc.constant('drill_graded' as const),
    unitId,
    isCorrect: fc.nat(4).map((n) => n > 0),
    commonMistakeTag,
  })
  const exam = fc.record({
    type: fc.constant('exam_answered' as const),
    questionId,
    unitId,
    tier,
    isCorrect: fc.boolean(),
  })
  const support = fc.record({
    type: fc.constant('support_viewed' as const),
    questionId,
    unitId,
    tier,
    status: fc.constantFrom('available' as const, 'locked' as const, 'passed' as const),
  })
  const turn = fc.record({
    type: fc.constant('turn_taken' as const),
    focusUnitId: unitId,
    analysis: fc.option(analysis, { nil: null }),
  })
  const entry = fc.oneof(
    { weight: 5, arbitrary: drill },
    { weight: 3, arbitrary: exam },
    { weight: 1, arbitrary: support },
    { weight: 1, arbitrary: turn },
  )
  return fc
    .array(fc.tuple(entry, fc.integer({ min: 1_000, max: 86_400_000 })), {
      maxLength: 40,
      size: 'max',
    })
    .map((entries) => {
      let at = T0
      return entries.map(([fields, later]) => {
        at += later
        return { ...fields, at }
      })
    })
}

/** Any progress in any unit, also such as no log leads to; the focus may be gone from the course. */
export function snapshotOf(course: LearningPathGraph): fc.Arbitrary<StudentSnapshot> {
  const count = fc.nat(4)
  const progress: fc.Arbitrary<UnitProgress> = fc.record({
    status: fc.constant('in_progress' as const),
    masteryTier: fc.constantFrom('none' as const, 'none', 'bronze', 'silver', 'gold'),
    lastTouchedAt: fc.constant(new Date(T0).toISOString()),
    drill: fc.record({ attempts: count, correct: count, streakCorrect: count }),
    exam: fc.record({
      passedByTier: fc.record({ bronze: count, silver: count, gold: count }),
    }),
    confusionTags: fc.constant({}),
  })
  return fc
    .record({
      unitProgress: fc.dictionary(unitIdOf(course), progress, { noNullPrototype: true }),
      focusUnitId: fc.oneof(unitIdOf(course), fc.constant('GONE')),
      unitsInProgress: fc.uniqueArray(unitIdOf(course)),
    })
    .map((fields) => ({ ...coldSnapshot('S1', 'C1', 'U0', T0), ...fields }))
}

export const anyExamStatuses: fc.Arbitrary<ExamStatusById> = fc.dictionary(
  fc.constantFrom(...QUESTIONS),
  fc.oneof(
    fc.constant<ExamStatus>({ status: 'available' }),
    fc.constant<ExamStatus>({ status: 'passed' }),
    fc.constant<ExamStatus>({ status: 'locked' }),
    fc.integer({ min: 0, max: 9 }).map(
      (hours): ExamStatus => ({
        status: 'locked',
        lockedUntil: new Date(T0 + hours * 3_600_000).toISOString(),
      }),
    ),
  ),
  { noNullPrototype: true },
)
export const anyCandidateIds = fc.shuffledSubarray(QUESTIONS)
