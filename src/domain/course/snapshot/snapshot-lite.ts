import type { ExamStatusById } from '../exams/exam-availability.ts'
import { examStatusOf, lockedInOrder } from '../exams/exam-availability.ts'
import type { CourseUnit } from '../units/learning-path-graph.ts'
import type { ExamTier, MasteryTier } from './mastery-tier.ts'
import type { StudentSnapshot } from './student-snapshot.ts'
import { unitProgressOf } from './student-snapshot.ts'

/** The summary the screen shows; it needs no knowledge of the graph. Seed 004 PF-6.1. */
export interface SnapshotLite {
  readonly focus: {
    readonly unitId: string
    readonly title: string
    readonly masteryTier: MasteryTier
  }
  readonly prereqNudge: { readonly unitId: string; readonly title: string } | null
  readonly revisit: RevisitSummary
  /** Units whose tier is exactly this one, and all units of the course. */
  readonly progress: Readonly<Record<ExamTier | 'total', number>>
}

/**
 * The queue at a glance: how many of its questions are locked, when the first of these opens, and
 * the question to go back to next, which is one that is open already, else the first to open.
 */
export interface RevisitSummary {
  readonly lockedCount: number
  readonly nextEligibleAt: string | null
  readonly nextQuestionId: string | null
}

/** The part of the snapshot that goes into the model's context. Seed 004 PF-3.6.4. */
export interface SnapshotLiteForLlm {
  readonly focusUnitId: string
  readonly focusMasteryTier: MasteryTier
  readonly unitsInProgress: readonly string[]
  readonly revisit: Pick<RevisitSummary, 'lockedCount' | 'nextEligibleAt'>
}

/**
 * `prereqBlockingUnitId` is the last policy's blocker; it is named only while no tier is reached
 * there. `examStatusById` is the exam authority's answer for the revisit queue, empty if it failed.
 */
export function buildSnapshotLite(args: {
  readonly snapshot: StudentSnapshot
  readonly units: readonly CourseUnit[]
  readonly prereqBlockingUnitId: string | null
  readonly examStatusById: ExamStatusById
}): SnapshotLite {
  const { snapshot, units, prereqBlockingUnitId: blocker } = args
  const titleOf = (unitId: string) => units.find((unit) => unit.unitId === unitId)?.title ?? unitId
  const tierOf = (unitId: string) => unitProgressOf(snapshot, unitId)?.masteryTier ?? 'none'
  const count = (tier: ExamTier) => units.filter(({ unitId }) => tierOf(unitId) === tier).length
  const { focusUnitId } = snapshot
  return {
    focus: {
      unitId: focusUnitId,
      title: titleOf(focusUnitId),
      masteryTier: tierOf(focusUnitId),
    },
    prereqNudge:
      blocker !== null && tierOf(blocker) === 'none'
        ? { unitId: blocker, title: titleOf(blocker) }
        : null,
    revisit: summarizeRevisitQueue(snapshot, args.examStatusById),
    progress: {
      bronze: count('bronze'),
      silver: count('silver'),
      gold: count('gold'),
      total: units.length,
    },
  }
}

/** The summary for the model, with the focus of the turn at hand. */
export function buildSnapshotLiteForLlm(
  snapshot: StudentSnapshot,
  focusUnitId: string,
  examStatusById: ExamStatusById,
): SnapshotLiteForLlm {
  const { lockedCount, nextEligibleAt } = summarizeRevisitQueue(snapshot, examStatusById)
  return {
    focusUnitId,
    focusMasteryTier: unitProgressOf(snapshot, focusUnitId)?.masteryTier ?? 'none',
    unitsInProgress: snapshot.unitsInProgress,
    revisit: { lockedCount, nextEligibleAt },
  }
}

function summarizeRevisitQueue(
  snapshot: StudentSnapshot,
  statuses: ExamStatusById,
): RevisitSummary {
  const questionIds = Object.keys(snapshot.revisitQueue)
  const withStatus = (status: string) =>
    questionIds.filter((id) => examStatusOf(statuses, id)?.status === status)
  const [firstToOpen] = lockedInOrder(questionIds, statuses)
  return {
    lockedCount: withStatus('locked').length,
    nextEligibleAt: firstToOpen?.lockedUntil ?? null,
    nextQuestionId: withStatus('available')[0] ?? firstToOpen?.questionId ?? null,
  }
}
