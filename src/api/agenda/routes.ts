import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { snooze } from '../../commands/agenda/snooze.ts'
import type { Dependencies } from '../../commands/context.ts'
import { notFound } from '../../commands/problem.ts'
import { AgendaView, Snooze } from '../../contracts/agenda.ts'
import { text } from '../../contracts/text.ts'
import { readAgenda } from '../../store/agenda/view.ts'
import type { Api, Environment } from '../http/environment.ts'
import { streamEvents } from '../http/event-stream.ts'
import { body, json, onInvalid, problems } from '../http/route-parts.ts'
import { requireLearner } from '../learner/routes.ts'

const params = z.object({ id: text })

/** `/api/learners/:id/…`: what waits over all topics, what was sent, and a moment's peace. */
export function agendaRoutes(dependencies: Dependencies): Api {
  const { db, config } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  const viewOf = async (learnerId: string) => {
    const view = await readAgenda(db, learnerId, Date.now(), config.dayMs)
    if (!view) throw notFound('learner')
    return view
  }

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/agenda',
      summary: 'What to review today over all topics, how long it takes, and what comes next',
      request: { params },
      responses: { 200: json(AgendaView, 'The agenda'), ...problems(404) },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      return c.json(await viewOf(id), 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'post',
      path: '/{id}/snooze',
      summary: 'Send nothing for a while: for an hour, unless said otherwise',
      request: { params, body: body(Snooze, false) },
      responses: { 200: json(AgendaView, 'The agenda as it is now'), ...problems(404, 422) },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      await snooze(dependencies, id, c.req.valid('json') ?? {})
      return c.json(await viewOf(id), 200)
    },
  )

  // Server-sent events are not described by OpenAPI.
  api.get('/:id/events', async (c) => {
    const { id } = await requireLearner(db, c.var.actor, c.req.param('id'))
    return streamEvents(c, dependencies, id)
  })
  return api
}
