import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { mayAll } from '../../commands/access.ts'
import type { Dependencies } from '../../commands/context.ts'
import { sendRequest } from '../../commands/course/send-request.ts'
import { requireThread } from '../../commands/course/threads.ts'
import { notFound, Problem } from '../../commands/problem.ts'
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
import { text } from '../../contracts/text.ts'
import { readLastTurn } from '../../store/course/records.ts'
import {
  createThread,
  listThreadMessages,
  listThreads,
  threadOf,
} from '../../store/course/threads.ts'
import type { Api, Environment } from '../http/environment.ts'
import { body, json, onInvalid, problems } from '../http/route-parts.ts'
import { standingOf, withExamsOfNow } from './standing.ts'

const params = z.object({ threadId: z.string() })
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
      const { courseId, title } = c.req.valid('json')
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
          after: text.optional(),
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
      const answer = await sendRequest(dependencies, c.var.actor, {
        ...askedBy(c),
        courseId: turn.courseId,
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
      const answer = await sendRequest(dependencies, c.var.actor, {
        ...askedBy(c),
        courseId,
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
      const answer = await sendRequest(dependencies, c.var.actor, {
        ...askedBy(c),
        courseId,
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
      const answer = await sendRequest(dependencies, c.var.actor, {
        ...askedBy(c),
        courseId,
        type: 'support_view',
        payload: { questionId, supportType },
      })
      return c.json(answer as z.infer<typeof SupportViewedResponse>, 200)
    },
  )
}

/** Who asks for what, where, by the address and the headers. */
const askedBy = (c: Context<Environment>) => ({
  threadId: c.req.param('threadId') ?? '',
  key: c.req.header('Idempotency-Key'),
})
