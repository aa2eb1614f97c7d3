import type { MasteryTier } from '../snapshot/mastery-tier.ts'
import type { StudentSnapshot } from '../snapshot/student-snapshot.ts'
import { unitProgressOf } from '../snapshot/student-snapshot.ts'
import type { MappedUnit } from './mapped-units.ts'

/** Hours after which a touched unit is no longer recent. Seed 004 PF-3.3. */
const RECENCY_WINDOW_HOURS = 72

const MS_PER_HOUR = 3_600_000

function clampToUnit(value: number): number {
  return Math.max(0, Math.min(1, value))
}

/** Linear decay from 1 (now) to 0 (72 h ago or never). Seed 004 PF-3.3. */
export function recencyValue(hoursSinceTouched: number): number {
  if (!Number.isFinite(hoursSinceTouched)) return 0
  return clampToUnit(1 - hoursSinceTouched / RECENCY_WINDOW_HOURS)
}

/** The confidence, brought into 0..1; what is not a number counts 0. Seed 004 PF-3.3. */
export function mappedValue(confidence: number): number {
  return Number.isNaN(confidence) ? 0 : clampToUnit(confidence)
}

/** Seed 004 PF-3.3. */
export function inProgressValue(isInProgress: boolean): number {
  return isInProgress ? 1 : 0
}

/** How urgent the next tier is, 0..1: the lower the tier, the more. Seed 004 PF-3.3. */
export function tierNeedValue(masteryTier: MasteryTier): number {
  return { none: 1, bronze: 0.7, silver: 0.4, gold: 0.1 }[masteryTier]
}

/** Drill streak 0, 1, 2 and more as 0, 0.5, 1. Seed 004 PF-3.3. */
export function drillEvidenceValue(streakCorrect: number): number {
  if (streakCorrect <= 0) return 0
  return streakCorrect === 1 ? 0.5 : 1
}

/**
 * How relevant a candidate unit is, 0..1: a weighted sum of intent, recency, progress, tier need
 * and drill evidence. It ranks; it never overrides a prerequisite. Seed 004 PF-3.3.
 */
export function computeUnitPriorityScore(unit: {
  readonly mappedConfidence: number
  readonly isFocus: boolean
  readonly isInProgress: boolean
  readonly recencyHours: number
  readonly masteryTier: MasteryTier
  readonly drillStreak: number
}): number {
  const intent = 0.7 * mappedValue(unit.mappedConfidence) + 0.3 * (unit.isFocus ? 1 : 0)
  return clampToUnit(
    0.35 * intent +
      0.15 * recencyValue(unit.recencyHours) +
      0.15 * inProgressValue(unit.isInProgress) +
      0.2 * tierNeedValue(unit.masteryTier) +
      0.15 * drillEvidenceValue(unit.drillStreak),
  )
}

export interface ScoredUnit {
  readonly unitId: string
  readonly score: number
}

/** The candidates with their scores at `now` (UTC ms), highest first, then by unit id. */
export function rankCandidateUnits(args: {
  readonly candidateUnitIds: readonly string[]
  readonly snapshot: StudentSnapshot
  readonly focusUnitId: string
  readonly mappedUnits: readonly MappedUnit[]
  readonly now: number
}): ScoredUnit[] {
  const { snapshot, now } = args
  const confidence = new Map(args.mappedUnits.map((unit) => [unit.unitId, unit.confidence]))
  return args.candidateUnitIds
    .map((unitId) => {
      const progress = unitProgressOf(snapshot, unitId)
      const touchedAt = progress ? Date.parse(progress.lastTouchedAt) : Number.NEGATIVE_INFINITY
      const score = computeUnitPriorityScore({
        mappedConfidence: confidence.get(unitId) ?? 0,
        isFocus: unitId === args.focusUnitId,
        isInProgress: snapshot.unitsInProgress.includes(unitId),
        recencyHours: (now - touchedAt) / MS_PER_HOUR,
        masteryTier: progress?.masteryTier ?? 'none',
        drillStreak: progress?.drill.streakCorrect ?? 0,
      })
      return { unitId, score }
    })
    .sort((a, b) => b.score - a.score || (a.unitId < b.unitId ? -1 : 1))
}
