import type { LastGrade, Lesson } from '../../domain/arc/flow.ts'
import {
  cycleOutcome,
  cycleQualities,
  gradeQuestion,
  nextCycle,
} from '../../domain/learning-cycle/cycle.ts'
import { applyResponse } from '../../domain/mastery/status.ts'
import type { Arc } from './arc.ts'
import { Malformed, type ModelSteps } from './model-steps.ts'
import { passCycle, recordCycle } from './teaching.ts'

/** The learner contests the last grade, once: code checks again what code judged, the model grades the rest again. */
export async function contest(arc: Arc, steps: ModelSteps, messageId: string): Promise<void> {
  const grade = arc.flow.lastGrade
  arc.flow.lastGrade = null
  if (!grade) arc.say('contest-none')
  else if (grade.judgedBy === 'code') arc.say('contest-kept')
  else await gradeAgain(arc, steps, grade, messageId)
  arc.putAgain()
}

async function gradeAgain(arc: Arc, steps: ModelSteps, grade: LastGrade, messageId: string) {
  const input = { questionId: grade.questionId, messageId: grade.messageId, again: true }
  let quality = grade.quality
  try {
    const { digest } = await steps.run('grade', messageId, input, 'a contested grade')
    quality = digest.quality ?? grade.quality
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
  }
  if (quality === grade.quality) return arc.say('contest-kept')
  const notes = `first grade ${grade.quality}, contested`
  arc.record({ type: 'regrade', responseId: grade.responseId, quality, notes })
  arc.say({ phrase: 'contest-changed', params: { quality } })
  regrade(arc, grade, quality)
}

/** Status, score and date as if only the second grade had been given. */
function regrade(arc: Arc, grade: LastGrade, quality: number): void {
  const inCycle = grade.kind === 'quiz'
  const mark = { quality, type: inCycle ? 'teach' : 'review' } as const
  const applied = applyResponse(grade.node, grade.history, mark, arc.context(inCycle))
  arc.setNode(applied.node, applied.history)
  if (inCycle && grade.lesson?.quiz) regradeCycle(arc, grade.lesson, grade.questionId, quality)
}

/** The quiz may have ended with the contested answer: its verdict falls again, from how it stood before. */
function regradeCycle(arc: Arc, before: Lesson, questionId: string, quality: number): void {
  const { lesson } = arc.flow
  const isInHand = lesson?.nodeId === before.nodeId
  if (isInHand && lesson.cycle.marks.some((mark) => mark.questionId === questionId)) {
    lesson.cycle = gradeQuestion(lesson.cycle, questionId, quality)
    return
  }
  const cycle = gradeQuestion(before.cycle, questionId, quality)
  const quizQuestions = before.quiz?.questions.length ?? arc.rules.quizQuestions
  const outcome = cycleOutcome(cycle, { ...arc.rules, quizQuestions })
  const regraded = { ...before, cycle }
  recordCycle(arc, regraded, outcome === 'reviewing')
  if (outcome === 'reviewing') {
    if (isInHand) arc.closeQuestion(null)
    passCycle(arc, regraded)
  } else if (lesson === null && cycleQualities(cycle).length > 0) {
    arc.setLesson({ ...regraded, cycle: nextCycle(cycle), stage: 'explain', quiz: null })
  }
}
