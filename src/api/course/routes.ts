import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { sendRequest } from '../../commands/course/send-request.ts'
import type { Course } from '../../contracts/course-pack.ts'
import {
  CreatedThread,
  CreateThread,
  DrillGradeRequest,
  DrillGradeResponse,
  McqSubmitRequest,
  McqSubmitResponse,
  SupportViewedRequest,
  SupportViewedResponse,
  ThreadList,
  ThreadMessages,
  ThreadView,
  TurnDebug,
  TurnRequest,
  TurnResponse,
} from '../../contracts/course-tutor.ts'
import type { RequestPayloads, RequestType } from '../../domain/course/request.ts'
import { readLastTurn } from '../../store/course/records.ts'
import {
  type CourseThread,
  createThread,
  findThread,
  listThreadMessages,
  listThreads,
  threadOf,
} from '../../store/course/threads.ts'
import { storable } from '../../store/storable.ts'
import { isUuid, mayAll, requireOwn } from '../access.ts'
import type { Actor, Api, Dependencies, Environment } from '../environment.ts'
import { notFound, Problem } from '../problem.ts'
import { body, json, onInvalid, problems } from '../route-parts.ts'
import { standingOf, withExamsOfNow } from './standing.ts'

const params = z.object({ threadId: z.string() })
const RETRY_AFTER_SECONDS = 5

const idempotent = z.object({ 'idempotency-key': z.string().optional() })

/** `/api/tutor`: threads of the course tutor, turns, drills and exams. Seed 004. */
export function courseTutorRoutes(dependencies: Dependencies): Api {
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  threadRoutes(api, dependencies)
  turnRoutes(api, dependencies)
  examRoutes(api, dependencies)
  return api
}

function threadRoutes(api: Api, dependencies: Dependencies): void {
  const { db, courses } = dependencies
  api.openapi(
    createRoute({
      method: 'post',
      path: '/threads',
      summary: 'Open a thread in a course',
      request: { body: body(CreateThread), headers: idempotent },
      responses: { 201: json(CreatedThread, 'The thread'), ...problems(404, 422) },
    }),
    async (c) => {
      const { courseId, title } = storable(c.req.valid('json'))
      if (!courses.some((course) => course.courseId === courseId)) throw notFound('course')
      const learnerId = c.var.actor.learner.id
      const threadId = await createThread(db, { learnerId, courseId, title: title ?? null })
      return c.json({ threadId }, 201)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/threads',
      summary: 'One’s own threads, newest first',
      responses: { 200: json(ThreadList, 'Threads') },
    }),
    async (c) => c.json({ items: await listThreads(db, c.var.actor.learner.id) }, 200),
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/threads/{threadId}',
      summary: 'A thread, and where its student stands in the course',
      request: { params },
      responses: { 200: json(ThreadView, 'The thread'), ...problems(404) },
    }),
    async (c) => {
      const { threadId } = c.req.valid('param')
      const thread = await requireThread(dependencies, c.var.actor, threadId)
      const snapshotLite = await standingOf(dependencies, thread)
      return c.json({ ...threadOf(thread), snapshotLite }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/threads/{threadId}/messages',
      summary: 'The messages of a thread, oldest first',
      request: {
        params,
        query: z.object({
          after: z.string().optional(),
          limit: z.coerce.number().int().min(1).max(500).default(200),
        }),
      },
      responses: { 200: json(ThreadMessages, 'Messages'), ...problems(404, 422) },
    }),
    async (c) => {
      const { threadId } = c.req.valid('param')
      const thread = await requireThread(dependencies, c.var.actor, threadId)
      const stored = await listThreadMessages(db, thread.id, c.req.valid('query'))
      return c.json({ items: await withExamsOfNow(dependencies, thread, stored) }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/threads/{threadId}/debug',
      summary: 'How the last turn came about; for teachers and admins',
      request: { params },
      responses: { 200: json(TurnDebug, 'The last turn'), ...problems(403, 404) },
    }),
    async (c) => {
      const { actor } = c.var
      if (!mayAll(actor)) {
        throw new Problem(403, 'Only teachers and admins may look into a turn.')
      }
      const { threadId } = c.req.valid('param')
      const thread = await requireThread(dependencies, actor, threadId)
      const turn = await readLastTurn(db, thread.id)
      if (!turn) throw notFound('turn')
      return c.json(turn as z.infer<typeof TurnDebug>, 200)
    },
  )
}

