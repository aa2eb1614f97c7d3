import { randomUUID } from 'node:crypto'
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../commands/context.ts'
import { createSession, requireSession } from '../../commands/practice/sessions.ts'
import { completeSession, takeTurn } from '../../commands/practice/turns.ts'
import { notFound, Problem } from '../../commands/problem.ts'
import {
  AnsweredTurn,
  CompletedSession,
  CreatedSession,
  CreateSession,
  QuestionSet,
  SessionTurns,
  SessionView,
  TurnRequest,
} from '../../contracts/practice.ts'
import { text } from '../../contracts/text.ts'
import { sessionReport } from '../../domain/practice/report.ts'
import { createQuestionSet } from '../../store/practice/question-sets.ts'
import { readReportedSession } from '../../store/practice/reports.ts'
import { sessionView } from '../../store/practice/sessions.ts'
import { sessionTurns } from '../../store/practice/turns.ts'
import type { Environment } from '../http/environment.ts'
import { body, json, onInvalid, problems } from '../http/route-parts.ts'
import { mayDebug, onlyFor } from './caller.ts'
import { builtInSets, chooseProblems } from './question-sets.ts'

const params = z.object({ id: text })
const CreatedSet = z.object({
  question_set_id: z.string(),
  title: z.string(),
  problems_total: z.int(),
})

/** The problem tutor as learning platforms call it (seed 002): at the root, in the seed's own field names. */
export function practiceRoutes(dependencies: Dependencies) {
  const { db, config, log, wake } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.use('/question-sets', onlyFor('integration', 'teacher', 'admin'))

  api.openapi(
    createRoute({
      method: 'post',
      path: '/webhook/tutor/message',
      summary: 'A student’s message, and the tutor’s reply',
      request: { body: body(TurnRequest) },
      responses: {
        200: json(AnsweredTurn, 'The reply'),
        ...problems(400, 401, 404, 409, 413, 422, 500, 503),
      },
    }),
    async (c) => {
      const request = c.req.valid('json')
      const messageId = request.message_id ?? c.req.header('Idempotency-Key') ?? null
      const { response, debug } = await takeTurn(dependencies, c.var.actor, request, messageId)
      const inside = debug && mayDebug(c.var.actor) ? { _debug: debug } : {}
      return c.json({ ...response, ...inside }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'post',
      path: '/question-sets',
      summary: 'Problems for sessions, with their answers and hints',
      request: { body: body(QuestionSet) },
      responses: { 201: json(CreatedSet, 'Stored'), ...problems(400, 401, 403, 409, 422) },
    }),
    async (c) => {
      const set = c.req.valid('json')
      const builtIn = await builtInSets(config.coursesFolder)
      const isTaken = builtIn.some(({ question_set_id }) => question_set_id === set.question_set_id)
      if (isTaken || !(await createQuestionSet(db, c.var.actor.integrationId ?? null, set))) {
        throw new Problem(409, `There is another question set “${set.question_set_id}” already.`)
      }
      const { question_set_id, title = question_set_id, problems: all } = set
      return c.json({ question_set_id, title, problems_total: all.length }, 201)
    },
  )
  api.openapi(
    createRoute({
      method: 'post',
      path: '/sessions',
      summary: 'A session over the problems of a question set',
      request: { body: body(CreateSession) },
      responses: { 201: json(CreatedSession, 'Begun'), ...problems(400, 401, 404, 409, 422) },
    }),
    async (c) => {
      const { student_id, question_set_id, problem_ids, session_id } = c.req.valid('json')
      const { actor } = c.var
      const caller = actor.integrationId ?? null
      const chosen = await chooseProblems(dependencies, caller, question_set_id, problem_ids)
      const externalSessionId = session_id ?? `sess_${randomUUID().replaceAll('-', '')}`
      const session = await createSession(dependencies, actor, {
        externalSessionId,
        studentId: student_id,
        questionSetId: question_set_id,
        problems: chosen,
        implicit: false,
      })
      if (!session) throw new Problem(409, `There is a session “${session_id}” already.`)
      await wake(session).catch((error) =>
        log.warn({ err: error, sessionId: session.id }, 'a session will be begun later'),
      )
      const [first] = chosen
      if (!first) throw notFound('problem')
      return c.json(
        {
          session_id: externalSessionId,
          current_problem_index: 0,
          current_problem: { id: first.id, text: first.text },
          status: 'active' as const,
          problems_total: chosen.length,
        },
        201,
      )
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{id}',
      summary: 'How a session stands',
      request: { params },
      responses: { 200: json(SessionView, 'The session'), ...problems(401, 404) },
    }),
    async (c) => {
      const id = c.req.valid('param').id
      const session = await requireSession(dependencies, c.var.actor, id)
      return c.json(await sessionView(db, session), 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/sessions/{id}/turns',
      summary: 'What was said in a session',
      request: { params },
      responses: { 200: json(SessionTurns, 'The turns, oldest first'), ...problems(401, 404) },
    }),
    async (c) => {
      const id = c.req.valid('param').id
      const session = await requireSession(dependencies, c.var.actor, id)
      return c.json(await sessionTurns(db, session.session_id), 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'post',
      path: '/sessions/{id}/complete',
      summary: 'End a session, and its report',
      request: { params },
      responses: { 200: json(CompletedSession, 'The report'), ...problems(401, 404, 503) },
    }),
    async (c) => {
      const id = c.req.valid('param').id
      const session = await requireSession(dependencies, c.var.actor, id)
      await completeSession(dependencies, session)
      const reported = await readReportedSession(db, session.session_id)
      if (!reported) throw notFound('session')
      return c.json(
        {
          session_id: session.external_session_id,
          status: 'completed' as const,
          session_report: sessionReport(reported),
        },
        200,
      )
    },
  )
  return api
}
