import { randomUUID } from 'node:crypto'
import type { TurnRequest } from '../../contracts/practice.ts'
import {
  createPractice,
  findPractice,
  type NewPractice,
  type OwnedSession,
} from '../../store/practice/sessions.ts'
import { mayAll } from '../access.ts'
import type { Actor, Dependencies } from '../context.ts'
import { notFound, Problem } from '../problem.ts'

/** Whose sessions they are: an integration's, or Meno's own. */
const integrationOf = (caller: Actor): string | null => caller.integrationId ?? null

/**
 * A session by the caller's id for it.
 * @throws {Problem} 404 where the caller has no such session
 */
export async function requireSession(
  { db }: Dependencies,
  caller: Actor,
  sessionId: string,
): Promise<OwnedSession> {
  const session = await findPractice(db, integrationOf(caller), sessionId)
  if (!session || isOthers(session, caller)) throw notFound('session')
  return session
}

/** Whether it is in an arc of another learner. */
const isOthers = ({ arc_id, learner_id }: OwnedSession, caller: Actor): boolean =>
  arc_id !== null && !mayAll(caller) && learner_id !== caller.learner.id

/**
 * The session that a message is for. A session of an arc is its learner's, whatever student is named; an old caller, who
 * sends its problem along, gets one made for it.
 * @throws {Problem} 404, 422 where a new session has no student
 */
export async function sessionOfMessage(
  dependencies: Dependencies,
  caller: Actor,
  { session_id, student_id, current_problem }: TurnRequest,
): Promise<OwnedSession> {
  const session = await findPractice(dependencies.db, integrationOf(caller), session_id)
  if (session) {
    const { arc_id, student_id: own } = session
    const isOfOther = arc_id === null && student_id !== undefined && student_id !== own
    if (isOfOther || isOthers(session, caller)) throw notFound('session of this student')
    return session
  }
  if (!current_problem) throw notFound('session')
  if (student_id === undefined) {
    const errors = [{ pointer: '/student_id', detail: 'a new session needs a student' }]
    throw new Problem(422, 'student_id: a new session needs a student', { errors })
  }
  await createSession(dependencies, caller, {
    externalSessionId: session_id,
    studentId: student_id,
    questionSetId: 'implicit',
    problems: [current_problem],
    implicit: true,
  })
  return requireSession(dependencies, caller, session_id)
}

/** Creates a session of the caller's; null where it has one of that id already. */
export async function createSession(
  { db, config }: Dependencies,
  caller: Actor,
  session: Omit<NewPractice, 'sessionId' | 'integrationId' | 'tutor'>,
) {
  return createPractice(db, {
    ...session,
    sessionId: randomUUID(),
    integrationId: integrationOf(caller),
    tutor: config.model ? 'anthropic' : 'offline',
  })
}
