import { applyResponse, postponeReview } from '../../domain/mastery/status.ts'
import type { Arc } from './arc.ts'
import { type Answer, respond } from './grading.ts'
import { type ModelSteps, questionsOf } from './model-steps.ts'

/** Opens the first review of the batch. */
export async function review(arc: Arc, steps: ModelSteps, nodeIds: string[]): Promise<void> {
  const [nodeId] = nodeIds
  if (!nodeId) return
  const isNew = arc.flow.batch.length === 0
  const { label } = arc.node(nodeId)
  arc.handTo('quiz', 'to review what is due')
  arc.moveTo('REVIEWING')
  const [question] = questionsOf(await steps.run('review', nodeId, { nodeId }, label))
  if (isNew) arc.record({ type: 'review-open', nodeIds })
  arc.say(
    isNew
      ? { phrase: 'review-due', params: { label, count: nodeIds.length } }
      : { phrase: 'review-next', params: { label } },
  )
  arc.flow.batch = nodeIds
  if (question) arc.ask('review', question, { nodeId, label })
  else arc.setNode(postponeReview(arc.node(nodeId), arc.context(false)))
}

/** A review was answered or given up. */
export function answerReview(arc: Arc, answer: Answer): void {
  const { question } = arc.flow
  if (!question?.nodeId) return
  const node = arc.node(question.nodeId)
  const mark = { quality: answer.quality, type: 'review' as const }
  const applied = applyResponse(node, arc.history(node.id), mark, arc.context(false))
  respond(arc, answer, 'review')
  arc.setNode(applied.node, applied.history)
  arc.closeQuestion(answer.quality)
  leaveBatch(arc, node.id)
  const { label, masteryStatus, nextReviewAt: at } = applied.node
  if (masteryStatus === 'learning') arc.say({ phrase: 'review-lapsed', params: { label } })
  else if (masteryStatus === 'mastered' && node.masteryStatus !== 'mastered') {
    arc.say({ phrase: 'mastered', params: { label } })
  } else arc.say({ phrase: 'review-kept', params: { label, at, now: Date.now() } })
}

/** The learner passes over a review: no response, due again after the first step. */
export function skipReview(arc: Arc): void {
  const { question } = arc.flow
  if (!question?.nodeId) return
  const node = postponeReview(arc.node(question.nodeId), arc.context(false))
  arc.setNode(node)
  arc.closeQuestion(null)
  leaveBatch(arc, node.id)
  const params = { label: node.label, at: node.nextReviewAt, now: Date.now() }
  arc.say({ phrase: 'review-postponed', params })
}

function leaveBatch(arc: Arc, nodeId: string): void {
  arc.flow.batch = arc.flow.batch.filter((id) => id !== nodeId)
}
