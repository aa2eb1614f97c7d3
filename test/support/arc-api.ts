import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { serve } from '@hono/node-server'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { createApp } from '../../src/api/app.ts'
import type { Api } from '../../src/api/http/environment.ts'
import type { Course } from '../../src/contracts/course-pack.ts'
import { type ArcWorld, type ArcWorldOptions, createArcWorld } from './arc-world.ts'
import { smallCourse } from './small-course.ts'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  body: any
}

export interface ArcApi {
  readonly world: ArcWorld
  readonly app: Api
  readonly url: string
  get(path: string): Promise<Answer>
  /** A string is sent as it is, anything else as JSON. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Begins an arc over the small course and waits for its first question. */
  begin(request?: Record<string, unknown>): Promise<string>
  /** Asks until the arc is as wanted. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  until(arcId: string, wanted: (arc: any) => boolean): Promise<any>
  stop(): Promise<void>
}

/** The API on a port of its own, before the real store, workers and development server. */
export async function createArcApi(
  course: Course = smallCourse(),
  options: Pick<ArcWorldOptions, 'beside' | 'sandbox' | 'channels' | 'dayMs'> = {},
): Promise<ArcApi> {
  const world = await createArcWorld(course, { server: 'development', ...options })
  const app = createApp(world.dependencies)
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 })
  await new Promise<void>((resolve) => server.once('listening', () => resolve()))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const api: ArcApi = {
    world,
    app,
    url,
    get: (path) => call(url + path),
    post: (path, body, headers = {}) =>
      call(url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body ?? {}),
      }),
    async begin(request = {}) {
      const { body } = await api.post('/api/arcs', { topic: course.title, ...request })
      await api.until(body.arcId, ({ pendingQuestion }) => pendingQuestion !== null)
      return body.arcId
    },
    async until(arcId, wanted) {
      const deadline = Date.now() + 60_000
      for (;;) {
        const { body } = await api.get(`/api/arcs/${arcId}`)
        if (wanted(body)) return body
        if (Date.now() > deadline) throw new Error(`waited in vain: ${JSON.stringify(body)}`)
        await pause(20)
      }
    },
    async stop() {
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await world.stop()
    },
  }
  return api
}

async function call(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init)
  const text = await response.text()
  const isJson = /json/.test(response.headers.get('content-type') ?? '')
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  }
}

export interface Heard {
  id: number | null
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: as above
  data: any
}

/** Listens to an arc's events until `enough` holds, then hangs up. */
export async function listen(
  url: string,
  enough: (heard: Heard[]) => boolean,
  lastEventId?: number,
): Promise<Heard[]> {
  const ended = new AbortController()
  const heard: Heard[] = []
  const response = await fetch(url, {
    signal: AbortSignal.any([ended.signal, AbortSignal.timeout(60_000)]),
    headers: lastEventId === undefined ? {} : { 'Last-Event-ID': String(lastEventId) },
  })
  const parser = createParser({
    onEvent({ id, event, data }: EventSourceMessage) {
      heard.push({
        id: id === undefined ? null : Number(id),
        event: event ?? '',
        data: JSON.parse(data),
      })
    },
  })
  const decoder = new TextDecoder()
  if (!response.body) throw new Error('no stream')
  for await (const piece of response.body) {
    parser.feed(decoder.decode(piece, { stream: true }))
    if (enough(heard)) break
  }
  ended.abort()
  return heard
}
