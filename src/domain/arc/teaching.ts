import {
  askQuestion,
  cycleOutcome,
  cycleQualities,
  cycleScore,
  gradeQuestion,
  isSittingFull,
  nextCycle,
  restartEased,
  startCycles,
} from '../learning-cycle/cycle.ts'
import type { ErrorPattern } from '../learning-cycle/error-pattern.ts'
import { isPassed } from '../mastery/quality.ts'
import { applyResponse, completeCycle, meanQuality, passPlaced } from '../mastery/status.ts'
import { neighbourOf } from '../mind-map/neighbour.ts'
import type { Arc } from './arc.ts'
import { type Answer, respond } from './grading.ts'
import { losePlace, withPlace } from './placement.ts'
import { replan } from './planning.ts'
import type { Question } from './question.ts'
import type { Lesson, QuizFirst } from './state.ts'
import type { StepInputs, StepOutputs } from './steps.ts'

/** Nothing is missed in an answer of this quality. */
const SPOTLESS = 4

/**
 * Takes a concept in hand: its first cycle, or easier ones where its cycles were spent before. A concept that slipped in a
 * review begins with its quiz, as one does that is said to be known.
 */
export function takeInHand(
  arc: Arc,
  nodeId: string,
  {
    refresher = false,
    quizFirst = null,
  }: { refresher?: boolean; quizFirst?: QuizFirst | null } = {},
): void {
  const { state } = arc
  const eased = state.eased.includes(nodeId)
  const lapsed = state.lapsed.find((lapse) => lapse.nodeId === nodeId)
  state.lapsed = state.lapsed.filter((lapse) => lapse !== lapsed)
  const first = quizFirst ?? (lapsed?.begin === 'quiz' && !refresher ? 'lapse' : null)
  arc.setLesson({
    nodeId,
    cycle: eased ? restartEased(startCycles()) : startCycles(),
    startedAt: arc.at,
    stage: first ? 'quiz' : 'explain',
    explained: null,
    easier: null,
    quiz: null,
    errors: [],
    refresher,
    quizFirst: first,
    mixed: false,
  })
}

/** Goes on with the concept in hand, from wherever it stands. */
export function goOnTeaching(arc: Arc): void {
  const { lesson } = arc.state
  if (!lesson) return
  if (lesson.stage === 'explain') explain(arc, lesson)
  else if (lesson.stage === 'feedback') endCycle(arc, lesson)
  else if (arc.state.phase === 'REVIEWING' && !lesson.quiz && lesson.explained) {
    checkAgain(arc, lesson)
  } else quiz(arc, lesson)
}

/** Reviews came between the lesson and its quiz: the check question leads back in. */
function checkAgain(arc: Arc, lesson: Lesson): void {
  const { nodeId, explained } = lesson
  const { label } = arc.node(nodeId)
  arc.handTo('tutor', 'back to the concept in hand')
  arc.moveTo('TEACHING', 'questioning')
  arc.say({ phrase: 'back-to', params: { label } })
  lesson.stage = 'check'
  if (explained) arc.put('teach', explained, { nodeId, label })
}

/** The tutor is to explain, and to ask one check question, which is a message only. */
function explain(arc: Arc, { nodeId, cycle, errors }: Lesson): void {
  const { cycleNumber, missed } = cycle
  arc.handTo('tutor', cycleNumber === 1 ? 'to explain the concept' : 'to teach to the errors')
  arc.moveTo('TEACHING', 'explaining')
  const node = arc.node(nodeId)
  const showing = (node.metadata.lessons ?? 0) + 1
  const input = { nodeId, cycle: cycleNumber, showing, missed, errors, replaces: null }
  arc.ask('lesson', input, node.label)
}

/** The explanation is written. One that the learner stopped has no check question of its own: it is asked for. */
export function takeLesson(
  arc: Arc,
  key: string,
  input: StepInputs['lesson'],
  written: StepOutputs['lesson'],
) {
  const { nodeId, showing } = input
  const node = arc.node(nodeId)
  const { label } = node
  const parts = [
    { phrase: 'lesson-title' as const, params: { label, showing } },
    { text: written.explanation },
    { text: written.example ?? '' },
  ]
  if (input.replaces !== null) return arc.sayInstead('lesson', input.replaces, key, ...parts)
  arc.explain('lesson', key, ...parts)
  arc.setNode({ ...node, metadata: { ...node.metadata, lessons: showing } })
  const [question = null, easier = null] = written.questions
  if (arc.state.lesson) arc.state.lesson.easier = easier
  if (question) openCheck(arc, question)
  else arc.ask('review', { nodeId, purpose: 'check' }, label)
}

/** The check question opens; where there is none the quiz follows at once. */
export function openCheck(arc: Arc, question: Question | null): void {
  const { lesson } = arc.state
  if (!lesson) return
  lesson.explained = question
  arc.moveTo('TEACHING', 'questioning')
  if (question) {
    lesson.stage = 'check'
    const { nodeId } = lesson
    arc.put('teach', question, { nodeId, label: arc.node(nodeId).label })
  } else lesson.stage = 'quiz'
}

