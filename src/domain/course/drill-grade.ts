/** What the grader of a drill says. Seed 004 PF-4.1. */
export interface DrillGrade {
  readonly isCorrect: boolean
  readonly feedbackText: string
  readonly commonMistakeTag: string | null
}

/**
 * The grade as it may be stored and shown: a tag stays only on a wrong answer and only if it is on
 * the course's fixed list. Seed 004 PF-4.1.
 */
export function keepKnownTag(grade: DrillGrade, courseTags: readonly string[]): DrillGrade {
  const { commonMistakeTag: tag } = grade
  const known = !grade.isCorrect && tag !== null && courseTags.includes(tag)
  return { ...grade, commonMistakeTag: known ? tag : null }
}
