import type { ExamAvailability, ExamStatusById } from '../exams/exam-availability.ts'
import { computeExamAvailabilityForTier, NO_EXAM } from '../exams/exam-availability.ts'
import type { ExamTier } from '../snapshot/mastery-tier.ts'
import { DRILL_READINESS_STREAK, desiredExamTierFromMastery } from '../snapshot/mastery-tier.ts'
import type { StudentSnapshot, UnitProgress } from '../snapshot/student-snapshot.ts'
import { masteryTierByUnit, unitProgressOf } from '../snapshot/student-snapshot.ts'
import type { LearningPathGraph, MasteryTierByUnit } from '../units/learning-path-graph.ts'
import { findPrereqBlocker, hasUnit, isBlocked } from '../units/learning-path-graph.ts'
import type { MappedUnit } from '../units/mapped-units.ts'
import { byConfidence } from '../units/mapped-units.ts'
import { computeScopedUnitIds } from '../units/unit-scope.ts'

export type TutorAction = 'SOCRATIC_QUESTION' | 'CONCEPT_CARD' | 'DRILL_CARD' | 'EXAM_BLOCK'

export interface PolicyConstraints {
  readonly maxConceptWords: number
  readonly maxWorkedExamples: number
  readonly drillMaxSteps: number
}

/** What the model may do in one turn; computed every turn, never stored. Seed 004 PF-0.1. */
export interface TutorPolicy {
  readonly turnId: string
  readonly focusUnitId: string
  readonly primaryTargetUnitId: string
  readonly prereqBlockingUnitId: string | null
  readonly scopedUnitIds: readonly string[]
  readonly allowedActions: readonly TutorAction[]
  readonly stuck: boolean
  readonly examReady: boolean
  readonly desiredExamTier: ExamTier
  readonly examAvailability: ExamAvailability['availability']
  readonly constraints: PolicyConstraints
}

export const POLICY_CONSTRAINTS: PolicyConstraints = {
  maxConceptWords: 170,
  maxWorkedExamples: 1,
  drillMaxSteps: 2,
}

/** From this confidence on the best mapped unit is the target. Seed 004 PF-3.4. */
export const TARGET_CONFIDENCE = 0.55
/** Attempts after which a broken streak counts as stuck. Seed 004 PF-3.4. */
const STUCK_ATTEMPTS = 2

/** Stuck by drill evidence alone: two or more attempts and no streak. Seed 004 PF-3.4. */
function isStuckByEvidence(progress: Pick<UnitProgress, 'drill'> | undefined): boolean {
  const { attempts, streakCorrect } = progress?.drill ?? { attempts: 0, streakCorrect: 0 }
  return attempts >= STUCK_ATTEMPTS && streakCorrect === 0
}

/** A turn's focus and what follows from it before the exam authority is asked. */
export interface TurnFocus {
  readonly primaryTargetUnitId: string
  readonly prereqBlockingUnitId: string | null
  readonly focusUnitId: string
  readonly stuck: boolean
  readonly examReady: boolean
  readonly desiredExamTier: ExamTier
}

/**
 * Where this turn goes: the target is the best mapped unit from 0.55 on, else the last focus (the
 * course's entry if the course no longer has it); the focus is the target's blocker, else the
 * target, and so never blocked itself. Exam readiness looks at the focus alone. Needed first to
 * retrieve the exam candidates that `computePolicy` takes. Seed 004 PF-3.4.
 */
