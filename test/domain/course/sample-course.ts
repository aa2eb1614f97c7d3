import type { ExamStatusById } from '../../../src/domain/course/exams/exam-availability.ts'
import { computePolicy } from '../../../src/domain/course/policy/tutor-policy.ts'
import type { Evidence } from '../../../src/domain/course/snapshot/evidence.ts'
import { applyEvidence } from '../../../src/domain/course/snapshot/evidence.ts'
import type { ExamTier } from '../../../src/domain/course/snapshot/mastery-tier.ts'
import type { StudentSnapshot } from '../../../src/domain/course/snapshot/student-snapshot.ts'
import { coldSnapshot } from '../../../src/domain/course/snapshot/student-snapshot.ts'
import type { LearningPathGraph } from '../../../src/domain/course/units/learning-path-graph.ts'
import type { MappedUnit } from '../../../src/domain/course/units/mapped-units.ts'
import { deepFreeze, T0 } from './random-course.ts'

/** The seed's example course. */
export const algebra: LearningPathGraph = deepFreeze({
  entryUnitId: 'ALG-00',
  units: [
    { unitId: 'ALG-00', title: 'Inverse Operations' },
    { unitId: 'ALG-01', title: 'Linear Equations' },
    { unitId: 'ALG-02', title: 'Systems of Equations' },
  ],
  prereqEdges: [
    ['ALG-00', 'ALG-01'],
    ['ALG-01', 'ALG-02'],
  ],
})

export const cold = deepFreeze(coldSnapshot('S1', 'MATH-G10', algebra.entryUnitId, T0))

export function drill(unitId: string, isCorrect: boolean, tag: string | null = null): Evidence {
  return { type: 'drill_graded', unitId, isCorrect, commonMistakeTag: tag, at: T0 + 60_000 }
}

export function exam(
  unitId: string,
  tier: ExamTier,
  isCorrect: boolean,
  questionId = `EX-${unitId}-${tier}`,
): Evidence {
  return { type: 'exam_answered', questionId, unitId, tier, isCorrect, at: T0 + 120_000 }
}

/** Drills and passes that bring a unit to a tier. */
export function reach(unitId: string, tier: ExamTier): Evidence[] {
  const tiers: ExamTier[] = ['bronze', 'silver', 'gold']
  const passed = tiers.slice(0, tiers.indexOf(tier) + 1).map((each) => exam(unitId, each, true))
  return [drill(unitId, true), drill(unitId, true), ...passed]
}

export function snapshotAfter(...log: Evidence[]): StudentSnapshot {
  return deepFreeze(log.reduce(applyEvidence, cold))
}

export function policyFor(
  snapshot: StudentSnapshot,
  mappedUnits: MappedUnit[],
  examStatusById: ExamStatusById = {},
) {
  return computePolicy({
    turnId: 'turn-1',
    snapshot,
    graph: algebra,
    mappedUnits,
    examCandidateIds: Object.keys(examStatusById),
    examStatusById,
  })
}
