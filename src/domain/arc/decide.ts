import { isWeights } from '../spaced-repetition/fsrs.ts'
import type { Input, StepFault, StoredInput } from '../spine/decision.ts'
import { Arc } from './arc.ts'
import type { Closing } from './closing.ts'
import { takeSecondGrade } from './contesting.ts'
import {
  type Message,
  takeExplanation,
  takeGrade,
  takeHelp,
  takePath,
  takeRoute,
  takeUpMessage,
} from './conversation.ts'
import { begin, concludeDiagnosis, diagnose, putProbe, takeInventory } from './diagnosing.ts'
import type { Effect } from './effects.ts'
import { holdUp, sayThatSlow, tryAgain, tryNow } from './outages.ts'
import { plan, replan, takeAdvice, takeGraph, waitForPlan } from './planning.ts'
import { askOutcome, offerPractice, takeExercises, takeOutcome } from './practising.ts'
import { putInstead, takeRun } from './programs.ts'
import type { Command } from './reply.ts'
import { check, openReview, review, toReviewing } from './reviewing.ts'
import { takeSideResponse } from './side-responses.ts'
import type { LoadedArc } from './state.ts'
import { type Asking, isExtra, type StepInputs } from './steps.ts'
import { stopOrGoOn } from './stop-offer.ts'
import {
  goOnTeaching,
  openCheck,
  openEasier,
  takeFeedback,
  takeInHand,
  takeLesson,
  takeQuiz,
} from './teaching.ts'

/** More moves in a row without an input, an answer or a date are a loop. */
const MOST_MOVES = 200

/** Inputs that are taken up in the middle of a turn too. */
const AT_ANY_TIME = ['abandon', 'stop', 'pause', 'resume']

/** Whether an input may be taken up as the arc stands: one at a time, but for those that cannot wait. */
export const admits = ({ state }: LoadedArc, type: string): boolean =>
  state.openTurn === null || AT_ANY_TIME.includes(type)

/**
 * The rules of a learning arc (seed 000 D3, seed 003): what it does with an input, an answer, or the time, until it waits
 * again. Pure; the arc is left as it is. `at` is in epoch milliseconds.
 */
export function decide(
  loaded: LoadedArc,
  input: Input,
  at: number,
): { loaded: LoadedArc; effects: Effect[] } {
  const arc = new Arc(loaded, at)
  if (!take(arc, input)) return { loaded, effects: [] }
  goOn(arc)
  return arc.decided()
}

/** @returns whether there was anything to do */
function take(arc: Arc, input: Input): boolean {
  switch (input.type) {
    case 'input':
      takeUp(arc, input.input)
      return true
    case 'answer':
      return answered(arc, input.key, input.output)
    case 'no-answer':
      return notAnswered(arc, input)
    case 'slow':
      return sayThatSlow(arc, input.key)
    case 'clock':
      return tryAgain(arc, input.waiting) || !arc.waits
  }
}

/** Goes on until the arc waits; then the turn is done. */
function goOn(arc: Arc): void {
  const { state } = arc
  for (let moves = 0; !arc.waits; moves += 1) {
    if (moves > MOST_MOVES) throw new Error('the arc does not come to rest')
    if (!state.openTurn) arc.beginTurn(null)
    move(arc)
  }
  if (!state.openTurn || state.asking.length > 0) return
  if (state.phase === 'REVIEWING' && !state.question && state.openTurn.closedQuestion) {
    arc.say({ phrase: 'sleeping', params: { at: arc.nextReviewAt, now: arc.at } })
  }
  arc.endTurn()
}

function move(arc: Arc) {
  switch (arc.state.phase) {
    case 'PENDING':
      return begin(arc)
    case 'DIAGNOSING':
      return diagnose(arc)
    case 'PLANNING':
      return arc.hasMap ? next(arc) : plan(arc)
    default:
      return next(arc)
  }
}

function next(arc: Arc) {
  const { activity } = arc
  switch (activity.do) {
    case 'complete':
      return complete(arc)
    case 'review':
      return review(arc, activity.nodeIds)
    case 'offer-stop':
      return offerStop(arc)
    case 'check':
      return check(arc, activity.nodeId)
    case 'teach':
      return takeInHand(arc, activity.nodeId)
    case 'go-on':
      return goOnTeaching(arc)
    case 'sleep':
      return toReviewing(arc)
  }
}

/** After a good stretch of questions the learner is asked whether it is enough. */
function offerStop(arc: Arc): void {
  arc.put('choice', stopOrGoOn(arc.language), { label: 'go on?' })
}

/** The map is complete: what the learner has made of it is looked up, so that it can be said. */
function complete(arc: Arc): void {
  arc.setMap({ ...arc.map, status: 'completed' })
  arc.record({ type: 'map-status', status: 'completed' })
  arc.moveTo('COMPLETED')
  endPractice(arc)
  arc.ask('closing', {}, 'what came of it')
}

/** What the learner has made of the topic, then where to go from here. */
function close(arc: Arc, closing: Closing): void {
  arc.say({ phrase: 'completed', params: { topic: arc.topic, closing } })
  arc.ask('path', { purpose: 'completed' }, 'what comes after')
}

