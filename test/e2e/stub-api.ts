import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { type Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { ArcMessage, ArcView, MindMapView } from '../../src/contracts/arc.ts'
import { arcView, courses, mindMapView } from './stub-world.ts'

const WEB_APP = path.resolve(import.meta.dirname, '../../web/dist')

/** A call that changes something, as the page made it. */
export interface Posted {
  path: string
  body: Record<string, unknown>
  idempotencyKey: string | null
}

interface StubEvent {
  id: number | null
  type: string
  data: unknown
}

export interface StubApi {
  url: string
  /** What reading the arc answers; a test may change it. */
  arc: ArcView
  mindMap: MindMapView
  messages: ArcMessage[]
  arcs: ArcView[]
  /** What reading any other address answers, by path; 404 where it is not named. */
  answers: Map<string, unknown>
  posted: Posted[]
  /** The address of every read of an arc, its stream aside, as the page made it. */
  reads: string[]
  /** The `Last-Event-ID` of every opened stream, null where it had none. */
  streams: (string | null)[]
  /** Answers a POST or a PATCH; by default 202. */
  onPost: (call: Posted) => Response | undefined
  /** Stores an event and sends it to whoever listens. */
  emit(type: string, data: unknown): void
  /** A message of the tutor, stored and told. */
  say(text: string, more?: Partial<ArcMessage>): void
  /** An event that is not stored. */
  delta(data: { turnId: string; attempt: number; offset: number; text: string }): void
  /** Cuts every open stream. */
  cut(): void
  stop(): Promise<void>
}

export const problem = (status: number, title: string, detail: string, more: object = {}) =>
  new Response(JSON.stringify({ type: 'about:blank', title, status, detail, ...more }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })

/** The web app over canned answers, on a free port. */
export async function startStubApi(): Promise<StubApi> {
  const events: StubEvent[] = []
  const listeners = new Set<{ send: (event: StubEvent) => void; cut: () => void }>()
  const app = new Hono()
  const send = (event: StubEvent) => {
    for (const listener of listeners) listener.send(event)
  }

  app.get('/api/arcs/*', async (c, next) => {
    if (!c.req.path.endsWith('/events')) stub.reads.push(c.req.path)
    await next()
  })
  app.get('/api/courses', (c) => c.json({ items: courses }))
  app.get('/api/arcs', (c) => c.json({ items: stub.arcs, nextCursor: null }))
  app.get('/api/arcs/:id', (c) =>
    c.req.param('id') === stub.arc.arcId
      ? c.json(stub.arc)
      : problem(404, 'Not found', 'There is no such arc.'),
  )
  app.get('/api/arcs/:id/messages', (c) => c.json({ items: after(c.req.query('after')) }))
  app.get('/api/arcs/:id/mind-map', (c) => c.json(stub.mindMap))
  const follow = (c: Context) => {
    const lastEventId = c.req.header('last-event-id') ?? null
    stub.streams.push(lastEventId)
    return streamSSE(c, async (stream) => {
      const missed =
        lastEventId === null ? [] : events.filter((e) => (e.id ?? 0) > Number(lastEventId))
      const waiting = [...missed]
      let isCut = false
      let wake = () => {}
      const listener = {
        send: (event: StubEvent) => {
          waiting.push(event)
          wake()
        },
        cut: () => {
          isCut = true
          wake()
        },
      }
      listeners.add(listener)
      stream.onAbort(listener.cut)
      while (!isCut) {
        for (const { id, type, data } of waiting.splice(0)) {
          const told = { event: type, data: JSON.stringify(data) }
          await stream.writeSSE(id === null ? told : { ...told, id: String(id) })
        }
        if (waiting.length === 0 && !isCut) await new Promise<void>((resolve) => (wake = resolve))
      }
      listeners.delete(listener)
    })
  }
  app.get('/api/arcs/:id/events', follow)
  app.get('/api/teacher/events', follow)
  app.get('/api/*', (c) => {
    const answer = stub.answers.get(c.req.path)
    return answer === undefined
      ? problem(404, 'Not found', 'There is nothing here.')
      : Response.json(answer)
  })
  app.on(['POST', 'PATCH'], '/api/*', async (c) => {
    const call: Posted = {
      path: c.req.path,
      body: (await c.req.json().catch(() => ({}))) as Record<string, unknown>,
      idempotencyKey: c.req.header('idempotency-key') ?? null,
    }
    stub.posted.push(call)
    return stub.onPost(call) ?? c.json({}, 202)
  })
  app.use('/*', serveStatic({ root: path.relative(process.cwd(), WEB_APP) }))
  app.get(
    '/*',
    serveStatic({ path: path.relative(process.cwd(), path.join(WEB_APP, 'index.html')) }),
  )

  const after = (id: string | undefined) =>
    stub.messages.slice(stub.messages.findIndex((message) => message.id === id) + 1)

  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((resolve) => server.once('listening', resolve))
  const stub: StubApi = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arc: arcView(),
    mindMap: mindMapView(),
    messages: [],
    arcs: [],
    answers: new Map(),
    posted: [],
    reads: [],
    streams: [],
    onPost: () => undefined,
    emit(type, data) {
      const event = { id: events.length + 1, type, data }
      events.push(event)
      send(event)
    },
    say(text, more = {}) {
      const message: ArcMessage = {
        id: crypto.randomUUID(),
        role: 'tutor',
        text,
        phase: stub.arc.phase,
        createdAt: new Date().toISOString(),
        ...more,
      }
      stub.messages.push(message)
      stub.emit('message', message)
    },
    delta: (data) => send({ id: null, type: 'delta', data }),
    cut() {
      for (const listener of listeners) listener.cut()
    },
    async stop() {
      stub.cut()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return stub
}
