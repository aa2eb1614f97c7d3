import { isHelped, sideQuality } from '../mastery/quality.ts'
import { applyCheck, applyResponse, applySideResponse, postponeReview } from '../mastery/status.ts'
import type { MindMapNode } from '../mind-map/mind-map.ts'
import { neighbourOf } from '../mind-map/neighbour.ts'
import type { Arc } from './arc.ts'
import { type Answer, respond } from './grading.ts'
import { losePlace, withPlace } from './placement.ts'
import type { Question } from './question.ts'
import { takeInHand } from './teaching.ts'

/** A batch of so many reviews holds one question on a neighbour. */
const MIXED_FROM = 3
/** After so many lapses by reviews that needed help, the learner is offered to set the concept aside. */
const LAPSES_TO_OFFER = 2

/** Has a question written for the first review of the batch; the offer to stop gives way to it. */
export function review(arc: Arc, nodeIds: string[]) {
  const [nodeId] = nodeIds
  if (!nodeId) return
  const { state } = arc
  if (state.question) arc.closeQuestion(null)
  state.sitting.resting = false
  const isNew = state.batch.length === 0
  const { label } = arc.node(nodeId)
  arc.handTo('quiz', 'to review what is due')
  toReviewing(arc)
  if (isNew) {
    arc.record({ type: 'review-open', nodeIds })
    state.mixed = nodeIds.length < MIXED_FROM
  } else if (!state.mixed) {
    state.mixed = true
    const neighbour = neighbourOf(arc.map, nodeId, nodeIds)
    if (neighbour)
      return arc.ask('review', { nodeId: neighbour.id, purpose: 'mixed' }, neighbour.label)
  }
  arc.say(
    isNew
      ? { phrase: 'review-due', params: { label, count: nodeIds.length } }
      : { phrase: 'review-next', params: { label } },
  )
  state.batch = nodeIds
  arc.ask('review', { nodeId, purpose: 'review' }, label)
}

/** Moves to REVIEWING, by way of TEACHING where there is no other. */
export function toReviewing(arc: Arc): void {
  if (arc.state.phase === 'PLANNING') arc.moveTo('TEACHING', 'questioning')
  arc.moveTo('REVIEWING')
}

/** Has a question written that checks a concept which the diagnosis has placed. */
export function check(arc: Arc, nodeId: string): void {
  const { label } = arc.node(nodeId)
  arc.handTo('quiz', 'to check what the diagnosis says')
  toReviewing(arc)
  arc.state.sitting.checksLeft = Math.max(0, arc.state.sitting.checksLeft - 1)
  arc.say({ phrase: 'check-placed', params: { label } })
  arc.ask('review', { nodeId, purpose: 'placed' }, label)
}

/** The question is written: it opens, or where there is none the review is put off. */
export function openReview(
  arc: Arc,
  nodeId: string,
  purpose: 'review' | 'placed' | 'mixed',
  question: Question | null,
): void {
  const node = arc.node(nodeId)
  const { label } = node
  if (purpose === 'mixed') {
    const kind = arc.state.phase === 'REVIEWING' ? 'review' : 'quiz'
    if (question) arc.put(kind, question, { nodeId, label, purpose })
  } else if (purpose === 'placed') {
    if (question) arc.put('review', question, { nodeId, label, purpose })
    // What nobody can ask about is taught.
    else arc.setNode(withPlace(node, false))
  } else if (question) arc.put('review', question, { nodeId, label })
  else {
    arc.setNode(postponeReview(node, arc.context(false)))
    leaveBatch(arc, nodeId)
  }
}

/** A question on a neighbour was answered: it enters the score, and nothing else moves. */
export function answerMixed(arc: Arc, answer: Answer) {
  const { question } = arc.state
  if (!question?.nodeId) return
  const node = arc.node(question.nodeId)
  const quality = sideQuality(answer.quality)
  const applied = applySideResponse(node, arc.history(node.id), quality)
  respond(arc, { ...answer, quality }, 'teach')
  arc.setNode(applied.node, applied.history)
  arc.closeQuestion(quality)
}