/** The check question is done with: on to the quiz, to an easier one where it was missed, or back from a refresher. */
export function afterCheck(arc: Arc, leadsOn: boolean) {
  const { lesson, question } = arc.state
  arc.closeQuestion(null)
  if (!lesson) return
  if (lesson.refresher) return arc.setLesson(null)
  if (leadsOn || question?.purpose === 'easier') lesson.stage = 'quiz'
  else if (lesson.easier) openEasier(arc, lesson.easier)
  else {
    const { nodeId } = lesson
    arc.ask('review', { nodeId, purpose: 'easier' }, arc.node(nodeId).label)
  }
}

/** An easier question follows a check question that stayed wrong; where there is none, the quiz. */
export function openEasier(arc: Arc, question: Question | null): void {
  const { lesson } = arc.state
  if (!lesson) return
  if (!question) {
    lesson.stage = 'quiz'
    return
  }
  const { nodeId } = lesson
  arc.say('easier-first')
  arc.put('teach', question, { nodeId, label: arc.node(nodeId).label, purpose: 'easier' })
}

function quiz(arc: Arc, lesson: Lesson) {
  if (arc.state.phase !== 'QUIZZING') arc.moveTo('TEACHING', 'questioning')
  if (lesson.quiz) return askNext(arc, lesson, lesson.quiz)
  const { nodeId, cycle } = lesson
  arc.handTo('quiz', 'to see whether the lesson holds')
  const neighbour = cycle.cycleNumber > 1 && !lesson.mixed ? neighbourOf(arc.map, nodeId) : null
  lesson.mixed = true
  if (neighbour) {
    arc.moveTo('QUIZZING')
    return arc.ask('review', { nodeId: neighbour.id, purpose: 'mixed' }, neighbour.label)
  }
  const { missed, eased } = cycle
  const count = arc.rules.quizQuestions
  arc.ask('quiz', { nodeId, count, missed, easier: eased }, arc.node(nodeId).label)
}

/** The quiz is written: its first question is put. */
export function takeQuiz(arc: Arc, { questions }: StepOutputs['quiz']): void {
  const { lesson } = arc.state
  if (!lesson) return
  lesson.quiz = { questions, asked: 0 }
  const { label } = arc.node(lesson.nodeId)
  arc.say({ phrase: 'quiz-start', params: { label, count: questions.length } })
  askNext(arc, lesson, lesson.quiz)
}

function askNext(arc: Arc, lesson: Lesson, quiz: NonNullable<Lesson['quiz']>): void {
  const { nodeId } = lesson
  const { label } = arc.node(nodeId)
  arc.moveTo('QUIZZING')
  const question = quiz.questions[quiz.asked]
  if (!question) throw new Error('the quiz has no further question')
  const id = arc.put('quiz', question, { nodeId, label })
  quiz.asked += 1
  lesson.cycle = askQuestion(lesson.cycle, id)
}

/** A quiz question was answered, skipped or given up; after the last one the cycle's verdict falls. */
export function answerQuiz(arc: Arc, answer: Answer): void {
  const { lesson, question, sitting } = arc.state
  if (!lesson || !question) return
  const node = arc.node(lesson.nodeId)
  const mark = { quality: answer.quality, type: 'teach' as const }
  const applied = applyResponse(node, arc.history(node.id), mark, arc.context(true))
  respond(arc, answer, 'teach')
  arc.setNode(applied.node, applied.history)
  lesson.cycle = gradeQuestion(lesson.cycle, question.id, answer.quality)
  arc.closeQuestion(answer.quality)
  sitting.quizzed += 1
  if (isSittingFull(sitting.quizzed)) {
    sitting.quizzed = 0
    sitting.offersStop = true
  }
  endCycleIfDone(arc, lesson)
}

/** What the quiz has led to so far. */
function outcomeOf(arc: Arc, lesson: Lesson) {
  const quizQuestions = lesson.quiz?.questions.length ?? arc.rules.quizQuestions
  return cycleOutcome(lesson.cycle, { ...arc.rules, quizQuestions })
}

