/// <reference lib="webworker" />
import { createArcClient } from '../../src/client/arc-client.ts'
import { createCall } from '../../src/client/call.ts'
import {
  OUTBOX_CHANNEL,
  type OutboxNews,
  SYNC_TAG,
  sendWaiting,
} from '../device/waiting-messages.ts'
import { notificationOf } from './push-message.ts'

// Files of this release, each with its content in its name: what the page begins with, what is read without a network, and
// all there are.
declare const __PAGE_FILES__: string[]
declare const __SCREEN_FILES__: string[]
declare const __RELEASE_FILES__: string[]
declare const self: ServiceWorkerGlobalScope

const FILES = 'meno-files'
const READS = 'meno-reads'
const PAGE = '/'
const MOST_READS = 60
const SEND_MS = 20_000
const ACCEPT = { accept: 'application/json' }

/** What is read of arcs, and without a network shown as it was. */
const KEPT_READ = /^\/api\/(?:arcs|courses|learners\/[^/]+)(?:$|\/)(?!.*\/(?:events|export|anki))/

self.addEventListener('install', (event) => {
  event.waitUntil(install())
})

self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([dropOldFiles(), self.clients.claim()]))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.headers.get('accept') === 'text/event-stream') return
  if (request.mode === 'navigate') {
    if (!isOther(pathname)) event.respondWith(page(request))
  } else if (pathname.startsWith('/assets/')) event.respondWith(file(request))
  else if (KEPT_READ.test(pathname)) event.respondWith(read(request))
})

self.addEventListener('message', (event) => {
  const loaded: unknown = event.data?.loaded
  if (Array.isArray(loaded)) event.waitUntil(keepLoaded(loaded.map(String)))
})

self.addEventListener('sync', ((event: ExtendableEvent & { tag: string }) => {
  if (event.tag === SYNC_TAG) event.waitUntil(sendAll())
}) as EventListener)

self.addEventListener('push', (event) => {
  const { title, options } = notificationOf(event.data?.text() ?? '')
  event.waitUntil(self.registration.showNotification(title, options))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(String(event.notification.data?.url ?? '/')))
})

/** What the server shows that is no screen of the page. */
const isOther = (path: string) =>
  /^\/(?:api|docs|openapi\.json|metrics|healthz|readyz|channels|unsubscribe|calendar)\b/.test(path)

/** What the window has loaded already costs nothing; the screens come along where an earlier release had them. */
async function install(): Promise<void> {
  const cache = await caches.open(FILES)
  const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const wanted = known.size > 0 ? [...__PAGE_FILES__, ...__SCREEN_FILES__] : __PAGE_FILES__
  await cache.addAll(wanted.filter((name) => !known.has(name)))
  await cache.add(new Request(PAGE, { cache: 'no-cache' }))
  await self.skipWaiting()
}

/** Forgets the files of the releases before. */
async function dropOldFiles(): Promise<void> {
  const cache = await caches.open(FILES)
  const kept = new Set([...__RELEASE_FILES__, PAGE])
  for (const request of await cache.keys()) {
    if (!kept.has(new URL(request.url).pathname)) await cache.delete(request)
  }
}

/** Keeps what a window has loaded before there was a worker to do so; it is in the browser's own cache. */
async function keepLoaded(addresses: readonly string[]): Promise<void> {
  const kept = addresses.filter((address) => KEPT_READ.test(new URL(address).pathname))
  const files = addresses.filter((address) => new URL(address).pathname.startsWith('/assets/'))
  const reads = await caches.open(READS)
  const known = new Set((await reads.keys()).map(({ url }) => url))
  await Promise.allSettled([
    ...kept
      .filter((address) => !known.has(address))
      .map((address) => read(new Request(address, { headers: ACCEPT }))),
    ...files.map((address) => file(new Request(address))),
  ])
}

/** The page as the server has it now, so that no release lingers; without a network as it was. */
async function page(request: Request): Promise<Response> {
  const cache = await caches.open(FILES)
  try {
    const answer = await fetch(request)
    if (answer.ok && !answer.redirected) await cache.put(PAGE, answer.clone())
    return answer
  } catch {
    return (await cache.match(PAGE)) ?? Response.error()
  }
}

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(FILES)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}

/** What the server says; what it said last where it cannot be reached. */
async function read(request: Request): Promise<Response> {
  const cache = await caches.open(READS)
  try {
    const answer = await fetch(request)
    if (answer.ok) await keepRead(cache, request, answer.clone())
    else if (answer.status === 404 || answer.status === 403) await cache.delete(request)
    return answer
  } catch (error) {
    const kept = await cache.match(request, { ignoreVary: true })
    if (kept) return kept
    throw error
  }
}

/** Keeps the newest reads, and forgets the oldest of them. */
async function keepRead(cache: Cache, request: Request, answer: Response): Promise<void> {
  await cache.delete(request)
  await cache.put(request, answer)
  const all = await cache.keys()
  for (const old of all.slice(0, Math.max(0, all.length - MOST_READS))) await cache.delete(old)
}

/** Sends what was written without a network, also with no window open; the browser asks again where it fails. */
async function sendAll(): Promise<void> {
  const arcs = createArcClient(
    () => '',
    createCall(() => '', SEND_MS),
  )
  const news = new BroadcastChannel(OUTBOX_CHANNEL)
  const tell = (what: OutboxNews) => news.postMessage(what)
  const isThrough = await sendWaiting(arcs.send, ({ messageId }, outcome) =>
    tell(outcome === 'sent' ? { sent: messageId } : { changed: true }),
  )
  news.close()
  if (!isThrough) throw new Error('the server cannot be reached')
}

/** Brings a window of Meno to the address, or opens one. */
async function show(url: string): Promise<void> {
  const address = new URL(url, self.location.origin)
  if (address.origin !== self.location.origin) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((client) => new URL(client.url).pathname === address.pathname)
  if (there) await there.focus()
  else await self.clients.openWindow(address.href)
}
