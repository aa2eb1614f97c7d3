import { randomUUID } from 'node:crypto'
import type { TurnRequest } from '../../contracts/practice.ts'
import {
  dropMessage,
  type MessageOutcome,
  readOutcome,
  storeMessage,
} from '../../store/practice/messages.ts'
import { entityOf, type OwnedSession } from '../../store/practice/sessions.ts'
import { readInput, storeInput, withdrawInput } from '../../store/spine/inbox.ts'
import type { Actor, Dependencies } from '../context.ts'
import { Problem } from '../problem.ts'
import { sendAndWait } from '../send-and-wait.ts'
import { sessionOfMessage } from './sessions.ts'

/** A turn takes less than this; who waits longer is told to come again. */
const WAIT_MS = 9_500
const RETRY_AFTER_SECONDS = 2

type Answered = Extract<MessageOutcome, { type: 'answered' }>

/**
 * Sends a student's message and waits for its turn. The same message is answered the same, however often it is sent.
 * @param givenId the sender's id for it; without one the sender cannot send it again, and it is withdrawn where nobody
 * takes it up in time
 * @throws {Problem} 404, 409 where the session is completed, 422, 500 for a fault of ours, 503 where nobody answers in time
 */
export async function takeTurn(
  dependencies: Dependencies,
  caller: Actor,
  request: TurnRequest,
  givenId: string | null,
): Promise<Answered> {
  const { db } = dependencies
  const session = await sessionOfMessage(dependencies, caller, request)
  const { session_id: entityId } = session
  const inputId = givenId ?? randomUUID()
  const read = () => readOutcome(db, entityId, inputId)
  const isOpen = session.status !== 'completed'
  if (!isOpen && !(await readInput(db, entityId, inputId))) throw isCompleted()
  const { message: text, current_problem: problem = null } = request
  const store = async () => {
    const isNew =
      isOpen && (await storeMessage(db, entityId, { messageId: inputId, text, problem }))
    return isNew || !(await read()) ? entityOf(session) : null
  }
  const sending = { entityId, inputId, store, read, waitMs: WAIT_MS }
  const outcome = await sendAndWait(dependencies, sending)
  const told = { message_id: inputId }
  switch (outcome?.type) {
    case 'answered':
      return outcome
    case 'closed':
      await dropMessage(db, entityId, inputId)
      throw isCompleted()
    case 'failed':
      throw new Problem(500, 'A fault of Meno’s own: this message could not be taken up.', told)
    case undefined:
      if (givenId === null) await withdrawInput(db, entityId, inputId)
      throw notNow('Send the same message again, with the same message_id.', told)
  }
}

const isCompleted = () => new Problem(409, 'The session is completed; it takes no more messages.')

const notNow = (advice: string, told = {}) =>
  new Problem(503, `The tutor does not answer at the moment. ${advice}`, told, RETRY_AFTER_SECONDS)

/**
 * Ends a session that is still open; its report is in the store when this returns.
 * @throws {Problem} 503 where nobody takes it up in time; it is still open then
 */
export async function completeSession(
  dependencies: Dependencies,
  session: OwnedSession,
): Promise<void> {
  if (session.status === 'completed') return
  const { db } = dependencies
  const { session_id: entityId } = session
  const inputId = randomUUID()
  const isDone = await sendAndWait(dependencies, {
    entityId,
    inputId,
    async store() {
      await storeInput(db, { entityId, id: inputId, type: 'complete', payload: {} })
      return entityOf(session)
    },
    read: async () => (await readInput(db, entityId, inputId))?.answered || null,
    waitMs: WAIT_MS,
  })
  if (isDone) return
  await withdrawInput(db, entityId, inputId)
  throw notNow('Ask for it again.')
}

/** Has the report of a completed session sent once more, at once where it is still being tried. */
export async function deliverAgain(
  { db, wake, log }: Dependencies,
  session: OwnedSession,
): Promise<void> {
  const { session_id: entityId } = session
  await storeInput(db, { entityId, id: randomUUID(), type: 'deliver-again', payload: {} })
  await wake(entityOf(session)).catch((error) =>
    log.warn({ err: error }, 'a report is to be sent; its workflow will be woken later'),
  )
}
