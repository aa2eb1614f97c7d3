import type { Say } from '../../domain/arc/commit.ts'
import type { Lesson } from '../../domain/arc/flow.ts'
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
} from '../../domain/learning-cycle/cycle.ts'
import { applyResponse, completeCycle } from '../../domain/mastery/status.ts'
import { deferBehindFrontier, weakestPrerequisite } from '../../domain/mind-map/replan.ts'
import type { Arc, Work } from './arc.ts'
import { type Answer, respond } from './grading.ts'
import { Malformed, type ModelSteps, questionsOf } from './model-steps.ts'
import { replan } from './planning.ts'

/** Takes a concept in hand: its first cycle, or easier ones where its cycles were spent before. */
export function takeInHand(arc: Arc, nodeId: string, refresher = false): void {
  const eased = arc.flow.eased.includes(nodeId)
  arc.setLesson({
    nodeId,
    cycle: eased ? restartEased(startCycles()) : startCycles(),
    startedAt: Date.now(),
    stage: 'explain',
    explained: null,
    quiz: null,
    errors: [],
    refresher,
  })
}

/** Goes on with the concept in hand, from wherever it stands. */
export function goOnTeaching(arc: Arc, steps: ModelSteps): Work {
  const { lesson } = arc.flow
  if (!lesson) return
  if (lesson.stage === 'explain') return explain(arc, steps, lesson)
  if (arc.flow.phase === 'REVIEWING') return checkAgain(arc, lesson)
  return quiz(arc, steps, lesson)
}

/** Reviews came between the lesson and its quiz: the check question leads back in. */
function checkAgain(arc: Arc, lesson: Lesson): void {
  const { nodeId, explained } = lesson
  const { label } = arc.node(nodeId)
  arc.handTo('tutor', 'back to the concept in hand')
  arc.moveTo('TEACHING', 'questioning')
  arc.say({ phrase: 'back-to', params: { label } })
  lesson.stage = 'check'
  if (explained) arc.ask('teach', explained, { nodeId, label })
}

/** The tutor explains and asks one check question, which is a message only. */
async function explain(arc: Arc, steps: ModelSteps, lesson: Lesson): Promise<void> {
  const { label } = arc.node(lesson.nodeId)
  const { cycleNumber } = lesson.cycle
  arc.handTo('tutor', cycleNumber === 1 ? 'to explain the concept' : 'to teach to the errors')
  arc.moveTo('TEACHING', 'explaining')
  const step = await steps.run(
    'lesson',
    lesson.nodeId,
    { nodeId: lesson.nodeId, cycle: cycleNumber, errors: lesson.errors },
    label,
  )
  const title: Say = { phrase: 'lesson-title', params: { label, cycle: cycleNumber } }
  arc.say(title, { step: step.key, part: 'explanation' }, { step: step.key, part: 'example' })
  lesson.stage = 'check'
  lesson.explained = questionsOf(step)[0] ?? (await askAnyway(steps, lesson.nodeId, label))
  arc.moveTo('TEACHING', 'questioning')
  if (lesson.explained) arc.ask('teach', lesson.explained, { nodeId: lesson.nodeId, label })
  else lesson.stage = 'quiz'
}

/** A lesson that the learner stopped has no check question of its own. */
async function askAnyway(steps: ModelSteps, nodeId: string, label: string) {
  return questionsOf(await steps.run('review', nodeId, { nodeId }, label))[0] ?? null
}

/** The check question was answered: on to the quiz, or back from a refresher. */
export function afterCheck(arc: Arc): void {
  arc.closeQuestion(null)
  const { lesson } = arc.flow
  if (!lesson) return
  if (lesson.refresher) arc.setLesson(null)
  else lesson.stage = 'quiz'
}

function quiz(arc: Arc, steps: ModelSteps, lesson: Lesson): Work {
  if (lesson.quiz) askNext(arc, lesson, lesson.quiz)
  else return beginQuiz(arc, steps, lesson)
}

async function beginQuiz(arc: Arc, steps: ModelSteps, lesson: Lesson): Promise<void> {
  const { nodeId } = lesson
  arc.handTo('quiz', 'to see whether the lesson holds')
  const { missed, eased } = lesson.cycle
  const count = arc.rules.quizQuestions
  const input = { nodeId, count, missed, easier: eased }
  const step = await steps.run('quiz', nodeId, input, arc.node(nodeId).label)
  lesson.quiz = { questions: questionsOf(step), asked: 0 }
  arc.say({ phrase: 'quiz-start', params: { count: lesson.quiz.questions.length } })
  askNext(arc, lesson, lesson.quiz)
}

function askNext(arc: Arc, lesson: Lesson, quiz: NonNullable<Lesson['quiz']>): void {
  const { nodeId } = lesson
  const { label } = arc.node(nodeId)
  arc.moveTo('QUIZZING')
  const question = quiz.questions[quiz.asked]
  if (!question) throw new Error('the quiz has no further question')
  const id = arc.ask('quiz', question, { nodeId, label })
  quiz.asked += 1
  lesson.cycle = askQuestion(lesson.cycle, id)
  arc.flow.quizzed += 1
  if (isSittingFull(arc.flow.quizzed)) {
    arc.flow.quizzed = 0
    arc.say('quiz-pause-offer')
  }
}

