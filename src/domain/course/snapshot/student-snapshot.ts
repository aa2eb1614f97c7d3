import type { MasteryTierByUnit } from '../units/learning-path-graph.ts'
import type { TurnAnalysis } from '../units/mapped-units.ts'
import type { ExamTier, MasteryTier, PassedByTier } from './mastery-tier.ts'
import { updateUnitMasteryTier } from './mastery-tier.ts'

export type UnitStatus = 'not_started' | 'in_progress' | 'mastered'

/** Evidence and mastery of one unit; `lastTouchedAt` is ISO 8601 UTC. Seed 004 PF-0.1. */
export interface UnitProgress {
  readonly status: UnitStatus
  readonly masteryTier: MasteryTier
  readonly lastTouchedAt: string
  readonly drill: {
    readonly attempts: number
    readonly correct: number
    readonly streakCorrect: number
  }
  readonly exam: { readonly passedByTier: PassedByTier }
  readonly confusionTags: Readonly<Record<string, number>>
}

export interface RevisitEntry {
  readonly unitId: string
  readonly tier: ExamTier
}

/**
 * A student's progress in one course, stored and sparse: only units with evidence and questions
 * that were interacted with are listed. `unitsInProgress` holds units with evidence and without
 * gold, the one touched last first. Seed 004 PF-0.1.
 */
export interface StudentSnapshot {
  readonly studentId: string
  readonly courseId: string
  readonly focusUnitId: string
  readonly unitsInProgress: readonly string[]
  readonly unitProgress: Readonly<Record<string, UnitProgress>>
  readonly examTouched: Readonly<Record<string, boolean>>
  readonly revisitQueue: Readonly<Record<string, RevisitEntry>>
  readonly lastTurnAnalysis: TurnAnalysis | null
  readonly lastTurnAt: string
}

/** The snapshot of a student who has done nothing yet, at `now` (UTC ms). Seed 004 PF-1.1. */
export function coldSnapshot(
  studentId: string,
  courseId: string,
  entryUnitId: string,
  now: number,
): StudentSnapshot {
  return {
    studentId,
    courseId,
    focusUnitId: entryUnitId,
    unitsInProgress: [],
    unitProgress: {},
    examTouched: {},
    revisitQueue: {},
    lastTurnAnalysis: null,
    lastTurnAt: toIso(now),
  }
}

/** The unit's entry, or undefined where there is no evidence yet. */
export function unitProgressOf(
  snapshot: StudentSnapshot,
  unitId: string,
): UnitProgress | undefined {
  return Object.hasOwn(snapshot.unitProgress, unitId) ? snapshot.unitProgress[unitId] : undefined
}

export function masteryTierByUnit(snapshot: StudentSnapshot): MasteryTierByUnit {
  return new Map(
    Object.entries(snapshot.unitProgress).map(([unitId, { masteryTier }]) => [unitId, masteryTier]),
  )
}

/** A graded drill. `commonMistakeTag` is one of the course's tags or null. Seed 004 PF-4.1. */
export interface DrillGraded {
  readonly unitId: string
  readonly isCorrect: boolean
  readonly commonMistakeTag: string | null
  readonly at: number
}

/** Counters, streak, tag (wrong answers only) and tier after a graded drill. Seed 004 PF-4.1. */
export function applyDrillGrade(snapshot: StudentSnapshot, grade: DrillGraded): StudentSnapshot {
  const { isCorrect, commonMistakeTag: tag } = grade
  return touchUnit(snapshot, grade.unitId, grade.at, (progress) => ({
    ...progress,
    drill: {
      attempts: progress.drill.attempts + 1,
      correct: progress.drill.correct + (isCorrect ? 1 : 0),
      streakCorrect: isCorrect ? progress.drill.streakCorrect + 1 : 0,
    },
    confusionTags:
      isCorrect || tag === null ? progress.confusionTags : countTag(progress.confusionTags, tag),
  }))
}

/** An answered exam question; unit and tier are the question's own. Seed 004 PF-5.2. */
export interface ExamAnswered {
  readonly questionId: string
  readonly unitId: string
  readonly tier: ExamTier
  readonly isCorrect: boolean
  readonly at: number
}

