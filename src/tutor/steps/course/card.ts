import type { Course } from '../../../contracts/course-pack.ts'
import { TutorCard } from '../../../contracts/course-tutor.ts'
import type { AnswerKey } from '../../../domain/answers/answer-key.ts'
import { findExam } from '../../../domain/course/course.ts'
import type { ExamStatusById } from '../../../domain/course/exams/exam-availability.ts'
import { examStatusOf } from '../../../domain/course/exams/exam-availability.ts'
import type { TutorMove } from '../../../domain/course/policy/tutor-response.ts'
import { drillFrom } from './course-drills.ts'
import { keyOfAnswer } from './drill-grading.ts'
import type { DrillSealer } from './drill-token.ts'

export interface CardMakings {
  course: Course
  threadId: string
  sealer: DrillSealer
  /** The drill's own id, by which it is graded once. */
  drillId: string
  drillSource: string | null
  examStatusById: ExamStatusById
  /** UTC ms. */
  at: number
}

/**
 * The card a move shows: of a drill the key only inside its sealed token, of an exam question neither key nor memo;
 * null for a question.
 * @throws Error when the move lacks its card or names an exam question that the course does not have
 */
export function cardOf(move: TutorMove, makings: CardMakings): TutorCard | null {
  switch (move.action) {
    case 'SOCRATIC_QUESTION':
      return null
    case 'CONCEPT_CARD':
      return TutorCard.parse(conceptCard(move))
    case 'DRILL_CARD':
      return TutorCard.parse(drillCard(move, makings))
    case 'EXAM_BLOCK':
      return TutorCard.parse(examCard(move, makings))
  }
}

function conceptCard({ conceptCard: content, targetUnitId: unitId }: TutorMove) {
  const [workedExample] = content?.workedExamples ?? []
  return {
    type: 'CONCEPT',
    unitId,
    keyIdeas: content?.keyIdeas ?? [],
    ...(workedExample && { workedExample }),
  }
}

function drillCard({ drillCard: drill, targetUnitId: unitId }: TutorMove, makings: CardMakings) {
  if (!drill) throw new Error('a drill without its card')
  const { course, threadId, sealer, drillId, drillSource, at } = makings
  const { prompt, questionLatex, expectedAnswer } = drill
  const unit = course.units.find((candidate) => candidate.unitId === unitId)
  const drawn = unit && drillSource !== null ? drillFrom(unit, drillSource) : null
  const key = drawn ? (drawn.question.answer as AnswerKey) : keyOfAnswer(expectedAnswer)
  const token = sealer.seal({
    id: drillId,
    threadId,
    unitId,
    prompt,
    questionLatex,
    key,
    expectedAnswer,
    source: drawn ? drillSource : null,
    issuedAt: at,
  })
  return { type: 'DRILL', unitId, prompt, questionLatex, token }
}

function examCard({ examSuggestion }: TutorMove, { course, examStatusById }: CardMakings) {
  const found = examSuggestion ? findExam(course, examSuggestion.questionId) : null
  if (!found) throw new Error('an exam block without a question of the course')
  const { unit, exam } = found
  const { status = 'available', lockedUntil } = examStatusOf(examStatusById, exam.questionId) ?? {}
  return {
    type: 'EXAM',
    unitId: unit.unitId,
    questionId: exam.questionId,
    tier: exam.tier,
    questionLatex: exam.questionLatex,
    options: exam.options,
    status,
    ...(lockedUntil === undefined ? {} : { lockedUntil }),
  }
}