/** A quiz question was answered, skipped or given up; after the last one the cycle's verdict falls. */
export function answerQuiz(arc: Arc, steps: ModelSteps, answer: Answer): Work {
  const { lesson, question } = arc.flow
  if (!lesson || !question) return
  const node = arc.node(lesson.nodeId)
  const mark = { quality: answer.quality, type: 'teach' as const }
  const applied = applyResponse(node, arc.history(node.id), mark, arc.context(true))
  respond(arc, answer, 'teach')
  arc.setNode(applied.node, applied.history)
  lesson.cycle = gradeQuestion(lesson.cycle, question.id, answer.quality)
  arc.closeQuestion(answer.quality)
  return endCycleIfDone(arc, steps, lesson)
}

/** Applies the cycle's verdict once all its questions are answered. */
export function endCycleIfDone(arc: Arc, steps: ModelSteps, lesson: Lesson): Work {
  if (!lesson.quiz) return
  const settings = { ...arc.rules, quizQuestions: lesson.quiz.questions.length }
  const outcome = cycleOutcome(lesson.cycle, settings)
  if (outcome === 'continue') return
  recordCycle(arc, lesson, outcome === 'reviewing')
  if (outcome === 'reviewing') return passCycle(arc, lesson)
  return failCycle(arc, steps, lesson, outcome)
}

/** The concept is taught again to the errors that were made, or once the cycles are spent by another way. */
async function failCycle(
  arc: Arc,
  steps: ModelSteps,
  lesson: Lesson,
  outcome: 'next-cycle' | 'remediate',
): Promise<void> {
  await giveFeedback(arc, steps, lesson)
  if (outcome === 'next-cycle') {
    lesson.cycle = nextCycle(lesson.cycle)
    lesson.stage = 'explain'
    lesson.quiz = null
    lesson.startedAt = Date.now()
    return
  }
  await remediate(arc, steps, lesson)
}

function counts(lesson: Lesson): { right: number; count: number } {
  const qualities = cycleQualities(lesson.cycle)
  return { right: qualities.filter((quality) => quality >= 3).length, count: qualities.length }
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
  const passed = completeCycle(node, cycleQualities(lesson.cycle), arc.context(false))
  arc.setNode(passed)
  const { label, nextReviewAt: at } = passed
  arc.say({ phrase: 'cycle-passed', params: { label, ...counts(lesson), at, now: Date.now() } })
  arc.flow.eased = arc.flow.eased.filter((id) => id !== node.id)
  if (arc.flow.lesson?.nodeId === node.id) arc.setLesson(null)
}

/** The feedback role reads the mistakes; without its help the numbers alone are told. */
async function giveFeedback(arc: Arc, steps: ModelSteps, lesson: Lesson): Promise<void> {
  const { label } = arc.node(lesson.nodeId)
  arc.handTo('feedback', 'to find the pattern in the mistakes')
  arc.say({ phrase: 'cycle-again', params: { label, ...counts(lesson) } })
  try {
    const { key, digest } = await steps.run(
      'feedback',
      lesson.nodeId,
      {
        nodeId: lesson.nodeId,
        cycle: lesson.cycle.cycleNumber,
        questionIds: lesson.cycle.marks.map((mark) => mark.questionId),
      },
      label,
    )
    lesson.errors = digest.errors
    arc.say({ step: key, part: 'feedback_text' })
    arc.record({ type: 'remember', step: key })
  } catch (error) {
    if (!(error instanceof Malformed)) throw error
  }
}

/** The cycles are spent: the planner may add what is missing; else the weakest prerequisite is taught again first. */
async function remediate(arc: Arc, steps: ModelSteps, lesson: Lesson): Promise<void> {
  const { nodeId } = lesson
  const { label } = arc.node(nodeId)
  const reason = `not mastered after ${arc.rules.maxCycles} cycles: ${label}`
  arc.flow.eased = [...new Set([...arc.flow.eased, nodeId])]
  arc.setLesson(null)
  const added = await replan(arc, steps, { reason, goal: null, nodeId })
  if (added > 0) {
    arc.say({ phrase: 'replan-done', params: { added } })
    return
  }
  arc.reorder(deferBehindFrontier(arc.map, nodeId, arc.rules.unlockAt))
  const weakest = weakestPrerequisite(arc.map, nodeId)
  if (!weakest) {
    arc.say({ phrase: 'cycle-eased', params: { label } })
    return
  }
  arc.say({ phrase: 'cycle-remediate', params: { label, weakest: weakest.label } })
  takeInHand(arc, weakest.id, true)
}

/** The learner passes over the concept in hand: it counts as met until they ask for it. */
export function skipConcept(arc: Arc): void {
  const { lesson } = arc.flow
  if (!lesson) return
  const node = arc.node(lesson.nodeId)
  arc.closeQuestion(null)
  arc.setLesson(null)
  if (lesson.refresher) return
  arc.setNode({ ...node, metadata: { ...node.metadata, skipped: true } })
  arc.say({ phrase: 'concept-skipped', params: { label: node.label } })
}
