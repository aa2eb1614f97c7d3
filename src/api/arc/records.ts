import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { requireArc } from '../../commands/arc/arcs.ts'
import { summariseArc } from '../../commands/arc/summary.ts'
import type { Dependencies } from '../../commands/context.ts'
import { ArcSummary, MindMapView } from '../../contracts/arc.ts'
import { text } from '../../contracts/text.ts'
import { snapshotsSince } from '../../store/analytics.ts'
import { readResponses, readReviews, readTransitions } from '../../store/arc/records.ts'
import { utcDate } from '../../store/map-metrics.ts'
import { readMindMapView } from '../../store/maps/view.ts'
import type { Api, Environment } from '../http/environment.ts'
import { arcParams, json, onInvalid, problems } from '../http/route-parts.ts'

/** `/api/arcs/:arcId/…`: the map, and what is on record of the learning. */
export function arcRecordRoutes(dependencies: Dependencies): Api {
  const { db } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/mind-map',
      summary: 'The map of concepts',
      request: { params: arcParams },
      responses: { 200: json(MindMapView, 'The map'), ...problems(404) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      const settings = arc.settings as { unlockAt: 'reviewing' | 'mastered' }
      return c.json(await readMindMapView(db, arc.mind_map_id, settings.unlockAt), 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/summary',
      summary: 'What was learned, what was hard, what got better, and what could be next',
      request: { params: arcParams },
      responses: { 200: json(ArcSummary, 'The summary'), ...problems(404) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      return c.json(await summariseArc(dependencies, arc), 200)
    },
  )

  const items = z.object({ items: z.array(z.record(z.string(), z.unknown())) })
  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/responses',
      summary: 'Graded answers, newest first',
      request: { params: arcParams, query: z.object({ nodeId: text.optional() }) },
      responses: { 200: json(items, 'Responses'), ...problems(404, 422) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      const { nodeId } = c.req.valid('query')
      return c.json({ items: await readResponses(db, arc.mind_map_id, nodeId ?? null) }, 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/transitions',
      summary: 'Hand-overs between the roles, oldest first',
      request: { params: arcParams },
      responses: { 200: json(items, 'Hand-overs'), ...problems(404) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      return c.json({ items: await readTransitions(db, arc.id) }, 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/reviews',
      summary: 'Reviews due and to come',
      request: { params: arcParams },
      responses: {
        200: json(
          z.object({
            due: z.array(z.any()),
            upcoming: z.array(z.any()),
            forecast: z.array(z.object({ date: z.string(), count: z.int() })),
          }),
          'Reviews',
        ),
        ...problems(404),
      },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      return c.json(await readReviews(db, arc), 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/analytics',
      summary: 'Nightly snapshots, oldest first',
      request: {
        params: arcParams,
        query: z.object({ days: z.coerce.number().int().min(1).max(366).default(30) }),
      },
      responses: { 200: json(items, 'Snapshots'), ...problems(404, 422) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      const from = utcDate(Date.now() - c.req.valid('query').days * 86_400_000)
      const snapshots = await snapshotsSince(db, arc.mind_map_id, from)
      return c.json({ items: snapshots.map((snapshot) => ({ ...snapshot })) }, 200)
    },
  )
  return api
}