function takeUp(arc: Arc, input: StoredInput) {
  const { type, id, payload } = input
  if (arc.isOver) return takeUpLate(arc, type, id, payload)
  switch (type) {
    case 'abandon':
      return abandon(arc, id, textOf(payload.reason) ?? '')
    case 'stop':
      return stop(arc, id, payload)
    case 'side-response':
      return takeSideResponse(arc, input)
    case 'memory':
      return takeMemory(arc, id, payload.weights)
    case 'pause':
    case 'resume':
      if (arc.state.openTurn) return setPaused(arc, id, type === 'pause')
  }
  const message = type === 'message' ? messageOf(id, payload) : null
  arc.beginTurn(id, message?.text ?? null)
  // Whatever is asked has the arc try again what holds it up.
  if (arc.state.blocked) unblock(arc)
  if (message) return takeUpMessage(arc, message)
  switch (type) {
    case 'replan':
      return takeUpReplan(arc, textOf(payload.reason), textOf(payload.goal))
    case 'regenerate':
      return writeAgain(arc, payload)
    case 'practice-outcome':
      return askOutcome(arc, textOf(payload.sessionId) ?? '')
    case 'review-now':
      return reviewNow(arc)
    case 'pause':
      arc.state.paused = true
      return arc.say('paused')
    case 'resume':
      arc.state.paused = false
      arc.state.sitting.resting = false
      arc.say('resumed')
      return arc.leadBackAgain()
    default:
      throw new Error(`an arc knows no input "${type}"`)
  }
}

/** The learner's memory was fitted anew: what is reviewed from now on goes by these weights, null by the default ones. */
function takeMemory(arc: Arc, inputId: string, weights: unknown) {
  if (isWeights(weights)) arc.state.weights = weights
  else delete arc.state.weights
  arc.record({ type: 'answered', inputId })
}

