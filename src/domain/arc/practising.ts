import { outcomeQuality, sideQuality } from '../mastery/quality.ts'
import { applySideResponse } from '../mastery/status.ts'
import type { MindMap, MindMapNode } from '../mind-map/mind-map.ts'
import type { Arc } from './arc.ts'
import type { StepInputs, StepOutputs } from './steps.ts'

/** The learner wants to practise a concept: a session of its own, while the open question stays. */
export function practise(arc: Arc, node: MindMapNode | null) {
  const { phase, turn } = arc.state
  const chosen = node ?? weakest(arc.map)
  if (!['TEACHING', 'QUIZZING', 'REVIEWING'].includes(phase) || !chosen) {
    arc.say('practice-unavailable')
    return arc.leadBack()
  }
  arc.ask('practice', { nodeId: chosen.id, turn }, chosen.label)
}

/** Of what was begun, the concept that is known least. */
function weakest({ nodes }: MindMap): MindMapNode | null {
  const begun = nodes.filter(({ masteryStatus }) => masteryStatus !== 'unseen')
  return begun.sort((a, b) => a.masteryScore - b.masteryScore)[0] ?? null
}

/** A session is there to go to, or there are no questions for one. */
export function offerPractice(
  arc: Arc,
  { nodeId }: StepInputs['practice'],
  opened: StepOutputs['practice'],
) {
  if (!opened) {
    arc.say({ phrase: 'practice-none', params: { label: arc.node(nodeId).label } })
    return arc.leadBack()
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
 * How a practice session went: every problem that was tried is a side response, which enters the score and moves neither
 * status nor date.
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
    const quality = sideQuality(outcomeQuality(outcome))
    ;({ node, history } = applySideResponse(node, history, quality))
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
  if (!arc.state.paused) arc.leadBack()
}
