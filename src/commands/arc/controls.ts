import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { ArcRow } from '../../store/arc/arcs.ts'
import { lastWrittenMessage } from '../../store/arc/messages.ts'
import { storeInput } from '../../store/spine/inbox.ts'
import type { Dependencies } from '../context.ts'
import { Problem } from '../problem.ts'
import { requireOpen, wakeArc } from './arcs.ts'

/** What an arc can be asked to do besides answering messages. */
export type Control = 'abandon' | 'replan' | 'review-now' | 'pause' | 'resume'

/** Controls that are taken up in the middle of a turn, before what came earlier. */
const URGENT: readonly string[] = ['abandon', 'stop']

/**
 * Asks an open arc to do something: stored first, so that it is done whatever fails.
 * @throws {Problem} 409 where the arc is closed, or has no plan to change yet
 */
export async function control(
  dependencies: Dependencies,
  arc: ArcRow,
  type: Control,
  payload: { reason?: string | undefined; goal?: string | undefined } = {},
): Promise<void> {
  requireOpen(arc)
  if (type === 'replan' && (arc.phase === 'PENDING' || arc.phase === 'DIAGNOSING')) {
    throw new Problem(409, `The arc is ${arc.phase}; there is no plan to change yet.`)
  }
  await ask(dependencies, arc, type, payload)
}

/**
 * Ends what is being streamed in a turn: the part shown is what the step returned, and becomes the message.
 * @throws {Problem} 409 when nothing of that turn is streaming
 */
export async function stopStreaming(
  dependencies: Dependencies,
  arc: ArcRow,
  turnId: string,
): Promise<void> {
  requireOpen(arc)
  const shown = dependencies.events.shown(arc.id, turnId)
  const isWanted = shown && (await isAsking(dependencies, arc.id, shown.stepKey))
  if (!shown || !isWanted) throw new Problem(409, 'Nothing is being streamed in this turn.')
  const { stepKey, text } = shown
  await ask(dependencies, arc, 'stop', { stepKey, text })
}

/** Whether the arc still waits for the step. */
async function isAsking({ db }: Dependencies, arcId: string, key: string): Promise<boolean> {
  const row = await db
    .selectFrom('entities')
    .select('id')
    .where('id', '=', arcId)
    .where(sql<boolean>`state -> 'asking' @> ${JSON.stringify([{ key }])}::jsonb`)
    .executeTakeFirst()
  return row !== undefined
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
  if (last?.messageId !== messageId) {
    throw new Problem(409, 'Only the last lesson or answer of the tutor is written again.')
  }
  await ask(dependencies, arc, 'regenerate', { ...last })
}

async function ask(
  dependencies: Dependencies,
  arc: ArcRow,
  type: string,
  payload: Record<string, unknown>,
): Promise<void> {
  const urgent = URGENT.includes(type)
  const id = `${type}/${randomUUID()}`
  await storeInput(dependencies.db, { entityId: arc.id, id, type, payload, urgent })
  await wakeArc(dependencies, arc)
}
