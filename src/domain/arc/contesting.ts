import { judgeAnswer } from '../answers/judge.ts'
import { cycleOutcome, cycleQualities, gradeQuestion, nextCycle } from '../learning-cycle/cycle.ts'
import { FULL_QUALITY, isPassed } from '../mastery/quality.ts'
import { applyResponse } from '../mastery/status.ts'
import { takeAnswer } from './answering.ts'
import type { Arc, Part } from './arc.ts'
import type { Question } from './question.ts'
import type { FirstAnswer, LastCheck, LastGrade, Lesson } from './state.ts'
import type { StepInputs, StepOutputs } from './steps.ts'
import { passCycle, recordCycle } from './teaching.ts'

/**
 * The learner contests the last grade, once: code checks again what code judged, and says how it read the answer; what it
 * could not read, or found close, the model looks at too, where there is one. The rest the model grades again.
 */
export function contest(arc: Arc, messageId: string) {
  const { first } = arc.state.question ?? {}
  if (first && arc.question) return contestFirst(arc, first, arc.question)
  const grade = arc.state.lastGrade
  if (!grade && arc.state.lastCheck) return contestCheck(arc, arc.state.lastCheck, messageId)
  if (!grade) {
    arc.say('contest-none')
    return arc.leadBack()
  }
  const checked = grade.judgedBy === 'code' ? checkedAgain(grade.question, grade.answer) : null
  if (checked?.verdict === 'correct') {
    arc.state.lastGrade = null
    if (isPassed(grade.quality)) arc.say('contest-right')
    else change(arc, grade, FULL_QUALITY, 'read again by rule')
    return arc.leadBack()
  }
  const isRefused = checked?.verdict === 'wrong'
  if (checked && (isRefused || arc.tutor === 'offline')) {
    arc.state.lastGrade = null
    arc.say(...howRead(checked))
    return arc.leadBack()
  }
  const input = { questionId: grade.questionId, messageId: grade.messageId, again: true }
  arc.ask('grade', input, `contested with ${messageId}`)
}

/** While a second try is open, the first answer is what is contested. */
function contestFirst(arc: Arc, first: FirstAnswer, question: Question) {
  const checked = first.option
    ? ({ verdict: 'wrong', readAs: first.option } as const)
    : checkedAgain(question, first.answer)
  if (checked?.verdict === 'correct') return takeFirst(arc, first, FULL_QUALITY, 'code')
  if (mayBeRaised(arc, checked) && arc.state.question) {
    const input = { questionId: arc.state.question.id, messageId: first.messageId, again: true }
    return arc.ask('grade', input, 'the first answer, contested')
  }
  keepVerdict(arc, checked)
}

/** Whether a model is to look at it as well: where there is one, and the key does not plainly refuse the answer. */
const mayBeRaised = (arc: Arc, checked: Checked | null): boolean =>
  arc.tutor !== 'offline' && checked?.verdict !== 'wrong'

function keepVerdict(arc: Arc, checked: Checked | null): void {
  arc.say(...(checked ? howRead(checked) : (['contest-kept'] as const)))
  arc.leadBack()
}

/** The first answer was right after all: it counts, and the second try is not needed. */
function takeFirst(
  arc: Arc,
  { messageId, answer: text }: FirstAnswer,
  quality: number,
  judgedBy: 'code' | 'model',
) {
  arc.say('contest-first')
  if (arc.state.question) arc.state.question.attempt = 1
  return takeAnswer(arc, { messageId, text, quality, judgedBy })
}

/** A closed check question is looked at again, once, as a grade is. */
function contestCheck(arc: Arc, check: LastCheck, contestedWith: string) {
  const { question, answer, questionId, messageId, judgedBy } = check
  const checked = judgedBy === 'code' ? checkedAgain(question, answer) : null
  if (checked?.verdict === 'correct') return takeCheck(arc)
  if (mayBeRaised(arc, checked)) {
    const input = { questionId, messageId, again: true }
    return arc.ask('grade', input, `contested with ${contestedWith}`)
  }
  arc.state.lastCheck = null
  keepVerdict(arc, checked)
}