export function computeTurnFocus(args: {
  readonly snapshot: StudentSnapshot
  readonly graph: LearningPathGraph
  readonly mappedUnits: readonly MappedUnit[]
  /** Units that count as known, whatever their tier. */
  readonly knownUnitIds?: readonly string[]
}): TurnFocus {
  const { snapshot, graph } = args
  const known = args.mappedUnits.filter(({ unitId }) => hasUnit(graph, unitId))
  const [topMapped] = byConfidence(known)
  const lastFocus = hasUnit(graph, snapshot.focusUnitId) ? snapshot.focusUnitId : graph.entryUnitId
  const isSure = topMapped !== undefined && topMapped.confidence >= TARGET_CONFIDENCE
  const primaryTargetUnitId = isSure ? topMapped.unitId : lastFocus

  const tiers = tiersReached(snapshot, args.knownUnitIds ?? [])
  const prereqBlockingUnitId = findPrereqBlocker(graph, primaryTargetUnitId, tiers)
  const focusUnitId = prereqBlockingUnitId ?? primaryTargetUnitId
  const progress = unitProgressOf(snapshot, focusUnitId)
  const streak = progress?.drill.streakCorrect ?? 0
  return {
    primaryTargetUnitId,
    prereqBlockingUnitId,
    focusUnitId,
    stuck: isStuckByEvidence(progress),
    examReady: !isBlocked(graph, focusUnitId, tiers) && streak >= DRILL_READINESS_STREAK,
    desiredExamTier: desiredExamTierFromMastery(progress?.masteryTier ?? 'none'),
  }
}

/** The tiers, with bronze at least for what is known otherwise. */
function tiersReached(
  snapshot: StudentSnapshot,
  knownUnitIds: readonly string[],
): MasteryTierByUnit {
  const own = [...masteryTierByUnit(snapshot)].filter(([, tier]) => tier !== 'none')
  return new Map([...knownUnitIds.map((unitId) => [unitId, 'bronze'] as const), ...own])
}

/** The actions open to the model; the question and the drill always are. Seed 004 PF-3.4. */
function computeAllowedActions(args: {
  readonly stuck: boolean
  readonly examReady: boolean
  readonly examAvailability: ExamAvailability['availability']
}): TutorAction[] {
  const allowed: TutorAction[] = ['SOCRATIC_QUESTION', 'DRILL_CARD']
  if (args.stuck) allowed.push('CONCEPT_CARD')
  if (args.examReady && args.examAvailability === 'available') allowed.push('EXAM_BLOCK')
  return allowed
}

/**
 * The policy of a turn and the exam availability behind it. `examCandidateIds` are the questions of
 * the focus unit and the desired tier; `examStatusById` is the authority's answer for them, empty
 * when it failed. Pure. Seed 004 PF-3.4.
 */
export function computePolicy(args: {
  readonly turnId: string
  readonly snapshot: StudentSnapshot
  readonly graph: LearningPathGraph
  readonly mappedUnits: readonly MappedUnit[]
  readonly knownUnitIds?: readonly string[]
  readonly examCandidateIds: readonly string[]
  readonly examStatusById: ExamStatusById
}): { policy: TutorPolicy; examAvailability: ExamAvailability } {
  const { snapshot, graph, mappedUnits } = args
  const focus = computeTurnFocus(args)
  const { focusUnitId, primaryTargetUnitId, prereqBlockingUnitId, stuck, examReady } = focus
  const examAvailability = examReady
    ? computeExamAvailabilityForTier({
        candidateQuestionIds: args.examCandidateIds,
        examStatusById: args.examStatusById,
        revisitQueue: snapshot.revisitQueue,
      })
    : NO_EXAM
  const { availability } = examAvailability
  const policy: TutorPolicy = {
    turnId: args.turnId,
    focusUnitId,
    primaryTargetUnitId,
    prereqBlockingUnitId,
    scopedUnitIds: computeScopedUnitIds({
      graph,
      focusUnitId,
      primaryTargetUnitId,
      prereqBlockingUnitId,
      mappedUnits,
      unitsInProgress: snapshot.unitsInProgress,
    }),
    allowedActions: computeAllowedActions({ stuck, examReady, examAvailability: availability }),
    stuck,
    examReady,
    desiredExamTier: focus.desiredExamTier,
    examAvailability: availability,
    constraints: POLICY_CONSTRAINTS,
  }
  return { policy, examAvailability }
}
