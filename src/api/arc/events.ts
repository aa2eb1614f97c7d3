import { Hono } from 'hono'
import { requireArc } from '../../commands/arc/arcs.ts'
import type { Dependencies } from '../../commands/context.ts'
import type { Environment } from '../http/environment.ts'
import { streamEvents } from '../http/event-stream.ts'

/**
 * `GET /api/arcs/:arcId/events`: stored events from `Last-Event-ID` on (from now on without it), and the provisional
 * deltas between them.
 */
export const arcEventRoutes = (dependencies: Dependencies) =>
  new Hono<Environment>().get('/:arcId/events', async (c) => {
    const arc = await requireArc(dependencies, c.var.actor, c.req.param('arcId'))
    return streamEvents(c, dependencies, arc.id)
  })
