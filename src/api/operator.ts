import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../commands/context.ts'
import { ArcPhase } from '../contracts/arc.ts'
import {
  FailedDelivery,
  HeldEntity,
  HeldUp,
  OperatorArc,
  OperatorOverview,
  TokenUse,
} from '../contracts/operator.ts'
import { SEARCH_ATTRIBUTE, WORKFLOW } from '../contracts/temporal.ts'
import { text } from '../contracts/text.ts'
import {
  readFailedDeliveries,
  readHeld,
  readOperatorArcs,
  readOverview,
  readTokenUse,
} from '../store/operator.ts'
import type { Environment } from './http/environment.ts'
import { json, onInvalid, page, problems } from './http/route-parts.ts'
import { onlyFor } from './practice/caller.ts'

const listOf = <T extends z.ZodType>(item: T) => z.object({ items: z.array(item) })

/** `/api/operator`: what runs, what is held up, what it costs. What is done about an arc goes to the arc's own routes. */
export function operatorRoutes(dependencies: Dependencies) {
  const { db, config, temporal } = dependencies
  const ui =
    config.temporalUiUrl && `${config.temporalUiUrl}/namespaces/${temporal.options.namespace}`
  const urlOf = (workflow: string) => ui && `${ui}/workflows/${encodeURIComponent(workflow)}`
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.use(onlyFor('admin'))

  api.openapi(
    createRoute({
      method: 'get',
      path: '/overview',
      summary: 'Arcs by phase, what is blocked, faulty or late, and lists in the Temporal UI',
      responses: { 200: json(OperatorOverview, 'At this moment'), ...problems(403) },
    }),
    async (c) => {
      const overview = await readOverview(db)
      return c.json({ ...overview, temporalViews: ui ? viewsIn(ui, overview.phases) : [] }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/arcs',
      summary: 'Arcs of all learners, newest first',
      request: {
        query: page.extend({
          phase: ArcPhase.optional(),
          held: HeldUp.optional(),
          search: text.trim().max(200).optional(),
        }),
      },
      responses: {
        200: json(listOf(OperatorArc).extend({ nextCursor: z.string().nullable() }), 'A page'),
        ...problems(403, 422),
      },
    }),
    async (c) => {
      const { phase, held, search, limit, cursor } = c.req.valid('query')
      const filter = {
        limit: limit + 1,
        ...(phase ? { phase } : {}),
        ...(held ? { held } : {}),
        ...(search ? { search } : {}),
        ...(cursor ? { cursor } : {}),
      }
      const rows = await readOperatorArcs(db, filter, urlOf)
      const items = rows.slice(0, limit)
      const nextCursor = rows.length > limit ? (items.at(-1)?.arcId ?? null) : null
      return c.json({ items, nextCursor }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/held',
      summary: 'What a fault holds up or whose date is past, of all products, the longest first',
      responses: { 200: json(listOf(HeldEntity), 'At most a hundred'), ...problems(403) },
    }),
    async (c) => c.json({ items: await readHeld(db, urlOf) }, 200),
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/tokens',
      summary: 'Tokens by day and model, and what they cost where prices are set',
      request: {
        query: z.object({ days: z.coerce.number().int().min(1).max(366).default(14) }),
      },
      responses: {
        200: json(listOf(TokenUse).extend({ hasPrices: z.boolean() }), 'The latest day first'),
        ...problems(403, 422),
      },
    }),
    async (c) => {
      const items = await readTokenUse(db, c.req.valid('query').days, config.modelPrices)
      return c.json({ items, hasPrices: Object.keys(config.modelPrices).length > 0 }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/deliveries',
      summary: 'Nudges that did not arrive, or of which that is not known',
      request: { query: z.object({ limit: z.coerce.number().int().min(1).max(500).default(100) }) },
      responses: { 200: json(listOf(FailedDelivery), 'The latest first'), ...problems(403, 422) },
    }),
    async (c) => c.json({ items: await readFailedDeliveries(db, c.req.valid('query').limit) }, 200),
  )
  return api
}

/** Lists of workflows as the Temporal UI takes them in its address: all of a type, and arcs of each phase. */
function viewsIn(
  ui: string,
  phases: OperatorOverview['phases'],
): OperatorOverview['temporalViews'] {
  const view = (name: string, count: number | null, query: string) => ({
    name,
    count,
    url: `${ui}/workflows?query=${encodeURIComponent(query)}`,
  })
  const isArc = `WorkflowType="${WORKFLOW.learningArc}"`
  return [
    ...Object.values(WORKFLOW).map((type) => view(type, null, `WorkflowType="${type}"`)),
    ...phases.map(({ phase, count }) =>
      view(phase, count, `${isArc} AND ${SEARCH_ATTRIBUTE.arcPhase.name}="${phase}"`),
    ),
    view('failed', null, 'ExecutionStatus="Failed" OR ExecutionStatus="TimedOut"'),
  ]
}
