import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Dependencies } from '../commands/context.ts'
import type { Announcement } from '../store/event-hub.ts'
import { readEvents } from '../store/events.ts'
import { requireArc } from './arc-commands.ts'
import type { Environment } from './environment.ts'

const KEEP_ALIVE_MS = 15_000

/**
 * `GET /api/arcs/:arcId/events`: stored events from `Last-Event-ID` on (from now on without it), and the provisional
 * deltas between them. Stored events are read from the table, so that none is lost or told twice.
 */
export function arcEventRoutes(dependencies: Dependencies) {
  const { db, hub } = dependencies
  return new Hono<Environment>().get('/:arcId/events', async (c) => {
    const arc = await requireArc(dependencies, c.var.actor, c.req.param('arcId'))
    const given = c.req.header('Last-Event-ID') ?? c.req.query('lastEventId')
    const resume = given !== undefined && /^\d+$/.test(given) ? Number(given) : null
    return streamSSE(c, async (stream) => {
      let seq = resume ?? arc.last_event
      let wake = () => {}
      let stored = true
      const deltas: Extract<Announcement, { type: 'delta' }>['delta'][] = []
      const unsubscribe = hub.subscribe(arc.id, (announcement) => {
        if (announcement.type === 'stored') stored = true
        else deltas.push(announcement.delta)
        wake()
      })
      stream.onAbort(() => {
        unsubscribe()
        wake()
      })
      while (!stream.aborted) {
        for (const { arcId: _, stepKey: __, ...delta } of deltas.splice(0)) {
          await stream.writeSSE({ event: 'delta', data: JSON.stringify(delta) })
        }
        while (stored && !stream.aborted) {
          stored = false
          for (const event of await readEvents(db, arc.id, seq).catch(() => [])) {
            seq = event.seq
            const data = JSON.stringify(event.data)
            await stream.writeSSE({ event: event.type, id: String(seq), data })
            stored = true
          }
        }
        if (deltas.length > 0 || stored) continue
        const timedOut = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), KEEP_ALIVE_MS)
          wake = () => {
            clearTimeout(timer)
            resolve(false)
          }
        })
        if (timedOut) await stream.write(': still here\n\n')
      }
      unsubscribe()
    })
  })
}