function turnRoutes(api: Api, dependencies: Dependencies): void {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/threads/{threadId}/turn',
      summary: 'The student says or presses something; the tutor answers',
      request: { params, headers: idempotent, body: body(TurnRequest) },
      responses: { 200: json(TurnResponse, 'The turn'), ...problems(404, 409, 422, 503) },
    }),
    async (c) => {
      const turn = c.req.valid('json')
      const answer = await carryOut(dependencies, c, turn.courseId, {
        type: 'turn',
        payload: {
          text: turn.messageText || null,
          latex: turn.messageLatex || null,
          voice: turn.voiceTranscript || null,
          clientEvent: turn.clientEvent,
        },
      })
      return c.json(answer as z.infer<typeof TurnResponse>, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'post',
      path: '/threads/{threadId}/drill/grade',
      summary: 'Grade the answer to a drill',
      request: { params, headers: idempotent, body: body(DrillGradeRequest) },
      responses: { 200: json(DrillGradeResponse, 'The grade'), ...problems(404, 409, 422, 503) },
    }),
    async (c) => {
      const { courseId, unitId, drill, studentAnswer } = c.req.valid('json')
      const answer = await carryOut(dependencies, c, courseId, {
        type: 'drill_grade',
        payload: { unitId, ...drill, studentAnswer },
      })
      return c.json(answer as z.infer<typeof DrillGradeResponse>, 200)
    },
  )
}

function examRoutes(api: Api, dependencies: Dependencies): void {
  api.openapi(
    createRoute({
      method: 'post',
      path: '/threads/{threadId}/exam/mcq-submit',
      summary: 'Answer an exam question',
      request: { params, headers: idempotent, body: body(McqSubmitRequest) },
      responses: { 200: json(McqSubmitResponse, 'The verdict'), ...problems(404, 409, 422, 503) },
    }),
    async (c) => {
      const { courseId, questionId, selectedOptionId } = c.req.valid('json')
      const answer = await carryOut(dependencies, c, courseId, {
        type: 'exam_answer',
        payload: { questionId, selectedOptionId },
      })
      return c.json(answer as z.infer<typeof McqSubmitResponse>, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'post',
      path: '/threads/{threadId}/exam/support-viewed',
      summary: 'Look at the memo or the video of an exam question',
      request: { params, headers: idempotent, body: body(SupportViewedRequest) },
      responses: {
        200: json(SupportViewedResponse, 'The support'),
        ...problems(404, 409, 422, 503),
      },
    }),
    async (c) => {
      const { courseId, questionId, supportType } = c.req.valid('json')
      const answer = await carryOut(dependencies, c, courseId, {
        type: 'support_view',
        payload: { questionId, supportType },
      })
      return c.json(answer as z.infer<typeof SupportViewedResponse>, 200)
    },
  )
}

/** The thread, if it is the actor's own; teachers and admins may read every one. */
async function requireThread(
  { db }: Dependencies,
  actor: Actor,
  threadId: string,
): Promise<CourseThread> {
  const thread = isUuid(threadId) ? await findThread(db, threadId) : null
  return requireOwn(actor, thread, 'thread')
}

/** The course of a thread; one that is named beside the thread has to be the same. */
function requireCourse({ courses }: Dependencies, thread: CourseThread, named?: string): Course {
  if (named !== undefined && named !== thread.course_id) {
    const detail = `/courseId: the thread belongs to the course ${thread.course_id}`
    const errors = [{ pointer: '/courseId', detail: 'not the course of the thread' }]
    throw new Problem(422, detail, { errors })
  }
  const course = courses.find(({ courseId }) => courseId === thread.course_id)
  if (!course) throw new Problem(409, 'The course of this thread is not installed any more.')
  return course
}

/**
 * Has a request of a student carried out, in a thread of their own, and waits for what comes of it.
 * @throws {Problem} what it was refused with; 503 when no worker takes it up in time, and then it has no effect
 */
async function carryOut(
  dependencies: Dependencies,
  c: Context<Environment>,
  courseId: string | undefined,
  asked: { [T in RequestType]: { type: T; payload: RequestPayloads[T] } }[RequestType],
): Promise<Record<string, unknown>> {
  const { actor } = c.var
  const thread = await requireThread(dependencies, actor, c.req.param('threadId') ?? '')
  if (thread.learner_id !== actor.learner.id) throw notFound('thread')
  const course = requireCourse(dependencies, thread, courseId)
  const { db, events: hub, wake, log } = dependencies
  const key = c.req.header('Idempotency-Key')
  const sent = await sendRequest({ db, hub, wake, log }, thread, course, { ...asked, key })
  if (sent.status < 400) return sent.body
  const { detail, ...extra } = sent.body
  const retryAfter = sent.status === 503 ? RETRY_AFTER_SECONDS : null
  throw new Problem(sent.status as ContentfulStatusCode, String(detail), extra, retryAfter)
}
