import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import {
  ArcMessage,
  ArcPhase,
  ArcView,
  CreateArc,
  CreatedArc,
  MindMapView,
  SendMessage,
  Turn,
} from '../contracts/arc.ts'
import { SIGNAL, workflowId } from '../contracts/temporal.ts'
import { snapshotsSince, utcDate } from '../store/analytics.ts'
import { type ArcRow, arcViews, listArcs } from '../store/arcs.ts'
import { findLearner } from '../store/learners.ts'
import { listMessages } from '../store/messages.ts'
import { readMindMapView } from '../store/mind-map-view.ts'
import { readResponses, readReviews, readTransitions } from '../store/records.ts'
import {
  beginArc,
  requireArc,
  requireOpen,
  reviveClosedArc,
  sendMessage,
  signalArc,
  waitForTurn,
} from './arc-commands.ts'
import { regenerateMessage, stopStreaming } from './arc-stream-commands.ts'
import type { Api, Dependencies, Environment } from './environment.ts'
import { Problem } from './problem.ts'
import { body, json, onInvalid, page, problems } from './route-parts.ts'

const arcParams = z.object({ arcId: z.string() })
const accepted = json(z.object({ arcId: z.string() }), 'Taken up')

/** Everything under `/api/arcs`. */
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
      return c.json(created(arc), 201)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/',
      summary: 'Arcs, newest first',
      request: {
        query: page.extend({ phase: ArcPhase.optional(), learnerId: z.string().optional() }),
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
      const mayAll = actor.roles.includes('teacher') || actor.roles.includes('admin')
      const wanted = learnerId ? await findLearner(db, learnerId) : null
      if (learnerId && !wanted) return c.json({ items: [], nextCursor: null }, 200)
      const of = wanted?.id ?? (mayAll ? undefined : actor.learner.id)
      if (of !== undefined && of !== actor.learner.id && !mayAll) {
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
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      const sent = await sendMessage(dependencies, arc, c.req.valid('json'))
      const seconds = waitSeconds(c.req.header('Prefer'))
      if (seconds > 0) {
        const turn = await waitForTurn(dependencies, arc.id, sent.messageId, seconds)
        if (turn) return c.json(turn, 200)
      }
      return c.json(sent, 202)
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
          after: z.string().optional(),
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
      const { after, limit } = c.req.valid('query')
      const items = await listMessages(db, arc.id, { limit, ...(after ? { after } : {}) })
      return c.json({ items }, 200)
    },
  )

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

  const items = z.object({ items: z.array(z.record(z.string(), z.unknown())) })
  api.openapi(
    createRoute({
      method: 'get',
      path: '/{arcId}/responses',
      summary: 'Graded answers, newest first',
      request: { params: arcParams, query: z.object({ nodeId: z.string().optional() }) },
      responses: { 200: json(items, 'Responses'), ...problems(404) },
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

  api.openapi(
    createRoute({
      method: 'post',
      path: '/{arcId}/revive',
      summary: 'Go on with a closed arc: its map and history in a new one',
      request: { params: arcParams },
      responses: { 201: json(CreatedArc, 'The new arc'), ...problems(404, 409) },
    }),
    async (c) => {
      const closed = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      return c.json(created(await reviveClosedArc(dependencies, closed)), 201)
    },
  )

  api.openapi(
    createRoute({
      method: 'post',
      path: '/{arcId}/stop',
      summary: 'Read enough: the part shown becomes the message',
      request: { params: arcParams, body: body(z.strictObject({ turnId: z.string().max(20) })) },
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
        body: body(z.strictObject({ messageId: z.string().max(100) })),
      },
      responses: { 202: accepted, ...problems(404, 409, 422) },
    }),
    async (c) => {
      const arc = await requireArc(dependencies, c.var.actor, c.req.valid('param').arcId)
      await regenerateMessage(dependencies, arc, c.req.valid('json').messageId)
      return c.json({ arcId: arc.id }, 202)
    },
  )

  const Reason = z.strictObject({ reason: z.string().trim().max(500).optional() })
  const Replan = Reason.extend({ goal: z.string().trim().min(1).max(500).optional() })
  const commands = [
    { path: 'abandon', summary: 'Close the arc for good', schema: Reason, signal: SIGNAL.abandon },
    { path: 'replan', summary: 'Look at the plan again', schema: Replan, signal: SIGNAL.replan },
    {
      path: 'reviews/start',
      summary: 'Open what is due',
      schema: Reason,
      signal: SIGNAL.reviewNow,
    },
    { path: 'pause', summary: 'Keep the place, stay quiet', schema: Reason, signal: SIGNAL.pause },
    { path: 'resume', summary: 'Go on after a pause', schema: Reason, signal: SIGNAL.resume },
  ] as const
  for (const { path, summary, schema, signal } of commands) {
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
        requireOpen(arc)
        const given = (c.req.valid('json') ?? {}) as { reason?: string; goal?: string }
        if (path === 'replan' && (arc.phase === 'PENDING' || arc.phase === 'DIAGNOSING')) {
          throw new Problem(409, `The arc is ${arc.phase}; there is no plan to change yet.`)
        }
        const argument = path === 'abandon' ? { reason: given.reason ?? '' } : given
        await signalArc(dependencies, arc, signal, argument)
        return c.json({ arcId: arc.id }, 202)
      },
    )
  }
  return api
}

const created = (arc: ArcRow): CreatedArc => ({
  arcId: arc.id,
  mindMapId: arc.mind_map_id,
  workflowId: workflowId.arc(arc.id),
  phase: arc.phase as ArcPhase,
})

/** The seconds of `Prefer: wait=N`, at most 60; 0 without it. */
function waitSeconds(prefer: string | undefined): number {
  const match = /(?:^|[,;\s])wait=(\d+)/i.exec(prefer ?? '')
  return match ? Math.min(60, Number(match[1])) : 0
}
