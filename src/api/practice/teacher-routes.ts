import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { lmsSettings } from '../../channels/lms-webhook.ts'
import type { Dependencies } from '../../commands/context.ts'
import { deliverAgain } from '../../commands/practice/turns.ts'
import { notFound, Problem } from '../../commands/problem.ts'
import { PutClass, SessionStatus, TeacherAlert } from '../../contracts/practice.ts'
import {
  ClassGrid,
  DeskClass,
  DeskQuestionSet,
  DeskSession,
  Pupil,
  PupilPage,
  SessionDetail,
} from '../../contracts/teaching.ts'
import { isUuid, text } from '../../contracts/text.ts'
import { teacherReport } from '../../domain/practice/report.ts'
import { listQuestionSets } from '../../store/practice/question-sets.ts'
import { readReportedSession } from '../../store/practice/reports.ts'
import { readPractice } from '../../store/practice/sessions.ts'
import {
  acknowledgeAlert,
  deleteClass,
  putClass,
  readAlerts,
  readClasses,
} from '../../store/practice/teacher.ts'
import { TEACHERS } from '../../store/spine/events.ts'
import { readClassGrid } from '../../store/teaching/class-grid.ts'
import { readPupilPage } from '../../store/teaching/pupil-page.ts'
import { readPupils, somethingToTeach } from '../../store/teaching/pupils.ts'
import { readDeskSessions, readSessionDetail } from '../../store/teaching/sessions.ts'
import type { Environment } from '../http/environment.ts'
import { streamEvents } from '../http/event-stream.ts'
import { body, json, onInvalid, problems } from '../http/route-parts.ts'
import { onlyFor } from './caller.ts'
import { builtInSets, builtInTitles } from './question-sets.ts'

const params = z.object({ id: text.min(1).max(200) })
const limit = z.coerce.number().int().min(1).max(500).default(100)
const listOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) })

