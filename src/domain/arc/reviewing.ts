import { applyResponse, postponeReview } from '../mastery/status.ts'
import type { Arc } from './arc.ts'
import { type Answer, respond } from './grading.ts'
import type { Question } from './question.ts'

/** Has a question written for the first review of the batch. */
export function review(arc: Arc, nodeIds: string[]): void {
  const [nodeId] = nodeIds
  if (!nodeId) return
  const isNew = arc.state.batch.length === 0
  const { label } = arc.node(nodeId)
  arc.handTo('quiz', 'to review what is due')
  arc.moveTo('REVIEWING')
  if (isNew) arc.record({ type: 'review-open', nodeIds })
  arc.say(
    isNew
      ? { phrase: 'review-due', params: { label, count: nodeIds.length } }
      : { phrase: 'review-next', params: { label } },
  )
  arc.state.batch = nodeIds
  arc.ask('review', { nodeId, purpose: 'review' }, label)
}

/** The question is written: it opens, or where there is none the review is put off. */
export function openReview(arc: Arc, nodeId: string, question: Question | null): void {
  const node = arc.node(nodeId)
  if (question) arc.put('review', question, { nodeId, label: node.label })
  else {
    arc.setNode(postponeReview(node, arc.context(false)))
    leaveBatch(arc, nodeId)
  }
}

/** A review was answered or given up. */
export function answerReview(arc: Arc, answer: Answer): void {
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
  if (masteryStatus === 'learning') arc.say({ phrase: 'review-lapsed', params: { label } })
  else if (masteryStatus === 'mastered' && node.masteryStatus !== 'mastered') {
    arc.say({ phrase: 'mastered', params: { label } })
  } else {
    arc.say({ phrase: 'review-kept', params: { label, at: nextReviewAt, now: arc.at } })
  }
}

/** The learner passes over a review: no response, due again after the first step. */
export function skipReview(arc: Arc): void {
  const { question } = arc.state
  if (!question?.nodeId) return
  const node = postponeReview(arc.node(question.nodeId), arc.context(false))
  arc.setNode(node)
  arc.closeQuestion(null)
  leaveBatch(arc, node.id)
  const { label, nextReviewAt: at } = node
  arc.say({ phrase: 'review-postponed', params: { label, at, now: arc.at } })
}

function leaveBatch(arc: Arc, nodeId: string): void {
  arc.state.batch = arc.state.batch.filter((id) => id !== nodeId)
}