/** What comes when the arc is over is acknowledged, so that nobody waits for it. */
function takeUpLate(arc: Arc, type: string, inputId: string, payload: StoredInput['payload']) {
  if (type === 'practice-outcome' && !arc.state.openTurn) {
    arc.beginTurn(inputId)
    return askOutcome(arc, textOf(payload.sessionId) ?? '')
  }
  if (type === 'message') {
    arc.record({ type: 'took', messageId: inputId, turn: arc.state.turn + 1 })
  }
  arc.record({ type: 'answered', inputId })
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const messageOf = (id: string, payload: StoredInput['payload']): Message => ({
  id,
  text: textOf(payload.text) ?? '',
  action: textOf(payload.action) as Command | null,
  questionId: textOf(payload.questionId),
  nodeId: textOf(payload.nodeId),
})

function unblock(arc: Arc): void {
  arc.state.blocked = null
  arc.record({ type: 'blocked' })
}

/** Closes the arc for good, also in the middle of a turn, with what it had done so far. */
function abandon(arc: Arc, inputId: string, reason: string): void {
  const { state } = arc
  if (!state.openTurn) arc.beginTurn(null)
  state.asking = []
  arc.closeQuestion(null)
  arc.setLesson(null)
  state.blocked = null
  endPractice(arc)
  arc.record({ type: 'map-status', status: 'abandoned' })
  arc.record({ type: 'abandoned', reason })
  arc.moveTo('ABANDONED')
  arc.notify('abandoned')
  arc.record({ type: 'answered', inputId })
  arc.endTurn()
}

/** A practice session does not outlive its arc. */
function endPractice(arc: Arc): void {
  const { practiceSessionId } = arc
  if (practiceSessionId === null) return
  arc.record({ type: 'practice-ended', sessionId: practiceSessionId })
  arc.setPractice(null)
}

/** The learner has read enough: the part that was shown is what the step returned. */
function stop(arc: Arc, inputId: string, payload: StoredInput['payload']): void {
  arc.record({ type: 'answered', inputId })
  const asking = arc.state.asking.find(({ key }) => key === payload.stepKey)
  const text = textOf(payload.text) ?? ''
  if (asking?.kind === 'lesson') {
    answered(arc, asking.key, { explanation: text, example: null, questions: [] })
  } else if (asking?.kind === 'help') answered(arc, asking.key, { text })
}

/** Pause and resume in the middle of a turn: the turn goes on, and what is held up is tried again. */
function setPaused(arc: Arc, inputId: string, paused: boolean): void {
  arc.state.paused = paused
  arc.record({ type: 'answered', inputId })
  if (!paused) tryNow(arc)
}

function takeUpReplan(arc: Arc, reason: string | null, goal: string | null) {
  if (goal) arc.setGoal(goal)
  if (arc.hasMap) return replan(arc, { reason, goal, nodeId: null })
  // Without a map the plan itself is asked for again.
  if (arc.state.phase !== 'PLANNING') arc.say('replan-early')
}

/** Writes a lesson or an answer again, in the place of the message; no grade and no question changes. */
function writeAgain(arc: Arc, payload: StoredInput['payload']) {
  const replaces = textOf(payload.messageId)
  const { lesson, question } = arc.state
  const nodeId = textOf(payload.nodeId)
  const asked = textOf(payload.asked)
  if (payload.kind === 'lesson' && nodeId && arc.map.nodes.some(({ id }) => id === nodeId)) {
    const { cycle, errors } = lesson?.nodeId === nodeId ? lesson : { cycle: null, errors: [] }
    const showing = arc.node(nodeId).metadata.lessons ?? 1
    const input = { nodeId, cycle: cycle?.cycleNumber ?? 1, showing, missed: [], errors, replaces }
    return arc.ask('lesson', input, arc.node(nodeId).label)
  }
  if (payload.kind === 'help' && asked) {
    const questionId = question?.id ?? null
    const about = { messageId: asked, questionId, concept: null }
    return arc.ask('help', { ...about, wish: 'question', times: 0, replaces }, 'once more')
  }
  arc.notify('again-failed')
}

function reviewNow(arc: Arc): void {
  arc.state.paused = false
  arc.state.sitting.resting = false
  if (arc.state.question) arc.leadBackAgain()
  else if (arc.hasMap && arc.activity.do === 'sleep') {
    arc.say({ phrase: 'nothing-due', params: { at: arc.nextReviewAt, now: arc.at } })
  }
}

/** The step is not waited for any more. */
function settle(arc: Arc, key: string): Asking | null {
  const { state } = arc
  const asking = state.asking.find((step) => step.key === key) ?? null
  state.asking = state.asking.filter((step) => step !== asking)
  return asking
}

/** A step has brought what was asked for. */
function answered(arc: Arc, key: string, output: unknown): boolean {
  const asking = settle(arc, key)
  if (!asking) return false
  if (arc.state.blocked) unblock(arc)
  conclude(arc, asking, output)
  return true
}

/** Goes on with what a step returned; null where nothing came that could be used and the arc goes on without. */
function conclude(arc: Arc, asking: Asking, output: unknown) {
  const { key, kind, input } = asking
  // Kinds and what belongs to them come from one table; the compiler cannot follow it through a switch.
  const given = <K extends keyof StepInputs>(_: K) => input as StepInputs[K]
  const made = output as never
  switch (kind) {
    case 'inventory':
      return takeInventory(arc, made)
    case 'probe':
      return putProbe(arc, given(kind).label, firstQuestion(output))
    case 'summary':
      return concludeDiagnosis(arc, made)
    case 'graph':
      return output === null
        ? waitForPlan(arc, 'the plan was not readable')
        : takeGraph(arc, key, given(kind), made)
    case 'lesson':
      return takeLesson(arc, key, given(kind), made)
    case 'quiz':
      return takeQuiz(arc, made)
    case 'review': {
      const { nodeId, purpose } = given(kind)
      const question = firstQuestion(output)
      if (purpose === 'instead') return putInstead(arc, question)
      if (purpose === 'check') return openCheck(arc, question)
      if (purpose === 'easier') return openEasier(arc, question)
      return openReview(arc, nodeId, purpose, question)
    }
    case 'grade':
      return given(kind).again
        ? takeSecondGrade(arc, given(kind), made)
        : takeGrade(arc, key, given(kind), made)
    case 'explain':
      return takeExplanation(arc, key, given(kind), made)
    case 'feedback':
      return takeFeedback(arc, key, given(kind), made)
    case 'replan':
      return takeAdvice(arc, key, given(kind), made)
    case 'path':
      return takePath(arc, key, given(kind), made)
    case 'route':
      return takeRoute(arc, given(kind), made)
    case 'help':
      return takeHelp(arc, key, given(kind), made)
    case 'exercises':
      return takeExercises(arc, given(kind), made)
    case 'practice':
      return offerPractice(arc, given(kind), made)
    case 'outcome':
      return takeOutcome(arc, given(kind), made)
    case 'closing':
      return close(arc, made)
    case 'run-program':
      return takeRun(arc, given(kind), made)
  }
}

const firstQuestion = (output: unknown) =>
  (output as { questions: Parameters<typeof putProbe>[2][] }).questions[0] ?? null

/** Kinds that the arc can do without, when what came cannot be used. */
const CAN_DO_WITHOUT = ['summary', 'graph', 'grade', 'feedback', 'replan', 'path', 'route', 'help']

/** A step has no answer: the arc goes on without it, or is held up until it is tried again. */
function notAnswered(
  arc: Arc,
  failure: { key: string; fault: StepFault; reason: string; retryAfterMs: number | null },
): boolean {
  const asking = arc.state.asking.find(({ key }) => key === failure.key)
  if (!asking) return false
  const isAgain = asking.kind === 'lesson' && asking.input.replaces !== null
  const canDoWithout = CAN_DO_WITHOUT.includes(asking.kind) && failure.fault === 'malformed'
  // A program that cannot be run is nobody's fault: the question is replaced.
  if (isExtra(asking) || canDoWithout || asking.kind === 'run-program') {
    settle(arc, asking.key)
    if (arc.state.blocked) unblock(arc)
    conclude(arc, asking, null)
  } else if (isAgain && failure.fault === 'malformed') {
    settle(arc, asking.key)
    arc.notify('again-failed')
  } else holdUp(arc, failure)
  return true
}
