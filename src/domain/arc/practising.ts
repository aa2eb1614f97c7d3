import { outcomeQuality } from '../mastery/quality.ts'
import { applySideResponse } from '../mastery/status.ts'
import type { MindMap, MindMapNode } from '../mind-map/mind-map.ts'
import type { Arc } from './arc.ts'
import type { StepInputs, StepOutputs } from './steps.ts'

/** A practice session of an arc has no more problems (contract, `practice`); a mixed one as many concepts. */
export const MOST_PROBLEMS = 5

/**
 * The learner wants to practise, a concept or else what is known least: a session of its own, while the open question
 * stays.
 */
export function practise(arc: Arc, node: MindMapNode | null) {
  const { phase, turn } = arc.state
  const nodeIds = node ? [node.id] : weakest(arc.map).map(({ id }) => id)
  if (!['TEACHING', 'QUIZZING', 'REVIEWING'].includes(phase) || nodeIds.length === 0) {
    arc.say('practice-unavailable')
    return arc.leadBack()
  }
  const about = labelsOf(arc, nodeIds).join(', ')
  // A session that is open comes first; and what a course has is chosen by code.
  const isWritten = arc.tutor !== 'offline' && !arc.isOfCourse && arc.practiceSessionId === null
  if (isWritten) arc.ask('exercises', { nodeIds, turn }, about)
  else arc.ask('practice', { nodeIds, turn, written: [] }, about)
}

/** The problems that were written; without any it is looked for questions that were asked before. */
export function takeExercises(
  arc: Arc,
  { nodeIds, turn }: StepInputs['exercises'],
  exercises: StepOutputs['exercises'] | null,
) {
  const about = labelsOf(arc, nodeIds).join(', ')
  arc.ask('practice', { nodeIds, turn, written: exercises?.questions ?? [] }, about)
}

/** Of what was begun, the concepts that are known least, the weakest first. */
function weakest({ nodes }: MindMap): MindMapNode[] {
  const begun = nodes.filter(({ masteryStatus }) => masteryStatus !== 'unseen')
  return begun.toSorted((a, b) => a.masteryScore - b.masteryScore).slice(0, MOST_PROBLEMS)
}

const labelsOf = (arc: Arc, nodeIds: readonly string[]): string[] =>
  [...new Set(nodeIds)].map((id) => arc.node(id).label)

/** A session is there to go to, or there are no questions for one. */
export function offerPractice(
  arc: Arc,
  { nodeIds }: StepInputs['practice'],
  opened: StepOutputs['practice'],
) {
  if (!opened) {
    arc.say({ phrase: 'practice-none', params: { labels: labelsOf(arc, nodeIds) } })
    return arc.leadBack()
  }
  const { sessionId, externalSessionId, isOld, count, session } = opened
  const labels = labelsOf(arc, opened.nodeIds)
  if (!isOld) {
    arc.setPractice(sessionId)
    arc.record({ type: 'practice-opened', sessionId, session })
  }
  arc.offer(
    { type: 'PRACTICE', sessionId: externalSessionId },
    isOld
      ? { phrase: 'practice-still-open', params: { labels } }
      : { phrase: 'practice-open', params: { labels, count } },
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
  const { nodeIds, problems, total: count, solved } = result
  for (const { index, nodeId, outcome } of problems) {
    const quality = outcomeQuality(outcome)
    const { node, history } = applySideResponse(arc.node(nodeId), arc.history(nodeId), quality)
    const notes = `practice: ${outcome}`
    arc.record({ type: 'practice-response', sessionId, index, nodeId, quality, notes })
    arc.setNode(node, history)
    if (arc.state.lastGrade?.node.id === nodeId) arc.state.lastGrade = null
  }
  const labels = labelsOf(arc, nodeIds)
  arc.say(
    problems.length === 0
      ? { phrase: 'practice-empty', params: { labels } }
      : { phrase: 'practice-done', params: { labels, count, solved } },
  )
  if (!arc.state.paused) arc.leadBack()
}
