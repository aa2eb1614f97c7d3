import { createHash, randomUUID } from 'node:crypto'
import type { Course } from '../../contracts/course-pack.ts'
import { findExam } from '../../domain/course/course.ts'
import type { CourseRequest, RequestPayloads, RequestType } from '../../domain/course/request.ts'
import { courseWords } from '../../domain/course/words.ts'
import { type Storing, storeRequest, withdrawRequest } from '../../store/course/requests.ts'
import { beginCourse, courseEntity, type Enrolment } from '../../store/course/snapshots.ts'
import { readInput } from '../../store/spine/inbox.ts'
import type { Actor, Dependencies } from '../context.ts'
import { notFound, Problem, type ProblemStatus, wrongField } from '../problem.ts'
import { sendAndWait } from '../send-and-wait.ts'
import { requireCourse, requireThread } from './threads.ts'

/** How long a worker may take to take a request up, and to answer it. */
const TAKEN_WITHIN_MS = 8_000
const ANSWERED_WITHIN_MS = 60_000
const RETRY_AFTER_SECONDS = 5

/** A request on its way; `key` names it for good where the caller has a name for it. */
export type Asked<Type extends RequestType = RequestType> = {
  threadId: string
  /** Named beside the thread, it has to be the thread's. */
  courseId: string | undefined
  key: string | undefined
} & { [T in Type]: { type: T; payload: RequestPayloads[T] } }[Type]

/** The answer of a request: an HTTP status and what goes with it, a problem's `detail` from 400 on. */
interface RequestAnswer {
  status: number
  body: Record<string, unknown>
}

const problem = (status: number, detail: string): RequestAnswer => ({ status, body: { detail } })
const NOBODY_THERE = problem(503, courseWords('en').unavailable)
const NOT_YET = problem(503, 'The tutor has not answered yet. Please try again.')
const FAULT = problem(500, 'A fault of Meno’s own kept this from being done; nothing was counted.')
const OTHER_REQUEST = problem(422, 'This Idempotency-Key was used for another request.')

/**
 * Has a request of a student carried out by the tutor of the course, in a thread of their own, and waits for its answer.
 * The same key is the same request, also after a failure.
 * @throws {Problem} what it was refused with; 503 when nobody takes it up in time, and then it is taken back
 */
export async function sendRequest(
  dependencies: Dependencies,
  actor: Actor,
  { threadId, courseId, key, ...asked }: Asked,
): Promise<Record<string, unknown>> {
  const { db } = dependencies
  const { type, payload } = asked
  const thread = await requireThread(dependencies, actor, threadId)
  if (thread.learner_id !== actor.learner.id) throw notFound('thread')
  const course = requireCourse(dependencies, thread, courseId)
  if (asked.type === 'turn') requireKnown(course, asked.payload.clientEvent)
  const { entryUnitId } = course
  const enrolment: Enrolment = { learnerId: thread.learner_id, courseId: thread.course_id }
  const begun = { id: randomUUID(), entryUnitId, now: Date.now() }
  const entityId = thread.entity_id ?? (await beginCourse(db, enrolment, begun))
  const id = requestId(threadId, type, key)
  const request = { id, threadId, type, payload } as CourseRequest
  let storing: Storing | null = null
  const store = async () => {
    if (storing !== null) return null
    storing = await storeRequest(db, entityId, request)
    return storing === 'stored' ? courseEntity(entityId, enrolment) : null
  }
  const read = async (): Promise<RequestAnswer | null> => {
    if (storing === 'other') return OTHER_REQUEST
    const outcome = await readInput(db, entityId, id)
    if (!outcome?.answered) return null
    return outcome.failed ? FAULT : (outcome.answer as unknown as RequestAnswer)
  }
  const sending = { entityId, inputId: id, store, read, waitMs: TAKEN_WITHIN_MS }
  const deadline = Date.now() + ANSWERED_WITHIN_MS
  while (Date.now() < deadline) {
    const answer = await sendAndWait(dependencies, sending)
    if (answer) return bodyOf(answer)
    if (await withdrawRequest(db, entityId, id)) return bodyOf(NOBODY_THERE)
  }
  return bodyOf(NOT_YET)
}

/** @throws {Problem} 422 for what a button names and the course does not have */
function requireKnown(course: Course, event: RequestPayloads['turn']['clientEvent']): void {
  if (event.type === 'NONE') return
  if (!course.units.some(({ unitId }) => unitId === event.unitId)) {
    throw wrongField('/clientEvent/unitId', 'the course has no such unit')
  }
  if (event.type !== 'EXAM_CONTINUE') return
  if (!findExam(course, event.questionId)) {
    throw wrongField('/clientEvent/questionId', 'the course has no such exam question')
  }
}

function bodyOf({ status, body }: RequestAnswer): Record<string, unknown> {
  if (status < 400) return body
  const { detail, ...rest } = body
  const extra = { ...rest, ...(status === 422 ? errorsOf(String(detail)) : {}) }
  const retryAfter = status === 503 ? RETRY_AFTER_SECONDS : null
  throw new Problem(status as ProblemStatus, String(detail), extra, retryAfter)
}

/** The field that a refusal begins with, as `/field: what is wrong`. */
function errorsOf(refusal: string) {
  const [, pointer, detail] = /^(\/\S+): (.+)$/s.exec(refusal) ?? []
  return pointer === undefined ? {} : { errors: [{ pointer, detail }] }
}

function requestId(threadId: string, type: RequestType, key: string | undefined): string {
  if (key === undefined) return randomUUID()
  const hash = createHash('sha256').update(`${threadId} ${type} ${key}`).digest('hex')
  return hash.replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
