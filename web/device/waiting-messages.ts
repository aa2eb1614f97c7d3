import { isPassing, isProblem } from '../../src/client/problem.ts'
import type { SendMessage } from '../../src/contracts/arc.ts'
import { deviceDatabase } from './database.ts'
import type { WaitingMessage } from './outgoing.ts'

/** Takes one message to the server; throws `Problem`. */
export type Send = (arcId: string, message: SendMessage & { messageId: string }) => Promise<unknown>

/** What the windows of this device tell each other about their common outbox. */
export type OutboxNews = { sent: string } | { dropped: string } | { changed: true }

export const OUTBOX_CHANNEL = 'meno-outbox'
/** The name under which the browser lets the service worker send when the network is back. */
export const SYNC_TAG = 'meno-outbox'

const LOCK = 'meno-outbox'

/** Keeps a message until it is sent; with it goes the draft that it was. */
export async function keepMessage(message: WaitingMessage, draft?: string): Promise<void> {
  const database = await deviceDatabase()
  const transaction = database.transaction(['outbox', 'drafts'], 'readwrite')
  const changes: Promise<unknown>[] = [transaction.objectStore('outbox').add(message)]
  if (draft !== undefined) changes.push(transaction.objectStore('drafts').delete(draft))
  // At once, not when the browser next has time: the window may be closing.
  transaction.commit()
  await Promise.all([...changes, transaction.done])
}

/** What waits on this device, in the order it was typed. */
export async function waitingMessages(): Promise<WaitingMessage[]> {
  return (await deviceDatabase()).getAll('outbox')
}

/** Forgets a message: it was sent, or is not to be. */
export const dropMessage = (messageId: string): Promise<void> => change(messageId, () => null)

/** Notes why a message was refused, or with `undefined` that it is to be tried again. */
export const noteRefusal = (messageId: string, refusal: string | undefined): Promise<void> =>
  change(messageId, ({ refusal: _, ...message }) =>
    refusal === undefined ? message : { ...message, refusal },
  )

async function change(
  messageId: string,
  to: (message: WaitingMessage) => WaitingMessage | null,
): Promise<void> {
  const transaction = (await deviceDatabase()).transaction('outbox', 'readwrite')
  const cursor = await transaction.store.index('messageId').openCursor(messageId)
  const next = cursor && to(cursor.value)
  if (cursor) await (next ? cursor.update(next) : cursor.delete())
  await transaction.done
}

/** What became of trying to send a message. */
export type Outcome = 'sent' | { refusal: string } | { trouble: string }

/** Takes one message to the server, under the id it was typed with: however often, it counts once. */
export async function sendOne(send: Send, message: WaitingMessage): Promise<Outcome> {
  const { arcId, typedAt: _, refusal: __, ...said } = message
  try {
    await send(arcId, said)
    return 'sent'
  } catch (error) {
    if (!isProblem(error)) throw error
    return isPassing(error) ? { trouble: error.message } : { refusal: error.message }
  }
}

/**
 * Sends what waits on this device, one after the other, and tells what became of each. Returns false once one could not
 * be sent for now: the others have to wait behind it. No two windows send at once.
 */
export function sendWaiting(
  send: Send,
  onOutcome: (message: WaitingMessage, outcome: Outcome) => void,
): Promise<boolean> {
  return navigator.locks.request(LOCK, async () => {
    for (const message of await waitingMessages()) {
      if (message.refusal !== undefined) continue
      const outcome = await sendOne(send, message)
      if (outcome === 'sent') await dropMessage(message.messageId)
      else if ('refusal' in outcome) await noteRefusal(message.messageId, outcome.refusal)
      onOutcome(message, outcome)
      if (outcome !== 'sent' && 'trouble' in outcome) return false
    }
    return true
  })
}
