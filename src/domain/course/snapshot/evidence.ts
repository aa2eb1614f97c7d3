import type {
  DrillGraded,
  ExamAnswered,
  StudentSnapshot,
  SupportViewed,
  TurnTaken,
} from './student-snapshot.ts'
import {
  applyDrillGrade,
  applyExamResult,
  applySupportViewed,
  applyTurnAnalysis,
} from './student-snapshot.ts'

/** One entry of a student's log in a course; `at` is UTC ms, the log is in the order of time. */
export type Evidence =
  | ({ readonly type: 'drill_graded' } & DrillGraded)
  | ({ readonly type: 'exam_answered' } & ExamAnswered)
  | ({ readonly type: 'support_viewed' } & SupportViewed)
  | ({ readonly type: 'turn_taken' } & TurnTaken)

/** The snapshot after one more entry. */
export function applyEvidence(snapshot: StudentSnapshot, evidence: Evidence): StudentSnapshot {
  switch (evidence.type) {
    case 'drill_graded':
      return applyDrillGrade(snapshot, evidence)
    case 'exam_answered':
      return applyExamResult(snapshot, evidence)
    case 'support_viewed':
      return applySupportViewed(snapshot, evidence)
    case 'turn_taken':
      return applyTurnAnalysis(snapshot, evidence)
  }
}
