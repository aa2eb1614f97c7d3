import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Dependencies } from '../../commands/context.ts'
import type { Announcement } from '../../store/spine/event-hub.ts'
import { type Delta, lastEvent, readEvents } from '../../store/spine/events.ts'

const KEEP_ALIVE_MS = 15_000

/**
 * Server-sent events of a stream: the stored ones from `Last-Event-ID` on (from now on without it), with their numbers,
 * and text on its way between them. Stored events are read from the table, so that none is lost or told twice.
 */
export async function streamEvents(
  c: Context,
  { db, events }: Pick<Dependencies, 'db' | 'events'>,
  streamName: string,
): Promise<Response> {
  const given = c.req.header('Last-Event-ID') ?? c.req.query('lastEventId')
  const resume = given !== undefined && /^\d{1,15}$/.test(given) ? Number(given) : null
  const last = await lastEvent(db, streamName)
  // A number that was never given: the reader knows a store that is not this one, before it was restored.
  const isAhead = resume !== null && resume > last
  let seq = resume === null || isAhead ? last : resume
  return streamSSE(c, async (stream) => {
    let wake = () => {}
    let stored = true
    const deltas: Delta[] = []
    const unsubscribe = events.subscribe(streamName, (announcement: Announcement) => {
      if (announcement.type === 'stored') stored = true
      else deltas.push(announcement.delta)
      wake()
    })
    stream.onAbort(() => {
      unsubscribe()
      wake()
    })
    await stream.write(': listening\n\n')
    // Its number takes the reader's place, else every connection would begin like this.
    if (isAhead) await stream.writeSSE({ event: 'reset', id: String(seq), data: '{}' })
    while (!stream.aborted) {
      for (const { stream: _, stepKey: __, ...delta } of deltas.splice(0)) {
        await stream.writeSSE({ event: 'delta', data: JSON.stringify(delta) })
      }
      while (stored && !stream.aborted) {
        stored = false
        for (const event of await readEvents(db, streamName, seq).catch(() => [])) {
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
        if (stored || stream.aborted) wake()
      })
      if (timedOut) await stream.write(': still here\n\n')
    }
    unsubscribe()
  })
}
