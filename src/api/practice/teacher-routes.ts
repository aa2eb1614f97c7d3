import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../commands/context.ts'
import { deliverAgain } from '../../commands/practice/turns.ts'
import { notFound, Problem } from '../../commands/problem.ts'
import {
  PutClass,
  SessionStatus,
  TeacherAlert,
  TeacherClass,
  TeacherSession,
} from '../../contracts/practice.ts'
import { isUuid, text } from '../../contracts/text.ts'
import { teacherReport } from '../../domain/practice/report.ts'
import { readReportedSession } from '../../store/practice/reports.ts'
import { readPractice } from '../../store/practice/sessions.ts'
import {
  acknowledgeAlert,
  putClass,
  readAlerts,
  readClasses,
  readTeacherSessions,
} from '../../store/practice/teacher.ts'
import { TEACHERS } from '../../store/spine/events.ts'
import type { Environment } from '../environment.ts'
import { streamEvents } from '../event-stream.ts'
import { body, json, onInvalid, problems } from '../route-parts.ts'
import { onlyFor, practiceCaller } from './caller.ts'

const params = z.object({ id: text.min(1).max(200) })
const limit = z.coerce.number().int().min(1).max(500).default(100)
const listOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) })

/** `/api/teacher`: sessions as they run, alerts, reports, classes. */
export function teacherRoutes(dependencies: Dependencies) {
  const { db } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.use(practiceCaller(dependencies), onlyFor('teacher', 'admin'))
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
          limit,
        }),
      },
      responses: { 200: json(listOf(TeacherSession), 'Sessions'), ...problems(403, 422) },
    }),
    async (c) => {
      const { status, studentId, limit: most } = c.req.valid('query')
      const filter = {
        limit: most,
        ...(status ? { status } : {}),
        ...(studentId ? { studentId } : {}),
      }
      return c.json({ items: await readTeacherSessions(db, filter) }, 200)
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
      responses: { 200: json(listOf(TeacherClass), 'Classes'), ...problems(403) },
    }),
    async (c) => c.json({ items: await readClasses(db) }, 200),
  )
  api.openapi(
    createRoute({
      method: 'put',
      path: '/classes/{id}',
      summary: 'Make a class, or change it',
      request: { params, body: body(PutClass) },
      responses: { 200: json(TeacherClass, 'The class'), ...problems(403, 422) },
    }),
    async (c) => {
      const { id } = c.req.valid('param')
      await putClass(db, id, c.req.valid('json'))
      const [made] = await readClasses(db, id)
      if (!made) throw notFound('class')
      return c.json(made, 200)
    },
  )
  return api
}
