import { randomUUID } from 'node:crypto'
import type { SendMessage, Turn } from '../../contracts/arc.ts'
import { SIGNAL, type UserMessageSignal } from '../../contracts/temporal.ts'
import { isUuid } from '../../contracts/text.ts'
import { arcToWake } from '../../store/arc/arcs.ts'
import { readTurn, type StoredMessage, storeMessage } from '../../store/arc/messages.ts'
import { mayAll, requireOwn } from '../access.ts'
import type { Actor, Dependencies } from '../context.ts'
import { notFound, Problem } from '../problem.ts'
import { sendAndWait } from '../send-and-wait.ts'
import { wakeEntity } from '../wake.ts'
import { requireOpen } from './arcs.ts'

/**
 * Sends a learner's message and waits for its turn, at most `seconds`; the turn is null if it is not done by then. A
 * message that is sent twice has one effect, and the same answer.
 * @param channel where the learner said it
 * @throws {Problem} 404, 409, or 422 for a concept that the map has not
 */
export async function sendMessage(
  dependencies: Dependencies,
  actor: Actor,
  arcId: string,
  message: SendMessage,
  seconds: number,
  channel: 'web' | 'telegram' = 'web',
): Promise<{ messageId: string; turn: Turn | null }> {
  if (!isUuid(arcId)) throw notFound('arc')
  const { db, temporal } = dependencies
  const messageId = message.messageId ?? randomUUID()
  let row: StoredMessage['row'] = null
  const turn = await sendAndWait<Turn>(
    {
      ...dependencies,
      wake: (entity) =>
        wakeEntity(temporal, entity, { name: SIGNAL.userMessage, args: [signalOf(row)] }),
    },
    {
      entityId: arcId,
      inputId: messageId,
      async store() {
        const stored = await storeMessage(db, {
          arcId,
          ...(mayAll(actor) ? {} : { learnerId: actor.learner.id }),
          id: messageId,
          text: message.text ?? '',
          action: message.action ?? null,
          questionId: message.questionId ?? null,
          nodeId: message.nodeId ?? null,
          channel,
        })
        row = stored.row
        const arc = requireOwn(actor, stored.arc, 'arc')
        // What is stored was stored while the arc was open, though its turn may have closed it by now.
        if (!stored.isNew) requireOpen(arc)
        if (!row && message.nodeId) {
          const detail = 'the map of this topic has no such concept'
          throw new Problem(422, 'The map of this topic has no such concept.', {
            errors: [{ pointer: '/nodeId', detail }],
          })
        }
        if (row?.role !== 'learner') {
          throw new Problem(409, 'This message id is taken by another message of the arc.')
        }
        return arcToWake(arc)
      },
      async read() {
        const found = await readTurn(db, arcId, messageId)
        if (!found?.done) return null
        const { done: _, ...rest } = found
        return { messageId, ...rest }
      },
      waitMs: seconds * 1_000,
    },
  )
  return { messageId, turn }
}

/** What the signal says of a message, for whoever reads the history; its text is in the store. */
function signalOf(row: StoredMessage['row']): UserMessageSignal {
  return {
    messageId: row?.id ?? '',
    ...(row?.question_id ? { questionId: row.question_id } : {}),
    channel: row?.channel ?? 'web',
    sentAt: row?.created_at.toISOString() ?? '',
  }
}
