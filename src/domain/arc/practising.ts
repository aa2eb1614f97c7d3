import { outcomeQuality } from '../mastery/quality.ts'
import { applyResponse } from '../mastery/status.ts'
import type { Arc } from './arc.ts'
import type { StepInputs, StepOutputs } from './steps.ts'

/** The learner wants to practise the concept in hand: a session of its own, while the open question stays. */
export function practise(arc: Arc) {
  const { lesson, phase, turn } = arc.state
  if (phase !== 'TEACHING' || !lesson) {
    arc.say('practice-unavailable')
    return arc.putAgain()
  }
  const { nodeId } = lesson
  arc.ask('practice', { nodeId, turn }, arc.node(nodeId).label)
}

/** A session is there to go to, or there are no questions for one. */
export function offerPractice(
  arc: Arc,
  { nodeId }: StepInputs['practice'],
  opened: StepOutputs['practice'],
) {
  if (!opened) {
    arc.say({ phrase: 'practice-none', params: { label: arc.node(nodeId).label } })
    return arc.putAgain()
  }
  const { sessionId, externalSessionId, isOld, count, session } = opened
  const { label } = arc.node(opened.nodeId)
  if (!isOld) {
    arc.setPractice(sessionId)
    arc.record({ type: 'practice-opened', sessionId, session })
  }
  arc.offer(
    { type: 'PRACTICE', sessionId: externalSessionId },
    isOld
      ? { phrase: 'practice-still-open', params: { label } }
      : { phrase: 'practice-open', params: { label, count } },
  )
}

/** A practice session is completed: how it went is looked up. */
export function askOutcome(arc: Arc, sessionId: string): void {
  arc.ask('outcome', { sessionId }, 'how practice went')
}

/**
 * How a practice session went: every problem that was tried is a teach response. It enters the score, but the cycle alone
 * moves the concept to reviews.
 */
export function takeOutcome(
  arc: Arc,
  { sessionId }: StepInputs['outcome'],
  result: StepOutputs['outcome'],
): void {
  if (!result) return
  if (arc.practiceSessionId === sessionId) arc.setPractice(null)
  arc.record({ type: 'practised', sessionId, turn: arc.state.turn })
  // An arc that is over takes note and changes nothing.
  if (arc.isOver) return
  const { nodeId, problems } = result
  let node = arc.node(nodeId)
  let history = arc.history(nodeId)
  for (const { index, outcome } of problems) {
    const quality = outcomeQuality(outcome)
    const mark = { quality, type: 'teach' as const }
    ;({ node, history } = applyResponse(node, history, mark, arc.context(true)))
    const notes = `practice: ${outcome}`
    arc.record({ type: 'practice-response', sessionId, index, nodeId, quality, notes })
  }
  const { label } = node
  if (problems.length === 0) arc.say({ phrase: 'practice-empty', params: { label } })
  else {
    arc.setNode(node, history)
    if (arc.state.lastGrade?.node.id === nodeId) arc.state.lastGrade = null
    const params = { label, count: result.total, solved: result.solved }
    arc.say({ phrase: 'practice-done', params })
  }
  if (!arc.state.paused) arc.putAgain()
}