/** The check question was answered rightly after all: the easier one that followed is not needed. */
function takeCheck(arc: Arc) {
  const { question, lesson } = arc.state
  arc.state.lastCheck = null
  arc.say('contest-check')
  if (question?.purpose !== 'easier' || !lesson) return arc.leadBack()
  arc.closeQuestion(null)
  lesson.stage = 'quiz'
}

interface Checked {
  verdict: 'correct' | 'close' | 'wrong' | 'unjudged'
  readAs: string | null
}

function checkedAgain({ key, text, options }: Question, answer: string): Checked | null {
  if (!key || key.type === 'program') return null
  const { verdict, value = null } = judgeAnswer(answer, key, {
    text,
    ...(options ? { options } : {}),
  })
  const option = options?.find(({ id }) => id === value)
  return { verdict, readAs: option?.text ?? value }
}

/** What was really checked: how the answer was read, against what. */
const howRead = ({ readAs }: Checked): Part[] =>
  readAs === null ? ['contest-unread'] : [{ phrase: 'contest-read', params: { readAs } }]

/** The second grade has come, or none could be given. */
export function takeSecondGrade(
  arc: Arc,
  { questionId }: StepInputs['grade'],
  graded: StepOutputs['grade'] | null,
) {
  const { first, id } = arc.state.question ?? {}
  const quality = graded?.quality ?? null
  const isFirst = first && id === questionId
  const isCheck = !isFirst && arc.state.lastCheck?.questionId === questionId
  if (isFirst || isCheck) {
    if (isCheck) arc.state.lastCheck = null
    if (quality !== null && isPassed(quality)) {
      return isFirst ? takeFirst(arc, first, quality, 'model') : takeCheck(arc)
    }
    arc.say(quality === null ? 'contest-unread' : 'contest-kept-by-model')
    return arc.leadBack()
  }
  const grade = arc.state.lastGrade
  arc.state.lastGrade = null
  if (grade?.questionId !== questionId || quality === null) arc.say('contest-unread')
  else if (quality === grade.quality || isLower(grade, quality)) arc.say('contest-kept-by-model')
  else change(arc, grade, quality, 'contested')
  arc.leadBack()
}

/** What code has judged a model may raise, and nothing else. */
const isLower = ({ judgedBy, quality: before }: LastGrade, quality: number): boolean =>
  judgedBy === 'code' && quality < before

function change(arc: Arc, grade: LastGrade, quality: number, why: string): void {
  const notes = `first grade ${grade.quality}, ${why}`
  arc.record({ type: 'regrade', responseId: grade.responseId, quality, notes })
  arc.say({ phrase: 'contest-changed', params: { quality } })
  regrade(arc, grade, quality)
}

/** Status, score and date as if only the second grade had been given. */
function regrade(arc: Arc, grade: LastGrade, quality: number): void {
  if (grade.purpose !== 'plain') return
  const inCycle = grade.kind === 'quiz'
  const mark = { quality, type: inCycle ? 'teach' : 'review' } as const
  const applied = applyResponse(grade.node, grade.history, mark, arc.context(inCycle))
  arc.setNode(applied.node, applied.history)
  arc.state.lapsed = arc.state.lapsed.filter(({ nodeId }) => nodeId !== grade.node.id)
  if (inCycle && grade.lesson?.quiz) regradeCycle(arc, grade.lesson, grade.questionId, quality)
  else if (!inCycle) leaveLesson(arc, grade.node.id, applied.node.masteryStatus)
}

/** A lesson that began because of the grade that was changed is not needed any more. */
function leaveLesson(arc: Arc, nodeId: string, status: string): void {
  if (status === 'learning' || arc.state.lesson?.nodeId !== nodeId) return
  arc.closeQuestion(null)
  arc.setLesson(null)
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
