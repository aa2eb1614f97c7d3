import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Dependencies } from '../../commands/context.ts'
import { lastEvent, readEvents, TEACHERS } from '../../store/spine/events.ts'
import type { Environment } from '../environment.ts'

const KEEP_ALIVE_MS = 15_000

/** `GET /api/teacher/events`: `session`, `alert` and `report`, from `Last-Event-ID` on, or from now on without it. */
export function teacherEventRoutes({ db, events }: Dependencies) {
  return new Hono<Environment>().get('/events', async (c) => {
    const given = c.req.header('Last-Event-ID') ?? c.req.query('lastEventId')
    const isNumber = given !== undefined && /^\d{1,15}$/.test(given)
    let seq = isNumber ? Number(given) : await lastEvent(db, TEACHERS)
    return streamSSE(c, async (stream) => {
      let wake = () => {}
      let isNew = true
      const unsubscribe = events.subscribe(TEACHERS, () => {
        isNew = true
        wake()
      })
      stream.onAbort(() => {
        unsubscribe()
        wake()
      })
      await stream.write(': listening\n\n')
      while (!stream.aborted) {
        while (isNew && !stream.aborted) {
          isNew = false
          for (const event of await readEvents(db, TEACHERS, seq).catch(() => [])) {
            seq = event.seq
            const data = JSON.stringify(event.data)
            await stream.writeSSE({ event: event.type, id: String(seq), data })
            isNew = true
          }
        }
        const timedOut = await new Promise<boolean>((resolve) => {
          const timer = setTimeout(() => resolve(true), KEEP_ALIVE_MS)
          wake = () => {
            clearTimeout(timer)
            resolve(false)
          }
          if (isNew || stream.aborted) wake()
        })
        if (timedOut) await stream.write(': still here\n\n')
      }
      unsubscribe()
    })
  })
}
