import { judgeAnswer } from '../answers/judge.ts'
import { cycleOutcome, cycleQualities, gradeQuestion, nextCycle } from '../learning-cycle/cycle.ts'
import { applyResponse } from '../mastery/status.ts'
import type { Arc } from './arc.ts'
import type { LastGrade, Lesson } from './state.ts'
import type { StepInputs, StepOutputs } from './steps.ts'
import { passCycle, recordCycle } from './teaching.ts'

/** The learner contests the last grade, once: code checks again what code judged, the model grades the rest again. */
export function contest(arc: Arc, messageId: string) {
  const grade = arc.state.lastGrade
  if (!grade) {
    arc.say('contest-none')
    return arc.putAgain()
  }
  if (grade.judgedBy === 'code') {
    arc.state.lastGrade = null
    arc.say(isStillWrong(grade) ? 'contest-kept' : 'contest-unread')
    return arc.putAgain()
  }
  const input = { questionId: grade.questionId, messageId: grade.messageId, again: true }
  arc.ask('grade', input, `contested with ${messageId}`)
}

/** Whether code, checking once more, comes to no better verdict than it did. */
function isStillWrong({ question, answer, quality }: LastGrade): boolean {
  if (!question.key || question.key.type === 'program') return false
  const { verdict } = judgeAnswer(answer, question.key, {
    text: question.text,
    ...(question.options ? { options: question.options } : {}),
  })
  return verdict === 'correct' ? quality >= 3 : verdict !== 'unjudged'
}

/** The second grade has come, or none could be given. */
export function takeSecondGrade(
  arc: Arc,
  { questionId }: StepInputs['grade'],
  graded: StepOutputs['grade'] | null,
): void {
  const grade = arc.state.lastGrade
  arc.state.lastGrade = null
  const quality = graded?.quality ?? null
  if (grade?.questionId !== questionId || quality === null) arc.say('contest-unread')
  else if (quality === grade.quality) arc.say('contest-kept-by-model')
  else {
    const notes = `first grade ${grade.quality}, contested`
    arc.record({ type: 'regrade', responseId: grade.responseId, quality, notes })
    arc.say({ phrase: 'contest-changed', params: { quality } })
    regrade(arc, grade, quality)
  }
  arc.putAgain()
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
  const { lesson } = arc.state
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
