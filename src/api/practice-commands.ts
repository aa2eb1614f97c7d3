import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import { mayAll } from '../commands/access.ts'
import type { Actor, Dependencies } from '../commands/context.ts'
import { notFound, Problem } from '../commands/problem.ts'
import type { PracticeDebug, TurnRequest, TurnResponse } from '../contracts/practice.ts'
import {
  PRACTICE_MESSAGE,
  type TurnOutcome,
  type TurnUpdate,
} from '../contracts/practice-messages.ts'
import { WORKFLOW, workflowId } from '../contracts/temporal.ts'
import { practiceStart } from '../contracts/workflow-start.ts'
import { findArc } from '../store/arcs.ts'
import {
  dropUnanswered,
  type ReceivedMessage,
  readPracticeMessage,
  receiveMessage,
} from '../store/practice-messages.ts'
import {
  createPractice,
  findPractice,
  readPractice,
  type SessionRow,
} from '../store/practice-sessions.ts'

/** A turn takes less than this; who waits longer is told to come again. */
const WAIT_MS = 9_500
const RETRY_AFTER_SECONDS = 2

/** Whose sessions they are: an integration's, or Meno's own. */
const integrationOf = (caller: Actor): string | null => caller.integrationId ?? null

/** The learner in whose arcs the caller may practise; null for those who may look at everybody's. */
const learnerOf = (caller: Actor): string | null => (mayAll(caller) ? null : caller.learner.id)

/**
 * A session by the caller's id for it.
 * @throws {Problem} 404 where the caller has no such session
 */
export async function requireSession(
  { db }: Dependencies,
  caller: Actor,
  sessionId: string,
): Promise<SessionRow> {
  const row = await findPractice(db, integrationOf(caller), sessionId)
  if (!row) throw notFound('session')
  const learnerId = learnerOf(caller)
  const arc = row.arc_id !== null && learnerId !== null && (await findArc(db, row.arc_id))
  if (arc && arc.learner_id !== learnerId) throw notFound('session')
  return row
}

/** Starts the workflow of a stored session; one that runs already is left as it is. */
export async function startPractice({ temporal }: Dependencies, sessionId: string): Promise<void> {
  await temporal.workflow.start(WORKFLOW.practiceSession, practiceStart(sessionId))
}

/** Sends the report of a completed session once more, at once where its workflow is still trying. */
export async function deliverAgain(
  { temporal }: Dependencies,
  sessionId: string,
  since: number,
): Promise<void> {
  await temporal.workflow.signalWithStart(WORKFLOW.practiceSession, {
    ...practiceStart(sessionId),
    signal: PRACTICE_MESSAGE.deliverAgain,
    signalArgs: [{ since }],
  })
}

export interface Answered {
  response: TurnResponse
  debug: PracticeDebug | null
}

/**
 * Takes a turn: the message is a row first, then the session's workflow answers it. The same message id is answered
 * the same, however often it comes.
 * @throws {Problem} 404, 409 where the session is completed, 503 where nobody answers in time
 */
export async function takeTurn(
  dependencies: Dependencies,
  caller: Actor,
  request: TurnRequest,
): Promise<Answered> {
  const { db, hub } = dependencies
  const messageId = request.message_id ?? randomUUID()
  const { sessionId, message } = await receive(dependencies, caller, request, messageId)
  if (!message) throw isCompleted()
  const { id, response, debug } = message
  if (response) return { response, debug }
  const outcome = ask<TurnOutcome>(dependencies, sessionId, messageId, {
    name: PRACTICE_MESSAGE.turn,
    updateId: id,
    argument: { messageId: id },
  })
  await hub.storedOrDone(id, outcome)
  const early = await answerOf(db, id)
  if (early) return early
  const isClosed = (await outcome) === 'closed'
  const answered = await answerOf(db, id)
  if (answered) return answered
  if (isClosed) await dropUnanswered(db, id)
  throw isCompleted()
}

async function answerOf(db: Dependencies['db'], id: string): Promise<Answered | null> {
  const row = await readPracticeMessage(db, id)
  return row?.response ? { response: row.response, debug: row.debug } : null
}

const isCompleted = () => new Problem(409, 'The session is completed; it takes no more messages.')

/** Stores a message in its session; an old caller, who sends its problem along, gets one made for it. */
async function receive(
  dependencies: Dependencies,
  caller: Actor,
  request: TurnRequest,
  messageId: string,
): Promise<ReceivedMessage> {
  const { db, config } = dependencies
  const { session_id, student_id, current_problem } = request
  const received = await receiveMessage(db, {
    integrationId: integrationOf(caller),
    externalSessionId: session_id,
    messageId,
    studentId: student_id ?? null,
    learnerId: learnerOf(caller),
    text: request.message,
    problem: current_problem ?? null,
  })
  if (received) {
    if (received.isOthers) throw notFound('session of this student')
    return received
  }
  if (!current_problem) throw notFound('session')
  if (student_id === undefined) {
    const errors = [{ pointer: '/student_id', detail: 'a new session needs a student' }]
    throw new Problem(422, 'student_id: a new session needs a student', { errors })
  }
  await createPractice(db, {
    integrationId: integrationOf(caller),
    externalSessionId: session_id,
    studentId: student_id,
    questionSetId: 'implicit',
    problems: [current_problem],
    implicit: true,
    tutor: config.model ? 'anthropic' : 'offline',
  })
  return receive(dependencies, caller, request, messageId)
}

/** Ends a session that is still open; its report is in the store when this returns. */
export async function completeSession(
  dependencies: Dependencies,
  session: SessionRow,
): Promise<void> {
  if (session.status === 'completed') return
  await ask<void>(dependencies, session.session_id, null, {
    name: PRACTICE_MESSAGE.complete,
    updateId: 'complete',
    argument: {},
  })
}

interface Asked {
  name: string
  updateId: string
  argument: TurnUpdate | Record<string, never>
}

/** Asks the session's workflow, which is started where it is missing, until it answers or time is up. */
async function ask<T>(
  dependencies: Dependencies,
  sessionId: string,
  messageId: string | null,
  { name, updateId, argument }: Asked,
): Promise<T> {
  const { temporal, log } = dependencies
  const deadline = Date.now() + WAIT_MS
  const handle = temporal.workflow.getHandle(workflowId.practice(sessionId))
  for (;;) {
    try {
      return await temporal.connection.withDeadline(deadline, () =>
        handle.executeUpdate<T, [Asked['argument']]>(name, { updateId, args: [argument] }),
      )
    } catch (error) {
      const isMissing = error instanceof WorkflowNotFoundError
      if (isMissing) await revive(dependencies, sessionId, deadline)
      else log.debug({ error, sessionId }, 'the session’s workflow did not answer')
      if (Date.now() > deadline - 100) throw notNow(messageId)
      if (!isMissing) await sleep(100)
    }
  }
}

async function revive(dependencies: Dependencies, sessionId: string, deadline: number) {
  const row = await readPractice(dependencies.db, sessionId)
  if (!row) throw notFound('session')
  if (row.status === 'completed') throw isCompleted()
  await dependencies.temporal.connection
    .withDeadline(deadline, () => startPractice(dependencies, sessionId))
    .catch((error) =>
      dependencies.log.debug({ error, sessionId }, 'the session is not started yet'),
    )
}

function notNow(messageId: string | null): Problem {
  const extra = messageId === null ? {} : { message_id: messageId }
  return new Problem(
    503,
    'The tutor does not answer at the moment. Send the same message again, with the same message_id.',
    extra,
    RETRY_AFTER_SECONDS,
  )
}
