import { createHash, randomUUID } from 'node:crypto'
import {
  type Client,
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client'
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { TAKE_REQUEST_UPDATE, type TakeRequest } from '../contracts/course-workflow.ts'
import { SEARCH_ATTRIBUTE, TASK_QUEUE, WORKFLOW, workflowId } from '../contracts/temporal.ts'
import {
  beginRequest,
  type NewRequest,
  type RequestKind,
  type RequestPayloads,
  type RequestResult,
  readResult,
  withdrawRequest,
} from '../store/course-requests.ts'
import { storable } from '../store/course-storable.ts'
import { type CourseThread, findThread } from '../store/course/threads.ts'
import { isUuid, requireOwn } from './access.ts'
import type { Actor, Dependencies } from './environment.ts'
import { notFound, Problem } from './problem.ts'

/** How long a worker may take to take a request up, and then to answer it. */
const TAKEN_WITHIN_MS = 8_000
const ANSWERED_WITHIN_MS = 60_000
const RETRY_AFTER_SECONDS = 5

const learnerKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTE.learnerId.name,
  SearchAttributeType.KEYWORD,
)
const courseKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTE.courseId.name,
  SearchAttributeType.KEYWORD,
)

/** The thread, if it is the actor's own; teachers and admins may read every one. */
export async function requireThread(
  { db }: Dependencies,
  actor: Actor,
  threadId: string,
  access: 'read' | 'write',
): Promise<CourseThread> {
  const thread = isUuid(threadId) ? await findThread(db, threadId) : null
  const isOwn = thread?.learner_id === actor.learner.id
  if (access === 'write' && !isOwn) throw notFound('thread')
  return requireOwn(actor, thread, 'thread')
}

/** A course named beside a thread has to be the thread's. */
export function requireCourse(
  { courses }: Dependencies,
  thread: CourseThread,
  courseId: string | undefined,
): void {
  if (courseId !== undefined && courseId !== thread.course_id) {
    const detail = `/courseId: the thread belongs to the course ${thread.course_id}`
    throw new Problem(422, detail, {
      errors: [{ pointer: '/courseId', detail: 'not the course of the thread' }],
    })
  }
  const isInstalled = courses.some((course) => course.courseId === thread.course_id)
  if (!isInstalled) throw new Problem(409, 'The course of this thread is not installed any more.')
}

/**
 * Has a request carried out by the workflow of the student's course, which is started if it does not run, and waits for
 * the answer. The same idempotency key is the same request, also after a failure.
 * @throws {Problem} what the request was refused with; 503 when no worker takes it up in time, and then it has no effect
 */
export async function carryOut<K extends RequestKind>(
  dependencies: Dependencies,
  thread: CourseThread,
  asked: { kind: K; payload: RequestPayloads[K]; idempotencyKey: string | undefined },
): Promise<Record<string, unknown>> {
  const { db } = dependencies
  const request: NewRequest<K> = {
    id: requestId(thread, asked.kind, asked.idempotencyKey),
    threadId: thread.id,
    learnerId: thread.learner_id,
    courseId: thread.course_id,
    kind: asked.kind,
    payload: storable(asked.payload),
  }
  const earlier = await beginRequest(db, request)
  if (earlier) return bodyOf(earlier)
  const taken = untilAnswered(dependencies, thread, { requestId: request.id, kind: request.kind })
  await dependencies.hub.storedOrDone(request.id, taken)
  const early = await readResult(db, request.id)
  if (early) return bodyOf(early)
  const failure = await taken
  if (failure) await withdrawRequest(db, request.id)
  const result = await readResult(db, request.id)
  if (result) return bodyOf(result)
  await withdrawRequest(db, request.id)
  if (failure) dependencies.log.warn({ error: failure }, 'a course request was not carried out')
  throw unavailable()
}

function requestId(thread: CourseThread, kind: string, key: string | undefined): string {
  if (key === undefined) return randomUUID()
  const hash = createHash('sha256').update(`${thread.id} ${kind} ${key}`).digest('hex')
  return hash.replace(/^(.{8})(.{4})(.{3})(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

function bodyOf({ status, body }: RequestResult): Record<string, unknown> {
  if (status < 400) return body
  const { detail, ...extra } = body
  throw new Problem(status as 409, String(detail), extra)
}

function unavailable(): Problem {
  return new Problem(
    503,
    'The tutor cannot answer at the moment; nothing was counted. Please try again.',
    {},
    RETRY_AFTER_SECONDS,
  )
}

/** Null once the workflow says that the request is answered; else why it does not. */
async function untilAnswered(
  { temporal }: Dependencies,
  thread: CourseThread,
  request: TakeRequest,
): Promise<unknown> {
  const { connection } = temporal
  try {
    const update = await connection.withDeadline(Date.now() + TAKEN_WITHIN_MS, () =>
      startUpdate(temporal, thread, request),
    )
    await connection.withDeadline(Date.now() + ANSWERED_WITHIN_MS, () => update.result())
    return null
  } catch (error) {
    if (isExpected(error)) return error
    throw error
  }
}

/** Most often the workflow runs; it is started where it does not. */
async function startUpdate({ workflow }: Client, thread: CourseThread, request: TakeRequest) {
  const update = { args: [request] as [TakeRequest], waitForStage: 'ACCEPTED' as const }
  try {
    const handle = workflow.getHandle(workflowId.course(thread.course_id, thread.learner_id))
    return await handle.startUpdate(TAKE_REQUEST_UPDATE, update)
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
    return workflow.startUpdateWithStart(TAKE_REQUEST_UPDATE, {
      ...update,
      startWorkflowOperation: startOf(thread),
    })
  }
}

function startOf({ course_id: courseId, learner_id: learnerId }: CourseThread) {
  return new WithStartWorkflowOperation(WORKFLOW.courseTutor, {
    workflowId: workflowId.course(courseId, learnerId),
    taskQueue: TASK_QUEUE,
    args: [{ courseId, learnerId }],
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    staticSummary: `Course ${courseId}`,
    typedSearchAttributes: [
      { key: learnerKey, value: learnerId },
      { key: courseKey, value: courseId },
    ],
  })
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
    error instanceof WorkflowUpdateFailedError ||
    isGrpcServiceError(error) ||
    isGrpcServiceError((error as { cause?: unknown }).cause)
  )
}