/** `/api/teacher`: sessions as they run, alerts, reports, classes. */
export function teacherRoutes(dependencies: Dependencies) {
  const { db, config, courses } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.use(onlyFor('teacher', 'admin'))
  // `session`, `alert` and `report`.
  api.get('/events', (c) => streamEvents(c, dependencies, TEACHERS))

  api.openapi(
    createRoute({
      method: 'get',
      path: '/sessions',
      summary: 'Practice sessions, the latest active first',
      request: {
        query: z.object({
          status: SessionStatus.optional(),
          studentId: text.max(200).optional(),
          classId: text.max(200).optional(),
          search: text.trim().max(200).optional(),
          limit,
        }),
      },
      responses: { 200: json(listOf(DeskSession), 'Sessions'), ...problems(403, 422) },
    }),
    async (c) => {
      const { status, studentId, classId, search, limit: most } = c.req.valid('query')
      const filter = {
        limit: most,
        ...(status ? { status } : {}),
        ...(studentId ? { studentId } : {}),
        ...(classId ? { classId } : {}),
        ...(search ? { search } : {}),
      }
      const titles = await builtInTitles(config.coursesFolder)
      return c.json({ items: await readDeskSessions(db, filter, titles) }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{id}',
      summary: 'A session with its problems and everything that was said in it',
      request: { params },
      responses: { 200: json(SessionDetail, 'The session'), ...problems(403, 404) },
    }),
    async (c) => {
      const { id } = c.req.valid('param')
      const titles = await builtInTitles(config.coursesFolder)
      const session = isUuid(id) ? await readSessionDetail(db, id, titles) : null
      if (!session) throw notFound('session')
      return c.json(session, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{id}/report',
      summary: 'The report of a session, so far or in the end',
      request: { params },
      responses: {
        200: json(z.record(z.string(), z.unknown()), 'The report of seed 002'),
        ...problems(403, 404),
      },
    }),
    async (c) => {
      const { id } = c.req.valid('param')
      const session = isUuid(id) ? await readReportedSession(db, id) : null
      if (!session) throw notFound('session')
      return c.json({ ...teacherReport(session) }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'post',
      path: '/reports/{id}/resend',
      summary: 'Send the report of a completed session to the LMS once more',
      request: { params },
      responses: {
        202: json(z.object({ sessionId: z.uuid(), delivery: z.literal('pending') }), 'Asked for'),
        ...problems(403, 404, 409),
      },
    }),
    async (c) => {
      const { id } = c.req.valid('param')
      const session = isUuid(id) ? await readPractice(db, id) : null
      if (!session) throw notFound('report')
      if (session.status !== 'completed') {
        throw new Problem(409, 'The session is not completed; there is no report to send yet.')
      }
      if (!lmsSettings()) {
        throw new Problem(409, 'No learning platform is set up: LMS_WEBHOOK_URL is missing.')
      }
      await deliverAgain(dependencies, session)
      return c.json({ sessionId: id, delivery: 'pending' as const }, 202)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/alerts',
      summary: 'Who struggles or is stuck; what nobody has acknowledged first',
      request: { query: z.object({ limit }) },
      responses: { 200: json(listOf(TeacherAlert), 'Alerts'), ...problems(403, 422) },
    }),
    async (c) => c.json({ items: await readAlerts(db, c.req.valid('query').limit) }, 200),
  )
  api.openapi(
    createRoute({
      method: 'post',
      path: '/alerts/{id}/acknowledge',
      summary: 'Take an alert off the desk, with a note',
      request: {
        params,
        body: body(z.object({ note: text.max(2_000).optional() }).default({}), false),
      },
      responses: { 200: json(TeacherAlert, 'The alert'), ...problems(403, 404, 422) },
    }),
    async (c) => {
      const { id } = c.req.valid('param')
      const { note } = c.req.valid('json') ?? {}
      const alert = isUuid(id) ? await acknowledgeAlert(db, id, note ?? null) : null
      if (!alert) throw notFound('alert')
      return c.json(alert, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/classes',
      summary: 'Classes: who is stuck now, who has been quiet, what wrong answers looked like',
      responses: { 200: json(listOf(DeskClass), 'Classes'), ...problems(403) },
    }),
    async (c) => c.json({ items: await readClasses(db) }, 200),
  )
  api.openapi(
    createRoute({
      method: 'put',
      path: '/classes/{id}',
      summary: 'Make a class, or change it',
      request: { params, body: body(PutClass) },
      responses: { 200: json(DeskClass, 'The class'), ...problems(403, 422) },
    }),
    async (c) => {
      const { id } = c.req.valid('param')
      await putClass(db, id, c.req.valid('json'))
      const [made] = await readClasses(db, id)
      if (!made) throw notFound('class')
      return c.json(made, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'delete',
      path: '/classes/{id}',
      summary: 'Take a class away; its pupils and what they did stay',
      request: { params },
      responses: { 204: { description: 'Gone' }, ...problems(403, 404) },
    }),
    async (c) => {
      if (!(await deleteClass(db, c.req.valid('param').id))) throw notFound('class')
      return c.body(null, 204)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/classes/{id}/grid',
      summary: 'Pupils × concepts of a course, who needs help first at the top',
      request: { params, query: z.object({ course: text.max(300).optional() }) },
      responses: { 200: json(ClassGrid, 'The grid'), ...problems(403, 404, 422) },
    }),
    async (c) => {
      const { id } = c.req.valid('param')
      const { course } = c.req.valid('query')
      const grid = await readClassGrid(db, id, course, courses, Date.now())
      if (!grid) throw notFound('class')
      return c.json(grid, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/pupils',
      summary: 'Everybody a class can be filled with: learners, and students of sessions',
      responses: { 200: json(listOf(Pupil), 'By name'), ...problems(403) },
    }),
    async (c) => {
      const items = (await readPupils(db)).map(({ id, name, topics, sessions, lastActiveAt }) => ({
        ...{ id, name, topics, sessions },
        lastActiveAt: lastActiveAt ? new Date(lastActiveAt).toISOString() : null,
      }))
      return c.json({ items }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/pupils/{id}',
      summary: 'A pupil: topics, sessions, answers, and what wrong ones looked like',
      request: { params },
      responses: { 200: json(PupilPage, 'The pupil'), ...problems(403, 404) },
    }),
    async (c) => {
      const { id } = c.req.valid('param')
      const titles = await builtInTitles(config.coursesFolder)
      const pupil = await readPupilPage(db, id, courses, titles, Date.now())
      if (!pupil) throw notFound('pupil')
      return c.json(pupil, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/question-sets',
      summary: 'The question sets that can be given as practice, without their answers',
      responses: { 200: json(listOf(DeskQuestionSet), 'One’s own first'), ...problems(403) },
    }),
    async (c) => {
      const own = await listQuestionSets(db, null)
      const builtIn = await builtInSets(config.coursesFolder)
      const items = [
        ...own.map((set) => ({ ...set, builtIn: false })),
        ...builtIn.map(({ question_set_id, title = question_set_id, problems: all }) => ({
          ...{ questionSetId: question_set_id, title, problems: all.length, builtIn: true },
        })),
      ]
      return c.json({ items }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/standing',
      summary: 'Whether there is anything to teach: a class, another’s session, a platform',
      responses: {
        200: json(z.object({ somethingToTeach: z.boolean() }), 'Whether'),
        ...problems(403),
      },
    }),
    async (c) => {
      const { handle } = c.var.actor.learner
      return c.json({ somethingToTeach: await somethingToTeach(db, handle) }, 200)
    },
  )
  return api
}