/** A pass counts for its tier and leaves the queue; a wrong answer joins it. Seed 004 PF-5.2. */
export function applyExamResult(snapshot: StudentSnapshot, result: ExamAnswered): StudentSnapshot {
  const { unitId, tier, isCorrect } = result
  const touched = touchUnit(snapshot, unitId, result.at, (progress) => {
    const passed = progress.exam.passedByTier
    return isCorrect
      ? { ...progress, exam: { passedByTier: { ...passed, [tier]: passed[tier] + 1 } } }
      : progress
  })
  return markQuestion(touched, result, isCorrect ? 'dequeue' : 'queue')
}

/**
 * A memo or video that was opened; `status` is what the exam authority answered: only a lock makes
 * the question one to revisit. Seed 004 PF-5.2.
 */
export interface SupportViewed {
  readonly questionId: string
  readonly unitId: string
  readonly tier: ExamTier
  readonly status: 'available' | 'locked' | 'passed'
  readonly at: number
}

export function applySupportViewed(
  snapshot: StudentSnapshot,
  viewed: SupportViewed,
): StudentSnapshot {
  const touched = touchUnit(snapshot, viewed.unitId, viewed.at, (progress) => progress)
  return markQuestion(touched, viewed, viewed.status === 'locked' ? 'queue' : 'keep')
}

/** A finished turn; `analysis` is null when the model's answer was replaced by the fallback. */
export interface TurnTaken {
  readonly focusUnitId: string
  readonly analysis: TurnAnalysis | null
  readonly at: number
}

/** Focus, analysis and time of a turn; without an analysis the earlier one stays. */
export function applyTurnAnalysis(snapshot: StudentSnapshot, turn: TurnTaken): StudentSnapshot {
  return {
    ...snapshot,
    focusUnitId: turn.focusUnitId,
    lastTurnAnalysis: turn.analysis ?? snapshot.lastTurnAnalysis,
    lastTurnAt: toIso(turn.at),
  }
}

function touchUnit(
  snapshot: StudentSnapshot,
  unitId: string,
  at: number,
  change: (progress: UnitProgress) => UnitProgress,
): StudentSnapshot {
  const changed = change(unitProgressOf(snapshot, unitId) ?? untouchedUnit(at))
  const masteryTier = updateUnitMasteryTier(changed)
  const progress: UnitProgress = {
    ...changed,
    masteryTier,
    status: masteryTier === 'gold' ? 'mastered' : 'in_progress',
    lastTouchedAt: toIso(at),
  }
  const others = snapshot.unitsInProgress.filter((other) => other !== unitId)
  return {
    ...snapshot,
    unitProgress: { ...snapshot.unitProgress, [unitId]: progress },
    unitsInProgress: masteryTier === 'gold' ? others : [unitId, ...others],
  }
}

function untouchedUnit(at: number): UnitProgress {
  return {
    status: 'not_started',
    masteryTier: 'none',
    lastTouchedAt: toIso(at),
    drill: { attempts: 0, correct: 0, streakCorrect: 0 },
    exam: { passedByTier: { bronze: 0, silver: 0, gold: 0 } },
    confusionTags: {},
  }
}

function countTag(tags: Readonly<Record<string, number>>, tag: string): Record<string, number> {
  const before = Object.hasOwn(tags, tag) ? (tags[tag] ?? 0) : 0
  return { ...tags, [tag]: before + 1 }
}

function markQuestion(
  snapshot: StudentSnapshot,
  { questionId, unitId, tier }: { questionId: string; unitId: string; tier: ExamTier },
  change: 'queue' | 'dequeue' | 'keep',
): StudentSnapshot {
  const examTouched = { ...snapshot.examTouched, [questionId]: true }
  if (change === 'keep') return { ...snapshot, examTouched }
  if (change === 'queue') {
    const revisitQueue = { ...snapshot.revisitQueue, [questionId]: { unitId, tier } }
    return { ...snapshot, examTouched, revisitQueue }
  }
  const { [questionId]: _passed, ...revisitQueue } = snapshot.revisitQueue
  return { ...snapshot, examTouched, revisitQueue }
}

function toIso(at: number): string {
  return new Date(at).toISOString()
}
