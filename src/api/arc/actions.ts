import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { createdArc, requireArc, reviveClosedArc } from '../../commands/arc/arcs.ts'
import { control, regenerateMessage, stopStreaming } from '../../commands/arc/controls.ts'
import type { Dependencies } from '../../commands/context.ts'
import { CreatedArc } from '../../contracts/arc.ts'
import { line, text } from '../../contracts/text.ts'
import type { Api, Environment } from '../http/environment.ts'
import { arcParams, body, json, onInvalid, problems } from '../http/route-parts.ts'

/** Settings that the new arc has otherwise than the closed one. */
const Revival = z.strictObject({ settings: z.record(z.string(), z.unknown()).optional() })

const accepted = json(z.object({ arcId: z.string() }), 'Taken up')

/** `/api/arcs/:arcId/…`: what can be asked of an arc besides talking to it. */
export function arcActionRoutes(dependencies: Dependencies): Api {
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'post',
      path: '/{arcId}/revive',
      summary: 'Go on with a closed arc: its map and history in a new one',
      request: { params: arcParams, body: body(Revival, false) },
      responses: { 201: json(CreatedArc, 'The new arc'), ...problems(404, 409, 422) },
    }),
    async (c) => {
      const closed = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      const { settings } = c.req.valid('json') ?? {}
      return c.json(createdArc(await reviveClosedArc(dependencies, closed, settings)), 201)
    },
  )

  api.openapi(
    createRoute({
      method: 'post',
      path: '/{arcId}/stop',
      summary: 'Read enough: the part shown becomes the message',
      request: { params: arcParams, body: body(z.strictObject({ turnId: text.max(20) })) },
      responses: { 202: accepted, ...problems(404, 409, 422) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      await stopStreaming(dependencies, arc, c.req.valid('json').turnId)
      return c.json({ arcId: arc.id }, 202)
    },
  )

  api.openapi(
    createRoute({
      method: 'post',
      path: '/{arcId}/regenerate',
      summary: 'Have the last lesson or answer written again',
      request: {
        params: arcParams,
        body: body(z.strictObject({ messageId: text.max(100) })),
      },
      responses: { 202: accepted, ...problems(404, 409, 422) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      await regenerateMessage(dependencies, arc, c.req.valid('json').messageId)
      return c.json({ arcId: arc.id }, 202)
    },
  )

  const Reason = z.strictObject({ reason: text.trim().max(500).optional() })
  const Replan = Reason.extend({ goal: line(500).optional() })
  const controls = [
    { path: 'abandon', summary: 'Close the arc for good', schema: Reason, type: 'abandon' },
    { path: 'replan', summary: 'Look at the plan again', schema: Replan, type: 'replan' },
    { path: 'reviews/start', summary: 'Open what is due', schema: Reason, type: 'review-now' },
    { path: 'pause', summary: 'Keep the place, stay quiet', schema: Reason, type: 'pause' },
    { path: 'resume', summary: 'Go on after a pause', schema: Reason, type: 'resume' },
  ] as const
  for (const { path, summary, schema, type } of controls) {
    api.openapi(
      createRoute({
        method: 'post',
        path: `/{arcId}/${path}`,
        summary,
        request: { params: arcParams, body: body(schema, false) },
        responses: { 202: accepted, ...problems(404, 409, 422) },
      }),
      async (c) => {
        const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
        const given = c.req.valid('json') ?? {}
        await control(dependencies, arc, type, given)
        return c.json({ arcId: arc.id }, 202)
      },
    )
  }
  return api
}
