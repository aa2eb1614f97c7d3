import type { Evidence } from '../../src/domain/course/snapshot/evidence.ts'
import {
  DRILL_READINESS_STREAK,
  type ExamTier,
  type MasteryTier,
} from '../../src/domain/course/snapshot/mastery-tier.ts'
import {
  coldSnapshot,
  type RevisitEntry,
  type StudentSnapshot,
  type UnitProgress,
} from '../../src/domain/course/snapshot/student-snapshot.ts'

type UnitEvidence = Exclude<Evidence, { type: 'turn_taken' }>
type ExamEvidence = Exclude<UnitEvidence, { type: 'drill_graded' }>

/**
 * The snapshot that a whole log amounts to, read off the log at once and not step by step: an
 * audit of what the transitions have stored. `startedAt` is UTC ms.
 */
export function recomputeSnapshot(
  start: {
    readonly studentId: string
    readonly courseId: string
    readonly entryUnitId: string
    readonly startedAt: number
  },
  log: readonly Evidence[],
): StudentSnapshot {
  const cold = coldSnapshot(start.studentId, start.courseId, start.entryUnitId, start.startedAt)
  const turns = log.filter((entry) => entry.type === 'turn_taken')
  const onUnits = log.filter((entry) => entry.type !== 'turn_taken')
  const onExams = onUnits.filter((entry) => entry.type !== 'drill_graded')
  const lastTurn = turns.at(-1)

  const unitsLastFirst = distinct(onUnits.map(({ unitId }) => unitId).reverse())
  const unitProgress = new Map(
    unitsLastFirst.map((unitId) => [unitId, recomputeUnit(onUnits, unitId)]),
  )
  return {
    ...cold,
    focusUnitId: lastTurn?.focusUnitId ?? cold.focusUnitId,
    unitsInProgress: unitsLastFirst.filter((id) => unitProgress.get(id)?.masteryTier !== 'gold'),
    unitProgress: Object.fromEntries(unitProgress),
    examTouched: Object.fromEntries(onExams.map(({ questionId }) => [questionId, true])),
    revisitQueue: recomputeRevisitQueue(onExams),
    lastTurnAnalysis: turns.findLast(({ analysis }) => analysis !== null)?.analysis ?? null,
    lastTurnAt: lastTurn ? new Date(lastTurn.at).toISOString() : cold.lastTurnAt,
  }
}

function recomputeUnit(onUnits: readonly UnitEvidence[], unitId: string): UnitProgress {
  const log = onUnits.filter((entry) => entry.unitId === unitId)
  const drills = log.filter((entry) => entry.type === 'drill_graded')
  const tags = drills.flatMap(({ isCorrect, commonMistakeTag: tag }) =>
    isCorrect || tag === null ? [] : [tag],
  )
  const masteryTier = recomputeTier(log)
  return {
    status: masteryTier === 'gold' ? 'mastered' : 'in_progress',
    masteryTier,
    lastTouchedAt: new Date(log.at(-1)?.at ?? 0).toISOString(),
    drill: {
      attempts: drills.length,
      correct: drills.filter(({ isCorrect }) => isCorrect).length,
      streakCorrect: streakAtEnd(log),
    },
    exam: {
      passedByTier: {
        bronze: passes(log, 'bronze'),
        silver: passes(log, 'silver'),
        gold: passes(log, 'gold'),
      },
    },
    confusionTags: Object.fromEntries(
      distinct(tags).map((tag) => [tag, tags.filter((other) => other === tag).length]),
    ),
  }
}

/** Bronze needs a moment with both its streak and its pass; above it only the passes count. */
function recomputeTier(log: readonly UnitEvidence[]): MasteryTier {
  const hadBronze = log.some((_, index) => {
    const untilThen = log.slice(0, index + 1)
    return streakAtEnd(untilThen) >= DRILL_READINESS_STREAK && passes(untilThen, 'bronze') > 0
  })
  if (!hadBronze) return 'none'
  if (passes(log, 'silver') === 0) return 'bronze'
  return passes(log, 'gold') === 0 ? 'silver' : 'gold'
}

function streakAtEnd(log: readonly UnitEvidence[]): number {
  const drills = log.filter((entry) => entry.type === 'drill_graded')
  return drills.length - 1 - drills.findLastIndex(({ isCorrect }) => !isCorrect)
}

function passes(log: readonly UnitEvidence[], tier: ExamTier): number {
  return log.filter(
    (entry) => entry.type === 'exam_answered' && entry.isCorrect && entry.tier === tier,
  ).length
}

function recomputeRevisitQueue(onExams: readonly ExamEvidence[]): Record<string, RevisitEntry> {
  const decisive = onExams.filter((e) => e.type === 'exam_answered' || e.status === 'locked')
  const lastByQuestion = new Map(decisive.map((entry) => [entry.questionId, entry]))
  return Object.fromEntries(
    [...lastByQuestion.values()]
      .filter((entry) => !(entry.type === 'exam_answered' && entry.isCorrect))
      .map(({ questionId, unitId, tier }) => [questionId, { unitId, tier }]),
  )
}

function distinct(ids: readonly string[]): string[] {
  return [...new Set(ids)]
}