/** The check of a placed concept was answered: on to reviews, to its quiz, or to its lesson. */
export function answerCheck(arc: Arc, answer: Answer) {
  const { question } = arc.state
  if (!question?.nodeId) return
  const before = arc.node(question.nodeId)
  const { quality } = answer
  const applied = applyCheck(before, arc.history(before.id), quality, arc.context(false))
  respond(arc, answer, 'review')
  arc.setNode(isHelped(quality) ? applied.node : withPlace(applied.node, false), applied.history)
  arc.closeQuestion(quality)
  const { label, nextReviewAt: at } = applied.node
  if (quality >= 4) return arc.say({ phrase: 'check-passed', params: { label, at, now: arc.at } })
  if (isHelped(quality)) {
    arc.say({ phrase: 'check-quiz', params: { label } })
    return takeInHand(arc, before.id, { quizFirst: 'checked' })
  }
  arc.say({ phrase: 'check-failed', params: { label } })
  for (const node of losePlace(arc.map, before.id)) arc.setNode(node)
  takeInHand(arc, before.id)
}

/** A review was answered or given up. */
export function answerReview(arc: Arc, answer: Answer) {
  const { question } = arc.state
  if (!question?.nodeId) return
  const node = arc.node(question.nodeId)
  const mark = { quality: answer.quality, type: 'review' as const }
  const applied = applyResponse(node, arc.history(node.id), mark, arc.context(false))
  respond(arc, answer, 'review')
  arc.setNode(applied.node, applied.history)
  arc.closeQuestion(answer.quality)
  leaveBatch(arc, node.id)
  const { label, masteryStatus, nextReviewAt } = applied.node
  if (node.masteryStatus === 'reviewing' && masteryStatus === 'learning') {
    return lapse(arc, applied.node, isHelped(answer.quality))
  }
  if (masteryStatus === 'mastered' && node.masteryStatus !== 'mastered') {
    arc.say({ phrase: 'mastered', params: { label } })
  } else {
    arc.say({ phrase: 'review-kept', params: { label, at: nextReviewAt, now: arc.at } })
  }
}

/** A concept has slipped: a missed review leads to its quiz, three that needed help to its lesson. */
function lapse(arc: Arc, { id, label, metadata }: MindMapNode, byHelp: boolean) {
  const others = arc.state.lapsed.filter(({ nodeId }) => nodeId !== id)
  arc.state.lapsed = [...others, { nodeId: id, begin: byHelp ? 'lesson' : 'quiz' }]
  arc.say({ phrase: byHelp ? 'review-helped' : 'review-lapsed', params: { label } })
  if (byHelp && (metadata.helpedLapses ?? 0) >= LAPSES_TO_OFFER) {
    arc.say({ phrase: 'offer-aside', params: { label } })
  }
}

/** The learner passes over a review: no response, due again after the first step; a check that is passed over is a lesson. */
export function skipReview(arc: Arc) {
  const { question } = arc.state
  if (!question?.nodeId) return
  const node = arc.node(question.nodeId)
  const { label } = node
  arc.closeQuestion(null)
  if (question.purpose === 'mixed') return arc.say('question-skipped')
  if (question.purpose === 'placed') {
    arc.setNode(withPlace(node, false))
    return arc.say({ phrase: 'check-skipped', params: { label } })
  }
  const postponed = postponeReview(node, arc.context(false))
  arc.setNode(postponed)
  leaveBatch(arc, node.id)
  const params = { label, at: postponed.nextReviewAt, now: arc.at }
  arc.say({ phrase: 'review-postponed', params })
}

function leaveBatch(arc: Arc, nodeId: string): void {
  arc.state.batch = arc.state.batch.filter((id) => id !== nodeId)
}
