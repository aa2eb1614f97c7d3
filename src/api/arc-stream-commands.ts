import type { Dependencies } from '../commands/context.ts'
import { Problem } from '../commands/problem.ts'
import { SIGNAL } from '../contracts/temporal.ts'
import type { ArcFlow } from '../domain/arc/flow.ts'
import type { ArcRow } from '../store/arcs.ts'
import { lastWrittenMessage } from '../store/messages.ts'
import { keepStep } from '../store/model-steps.ts'
import { requireOpen, signalArc } from './arc-commands.ts'

/**
 * Ends what is being streamed in a turn: the part shown is stored as what the step returned, and becomes the message.
 * @throws {Problem} 409 when nothing of that turn is streaming
 */
export async function stopStreaming(
  dependencies: Dependencies,
  arc: ArcRow,
  turnId: string,
): Promise<void> {
  requireOpen(arc)
  const shown = dependencies.hub.shown(arc.id, turnId)
  const flow = arc.snapshot as ArcFlow | null
  const isOver = flow !== null && flow.turn >= Number(turnId) && flow.openTurn === null
  if (!shown || isOver) throw new Problem(409, 'Nothing is being streamed in this turn.')
  const isHelp = /\/help:[^/]*$/.test(shown.stepKey)
  await keepStep(dependencies.db, {
    key: shown.stepKey,
    arcId: arc.id,
    kind: isHelp ? 'help' : 'lesson',
    model: 'stopped by the learner',
    output: isHelp
      ? { text: shown.text }
      : { explanation: shown.text, example: null, questions: [] },
    inputTokens: 0,
    outputTokens: 0,
  })
  await signalArc(dependencies, arc, SIGNAL.stop, { turnId })
}

/**
 * Has the last message that a model wrote written again.
 * @throws {Problem} 409 when it is not the last one
 */
export async function regenerateMessage(
  dependencies: Dependencies,
  arc: ArcRow,
  messageId: string,
): Promise<void> {
  requireOpen(arc)
  const last = await lastWrittenMessage(dependencies.db, arc.id)
  if (last !== messageId) {
    throw new Problem(409, 'Only the last lesson or answer of the tutor is written again.')
  }
  await signalArc(dependencies, arc, SIGNAL.regenerate, { messageId })
}
