import type { Unit } from '../contracts/course-pack.ts'
import { ExamTier } from '../contracts/course-pack.ts'
import { repeated } from './check-structure.ts'

const EXAMS_PER_TIER = 2

/** What is wrong with a unit's exam questions, in words. */
export function checkExams(unit: Unit): string[] {
  const problems: string[] = []
  for (const tier of ExamTier.options) {
    const count = unit.exams.filter((exam) => exam.tier === tier).length
    if (count < EXAMS_PER_TIER) {
      problems.push(
        `${unit.unitId}: ${count} ${tier} exam questions, at least ${EXAMS_PER_TIER} are needed`,
      )
    }
  }
  if (new Set(unit.exams.map((exam) => exam.correct)).size === 1) {
    problems.push(`${unit.unitId}: the correct option of every exam question is the same`)
  }
  for (const { questionId, options, correct } of unit.exams) {
    const ids = options.map((option) => option.id)
    if (!ids.includes(correct)) problems.push(`${questionId}: "${correct}" is none of the options`)
    for (const id of repeated(ids)) problems.push(`${questionId}: two options have the id ${id}`)
    for (const text of repeated(options.map((option) => option.text))) {
      problems.push(`${questionId}: two options read "${text}"`)
    }
  }
  return problems
}
