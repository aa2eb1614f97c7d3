import { OpenAPIHono } from '@hono/zod-openapi'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { Registry } from 'prom-client'
import type { Dependencies } from '../commands/context.ts'
import { notFound, Problem } from '../commands/problem.ts'
import { isLoopback } from '../config.ts'
import { MOST_IMPORTED } from '../contracts/taking-along.ts'
import { mcpRoutes } from '../mcp/endpoint.ts'
import { ensureLearner } from '../store/learners.ts'
import { agendaRoutes } from './agenda/routes.ts'
import { arcActionRoutes } from './arc/actions.ts'
import { arcEventRoutes } from './arc/events.ts'
import { arcProposalRoutes } from './arc/proposals.ts'
import { arcRecordRoutes } from './arc/records.ts'
import { arcRoutes } from './arc/routes.ts'
import { courseTutorRoutes } from './course/routes.ts'
import { courseRoutes } from './courses.ts'
import { docsRoutes } from './docs/page.ts'
import { healthRoutes } from './health.ts'
import { compressed, marked, security } from './http/delivery.ts'
import type { Api, Environment } from './http/environment.ts'
import { idempotency } from './http/idempotency.ts'
import { described } from './http/openapi.ts'
import { problemResponse, toProblem } from './http/problem.ts'
import { httpMetrics } from './http/request-metrics.ts'
import { onInvalid } from './http/route-parts.ts'
import { webApp } from './http/web-app.ts'
import { integrationRoutes } from './integrations.ts'
import { channelRoutes } from './learner/channels.ts'
import { mailLinkRoutes } from './learner/mail-links.ts'
import { pushKeyRoutes } from './learner/push-key.ts'
import { calendarFeedRoutes, learnerRecordRoutes } from './learner/records.ts'
import { learnerRoutes } from './learner/routes.ts'
import { takingAlongRoutes } from './learner/taking-along.ts'
import { metricsRoutes } from './metrics.ts'
import { operatorRoutes } from './operator.ts'
import { practiceCaller } from './practice/caller.ts'
import { practiceRoutes } from './practice/routes.ts'
import { teacherRoutes } from './practice/teacher-routes.ts'
import { telegramRoutes } from './telegram.ts'

const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Meno', version: '1', description: 'A tutor that never loses its place.' },
}
const MEGABYTE = 1_000_000
const MAX_BODY = MEGABYTE
const IMPORT = /^\/api\/learners\/[^/]+\/import$/

/** The whole HTTP side of Meno: the API, its description, its health, and the web app. */
export function createApp(dependencies: Dependencies): Api {
  const app = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  app.onError((error, c) =>
    problemResponse(
      c,
      toProblem(error, (unexpected) =>
        dependencies.log.error({ error: unexpected }, 'a request failed'),
      ),
    ),
  )
  app.notFound((c) => problemResponse(c, notFound('page')))
  const registry = new Registry()
  app.use(httpMetrics(registry), security(), compressed())
  app.use('/api/*', marked())
  const usual = atMost(MAX_BODY)
  const imported = atMost(MOST_IMPORTED)
  app.use((c, next) => (IMPORT.test(c.req.path) ? imported : usual)(c, next))
  app.route('/', mailLinkRoutes(dependencies))
  app.route('/', healthRoutes(dependencies))
  app.route('/', metricsRoutes(dependencies, registry))
  app.route('/', telegramRoutes(dependencies))
  app.route('/', calendarFeedRoutes(dependencies))
  app.use(onlyFromHere(), localActor(dependencies), idempotency(dependencies))
  app.use(practiceCaller(dependencies))
  app.route('/api/arcs', arcRoutes(dependencies))
  app.route('/api/arcs', arcRecordRoutes(dependencies))
  app.route('/api/arcs', arcActionRoutes(dependencies))
  app.route('/api/arcs', arcProposalRoutes(dependencies))
  app.route('/api/arcs', arcEventRoutes(dependencies))
  app.route('/api/courses', courseRoutes(dependencies))
  app.route('/api/push-key', pushKeyRoutes(dependencies))
  app.route('/api/tutor', courseTutorRoutes(dependencies))
  // The seed's shorter addresses, which the description leaves out.
  app.route('/', new Hono<Environment>().route('/', courseTutorRoutes(dependencies)))
  app.all('/threads/*', (c) => problemResponse(c, notFound('page')))
  app.route('/api/learners', learnerRoutes(dependencies))
  app.route('/api/learners', learnerRecordRoutes(dependencies))
  app.route('/api/learners', channelRoutes(dependencies))
  app.route('/api/learners', agendaRoutes(dependencies))
  app.route('/api/learners', takingAlongRoutes(dependencies))
  app.route('/', practiceRoutes(dependencies))
  app.route('/api/teacher', teacherRoutes(dependencies))
  app.route('/api/operator', operatorRoutes(dependencies))
  app.route('/api/integrations', integrationRoutes(dependencies))
  app.route('/mcp', mcpRoutes(dependencies))
  const document = () => described(app.getOpenAPI31Document(DOCUMENT))
  app.get('/openapi.json', (c) => c.json(document()))
  app.route('/docs', docsRoutes(document))
  app.all('/api/*', (c) => problemResponse(c, notFound('page')))
  webApp(app)
  return app
}

const atMost = (maxSize: number) =>
  bodyLimit({
    maxSize,
    onError: (c) => {
      // The rest of the body is not read: the client must not send its next request behind it.
      c.header('Connection', 'close')
      throw new Problem(413, `A request has at most ${Math.floor(maxSize / MEGABYTE)} MB here.`)
    },
  })

/** Local mode: whoever reaches the loopback address is the one learner, who is also teacher and admin. */
function localActor({ db }: Dependencies) {
  return createMiddleware<Environment>(async (c, next) => {
    const roles = ['learner', 'teacher', 'admin', 'integration'] as const
    // Asked each time: a learner who was erased begins afresh, in whichever process.
    c.set('actor', { learner: await ensureLearner(db, 'me'), roles })
    await next()
  })
}

/** Without log-in, a page of another site must not reach the API by a name that leads to this machine. */
function onlyFromHere() {
  return createMiddleware<Environment>(async (c, next) => {
    const host = new URL(c.req.url).hostname
    if (!isLoopback(host)) throw new Problem(403, `Meno answers on loopback only, not as ${host}.`)
    await next()
  })
}