/** Applies the cycle's verdict once all its questions are answered; mistakes are looked at first. */
function endCycleIfDone(arc: Arc, lesson: Lesson) {
  const outcome = outcomeOf(arc, lesson)
  if (!lesson.quiz || outcome === 'continue') return
  recordCycle(arc, lesson, outcome === 'reviewing')
  const { nodeId, cycle, quizFirst } = lesson
  const { label } = arc.node(nodeId)
  const questionIds = cycle.marks.map((mark) => mark.questionId)
  const input = { nodeId, cycle: cycle.cycleNumber, questionIds }
  if (outcome === 'reviewing') {
    passCycle(arc, lesson)
    const isSpotless = cycleQualities(cycle).every((quality) => quality >= SPOTLESS)
    if (isSpotless || arc.tutor === 'offline') return
    return arc.ask('feedback', { ...input, passed: true }, label)
  }
  if (quizFirst && quizFirst !== 'lapse') {
    for (const other of losePlace(arc.map, nodeId)) arc.setNode(other)
    arc.setNode(withPlace(arc.node(nodeId), false))
  }
  arc.handTo('feedback', 'to find the pattern in the mistakes')
  arc.say({ phrase: 'cycle-again', params: { label, ...counts(lesson) } })
  lesson.stage = 'feedback'
  arc.ask('feedback', input, label)
}

/** The mistakes were looked at; without that help the numbers alone were told. */
export function takeFeedback(
  arc: Arc,
  key: string,
  { passed = false }: StepInputs['feedback'],
  feedback: StepOutputs['feedback'] | null,
): void {
  const { lesson } = arc.state
  if (feedback) {
    arc.sayWritten(key, { text: feedback.feedback_text })
    const facts = feedback.facts_to_remember ?? []
    if (facts.length > 0) arc.record({ type: 'remember', facts, source: 'feedback' })
  }
  if (passed || !lesson) return
  if (feedback) {
    lesson.errors = feedback.error_patterns.map(
      (seen): ErrorPattern => ({
        patternType: seen.pattern_type,
        description: seen.description,
        affectedQuestions: seen.affected_questions,
        suggestedRemediation: seen.suggested_remediation,
      }),
    )
  }
  endCycle(arc, lesson)
}

/** The concept is taught again to the errors that were made; once the cycles are spent the planner is asked for help. */
function endCycle(arc: Arc, lesson: Lesson): void {
  if (outcomeOf(arc, lesson) !== 'remediate') {
    lesson.cycle = nextCycle(lesson.cycle)
    lesson.stage = 'explain'
    lesson.quiz = null
    lesson.quizFirst = null
    lesson.mixed = false
    lesson.easier = null
    lesson.startedAt = arc.at
    return
  }
  const { nodeId } = lesson
  const reason = `not mastered after ${arc.rules.maxCycles} cycles: ${arc.node(nodeId).label}`
  arc.state.eased = [...new Set([...arc.state.eased, nodeId])]
  arc.setLesson(null)
  replan(arc, { reason, goal: null, nodeId })
}

function counts(lesson: Lesson): { right: number; count: number } {
  const qualities = cycleQualities(lesson.cycle)
  const right = qualities.filter(isPassed).length
  return { right, count: qualities.length }
}

/** Keeps how the cycle ended. */
export function recordCycle(arc: Arc, lesson: Lesson, achieved: boolean): void {
  arc.record({
    type: 'cycle',
    nodeId: lesson.nodeId,
    topic: arc.node(lesson.nodeId).label,
    number: lesson.cycle.cycleNumber,
    score: cycleScore(lesson.cycle) ?? 0,
    achieved,
    startedAt: lesson.startedAt,
  })
}

/** The concept has passed its cycle: on to reviews. A lesson on another concept stays in hand. */
export function passCycle(arc: Arc, lesson: Lesson): void {
  const node = arc.node(lesson.nodeId)
  const qualities = cycleQualities(lesson.cycle)
  const passed =
    lesson.quizFirst === 'known'
      ? passPlaced(node, meanQuality(qualities), arc.context(false))
      : completeCycle(node, qualities, arc.context(false))
  arc.setNode(withPlace(passed, false))
  const { label, nextReviewAt: at } = passed
  const said = {
    phrase: 'cycle-passed' as const,
    params: { label, ...counts(lesson), at, now: arc.at },
  }
  if (node.lastReviewedAt === null) arc.offer({ type: 'LEARNED', nodeId: node.id }, said)
  else arc.say(said)
  arc.state.eased = arc.state.eased.filter((id) => id !== node.id)
  if (arc.state.lesson?.nodeId === node.id) arc.setLesson(null)
}

/** Sets a concept aside at the learner's wish: it counts as met until they ask for it. */
export function setAside(arc: Arc, nodeId: string): void {
  const { lesson, question } = arc.state
  const node = arc.node(nodeId)
  if (question?.nodeId === nodeId && question.kind !== 'diagnostic') arc.closeQuestion(null)
  if (lesson?.nodeId === nodeId) {
    if (question?.nodeId === nodeId) arc.closeQuestion(null)
    arc.setLesson(null)
    if (lesson.refresher) return
  }
  arc.state.batch = arc.state.batch.filter((id) => id !== nodeId)
  arc.setNode({ ...node, metadata: { ...node.metadata, skipped: true } })
  const isLast = arc.activity.do === 'complete'
  arc.say({ phrase: 'concept-skipped', params: { label: node.label, isLast } })
}
