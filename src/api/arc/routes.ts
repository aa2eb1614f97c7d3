import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { mayAll } from '../../commands/access.ts'
import { beginArc, changeArcOf, createdArc, requireArc } from '../../commands/arc/arcs.ts'
import { sendMessage } from '../../commands/arc/messages.ts'
import type { Dependencies } from '../../commands/context.ts'
import {
  ArcMessage,
  ArcPhase,
  ArcView,
  ChangeArc,
  CreateArc,
  CreatedArc,
  SendMessage,
  Turn,
} from '../../contracts/arc.ts'
import { text } from '../../contracts/text.ts'
import { arcViews, listArcs } from '../../store/arc/arcs.ts'
import { listMessages } from '../../store/arc/messages.ts'
import { findLearner } from '../../store/learners.ts'
import type { Api, Environment } from '../http/environment.ts'
import { arcParams, body, json, onInvalid, page, problems } from '../http/route-parts.ts'

/** `/api/arcs`: beginning an arc, looking at it, and talking to its tutor. */
export function arcRoutes(dependencies: Dependencies): Api {
  const { db } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'post',
      path: '/',
      summary: 'Begin a learning arc',
      request: { body: body(CreateArc) },
      responses: { 201: json(CreatedArc, 'The arc; its rows are there'), ...problems(404, 422) },
    }),
    async (c) => {
      const arc = await beginArc(dependencies, c.var.actor, c.req.valid('json'))
      return c.json(createdArc(arc), 201)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/',
      summary: 'Arcs, newest first',
      request: {
        query: page.extend({ phase: ArcPhase.optional(), learnerId: text.optional() }),
      },
      responses: {
        200: json(
          z.object({ items: z.array(ArcView), nextCursor: z.string().nullable() }),
          'A page',
        ),
        ...problems(422),
      },
    }),
    async (c) => {
      const { phase, learnerId, limit, cursor } = c.req.valid('query')
      const { actor } = c.var
      const wanted =
        learnerId === 'me' ? actor.learner : learnerId ? await findLearner(db, learnerId) : null
      if (learnerId && !wanted) return c.json({ items: [], nextCursor: null }, 200)
      const of = wanted?.id ?? (mayAll(actor) ? undefined : actor.learner.id)
      if (of !== undefined && of !== actor.learner.id && !mayAll(actor)) {
        return c.json({ items: [], nextCursor: null }, 200)
      }
      const rows = await listArcs(db, {
        limit: limit + 1,
        ...(phase ? { phase } : {}),
        ...(of ? { learnerId: of } : {}),
        ...(cursor ? { cursor } : {}),
      })
      const items = await arcViews(db, rows.slice(0, limit))
      return c.json(
        { items, nextCursor: rows.length > limit ? (items.at(-1)?.arcId ?? null) : null },
        200,
      )
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}',
      summary: 'One arc',
      request: { params: arcParams },
      responses: { 200: json(ArcView, 'The arc'), ...problems(404) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      const [view] = await arcViews(db, [arc])
      return c.json(view as ArcView, 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'patch',
      path: '/{arcId}',
      summary: 'Rename, archive, or say what comes after mastery',
      request: { params: arcParams, body: body(ChangeArc) },
      responses: { 200: json(ArcView, 'The arc'), ...problems(404, 409, 422) },
    }),
    async (c) => {
      const { arcId } = c.req.valid('param')
      const arc = await changeArcOf(dependencies, c.var.actor, arcId, c.req.valid('json'))
      const [view] = await arcViews(db, [arc])
      return c.json(view as ArcView, 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'post',
      path: '/{arcId}/messages',
      summary: 'Say something to the tutor; `Prefer: wait=N` waits for the turn',
      request: { params: arcParams, body: body(SendMessage) },
      responses: {
        200: json(Turn, 'The turn is done'),
        202: json(z.object({ messageId: z.string() }), 'The message is kept'),
        ...problems(404, 409, 422),
      },
    }),
    async (c) => {
      const { arcId } = c.req.valid('param')
      const seconds = waitSeconds(c.req.header('Prefer'))
      const message = c.req.valid('json')
      const sent = await sendMessage(dependencies, c.var.actor, arcId, message, seconds)
      if (sent.turn) return c.json(sent.turn, 200)
      return c.json({ messageId: sent.messageId }, 202)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/messages',
      summary: 'The transcript, oldest first',
      request: {
        params: arcParams,
        query: z.object({
          after: text.optional().describe('The first ones after the message of this id'),
          before: text
            .optional()
            .describe('The last ones before the message of this id; empty: the last of all'),
          limit: z.coerce.number().int().min(1).max(1_000).default(200),
        }),
      },
      responses: {
        200: json(z.object({ items: z.array(ArcMessage) }), 'Messages'),
        ...problems(404),
      },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      const { after, ...page } = c.req.valid('query')
      const items = await listMessages(db, arc.id, { ...page, after: after || undefined })
      return c.json({ items }, 200)
    },
  )
  return api
}

/** The seconds of `Prefer: wait=N`, at most 60; 0 without it. */
function waitSeconds(prefer: string | undefined): number {
  const match = /(?:^|[,;\s])wait=(\d+)/i.exec(prefer ?? '')
  return match ? Math.min(60, Number(match[1])) : 0
}
