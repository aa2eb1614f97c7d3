import { isCancellation, patched } from '@temporalio/workflow'
import { outcomeQuality } from '../../domain/mastery/quality.ts'
import { applyResponse } from '../../domain/mastery/status.ts'
import type { Arc } from './arc.ts'
import { practice, practiceStarter } from './proxies.ts'

/** The learner wants to practise the concept in hand: a session of its own, while the open question stays. */
export async function practise(arc: Arc): Promise<void> {
  const { lesson, phase, turn } = arc.flow
  if (phase !== 'TEACHING' || !lesson || !patched('arc-2026-11-practice')) {
    arc.say('practice-unavailable')
    return arc.putAgain()
  }
  const { nodeId } = lesson
  const { arcId } = arc
  const { label } = arc.node(nodeId)
  const opened = await practice.openPractice.executeWithOptions(
    { summary: `practice on ${label}` },
    [{ arcId, nodeId, turn }],
  )
  if (!opened) {
    arc.say({ phrase: 'practice-none', params: { label } })
    return arc.putAgain()
  }
  if (!opened.isOld) await start(opened.sessionId)
  arc.offer(
    { type: 'PRACTICE', sessionId: opened.externalSessionId },
    {
      phrase: opened.isOld ? 'practice-still-open' : 'practice-open',
      params: { label: arc.node(opened.nodeId).label, count: opened.count },
    },
  )
}

/** A session whose workflow could not be started now is started by its first turn, or by the reconciler. */
async function start(sessionId: string): Promise<void> {
  try {
    await practiceStarter.startPractice.executeWithOptions({ summary: 'practice session' }, [
      { sessionId },
    ])
  } catch (error) {
    if (isCancellation(error)) throw error
  }
}

/**
 * A practice session is completed: every problem that was tried is a teach response. It enters the score, but the cycle
 * alone moves the concept to reviews. An arc that is over takes note and changes nothing.
 */
export async function takeUpOutcome(arc: Arc, sessionId: string): Promise<void> {
  const { arcId } = arc
  const { turn } = arc.flow
  const session = await practice.readPracticeOutcome({ arcId, sessionId, turn })
  if (!session) return
  arc.record({ type: 'practised', sessionId })
  if (arc.isOver) return
  const { nodeId, problems } = session
  let node = arc.node(nodeId)
  let history = arc.history(nodeId)
  for (const { index, outcome } of problems) {
    const quality = outcomeQuality(outcome)
    const mark = { quality, type: 'teach' as const }
    ;({ node, history } = applyResponse(node, history, mark, arc.context(true)))
    const notes = `practice: ${outcome}`
    arc.record({ type: 'practice-response', sessionId, index, nodeId, quality, notes })
  }
  if (problems.length > 0) {
    arc.setNode(node, history)
    if (arc.flow.lastGrade?.node.id === nodeId) arc.flow.lastGrade = null
  }
  const solved = problems.filter(({ outcome }) => outcome === 'mastered' || outcome === 'learned')
  const params = { label: node.label, count: problems.length, solved: solved.length }
  arc.say({ phrase: problems.length > 0 ? 'practice-done' : 'practice-empty', params })
  if (!arc.flow.paused) arc.putAgain()
}
