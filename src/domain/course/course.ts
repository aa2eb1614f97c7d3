import type { ExamTier } from './snapshot/mastery-tier.ts'
import type { CourseUnit, LearningPathGraph } from './units/learning-path-graph.ts'

/** An exam question with its key: the option `correct`. */
export interface ExamQuestion {
  readonly questionId: string
  readonly tier: ExamTier
  readonly questionLatex: string
  readonly options: readonly { readonly id: string; readonly text: string }[]
  readonly correct: string
  readonly memo: string
  readonly videoUrl?: string | undefined
}

export interface TaughtUnit extends CourseUnit {
  readonly exams: readonly ExamQuestion[]
  readonly misconceptions: readonly { readonly tag: string; readonly description: string }[]
}

/** What decisions read of a course; a course pack has it. */
export interface TaughtCourse extends LearningPathGraph {
  readonly courseId: string
  readonly language: string
  readonly units: readonly TaughtUnit[]
}

/** An exam question of a course and the unit it belongs to; null when there is none of that id. */
export function findExam<Unit extends { readonly exams: readonly { questionId: string }[] }>(
  { units }: { readonly units: readonly Unit[] },
  questionId: string,
): { unit: Unit; exam: Unit['exams'][number] } | null {
  for (const unit of units) {
    const exam = unit.exams.find((candidate) => candidate.questionId === questionId)
    if (exam) return { unit, exam }
  }
  return null
}

/** The tags a grade may carry in a course: those of its misconceptions. Seed 004 PF-4.1. */
export function courseTags({ units }: Pick<TaughtCourse, 'units'>): string[] {
  return units.flatMap(({ misconceptions }) => misconceptions.map(({ tag }) => tag))
}
