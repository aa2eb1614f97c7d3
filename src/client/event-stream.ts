import { EventSourceParserStream } from 'eventsource-parser/stream'
import { type Address, delay } from './call.ts'
import { retryAfterOf } from './problem.ts'

/** How the connection stands; `stopped` is for good, because the server said so. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'stopped'

export interface ServerEvent {
  type: string
  data: unknown
}

export interface Following<E = ServerEvent> {
  signal: AbortSignal
  onConnection?: (connection: Connection) => void
  /** A connection stands that does not go on from an event that was seen: what came before it may have been missed. */
  onGap?: () => void
  onEvent: (event: E) => void
  /** Its `online` event ends a wait; the window, in a page. */
  network?: EventTarget
  longestWaitMs?: number
  /** Waits that many milliseconds, or until the signal is aborted; tests hurry it. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>
}

const FOR_GOOD = new Set([204, 401, 403, 404])
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 20_000

/**
 * Follows a stream of server-sent events until the signal is aborted or the server answers 204, 401, 403 or 404.
 * Connects again with `Last-Event-ID`, waiting longer each time nothing came, with jitter so that many readers spread.
 */
export async function followEvents(
  address: Address,
  path: string,
  following: Following,
): Promise<void> {
  const { signal, network, longestWaitMs, onConnection = () => {} } = following
  const wait = following.wait ?? ((ms) => delay(ms, signal, network))
  const place: Place = { lastEventId: null }
  let failures = 0
  onConnection('connecting')
  while (!signal.aborted) {
    let served = 0
    let asked: number | null = null
    try {
      const outcome = await readOnce(`${address() ?? ''}${path}`, following, place, () => {
        served += 1
      })
      if (outcome === 'stop') return onConnection('stopped')
      asked = outcome
    } catch {
      // A broken connection is what the next round is for.
    }
    if (signal.aborted) return
    failures = served > 0 ? 0 : failures + 1
    onConnection('reconnecting')
    await wait(asked ?? backOff(failures, longestWaitMs), signal)
  }
}

interface Place {
  lastEventId: string | null
}

/** One connection to its end; returns `stop`, or the milliseconds the server asks to wait, or null. */
async function readOnce(
  url: string,
  following: Following,
  place: Place,
  onServed: () => void,
): Promise<'stop' | number | null> {
  // A connection from before the network went may never say that it is dead.
  const cut = new AbortController()
  const onOnline = () => cut.abort()
  following.network?.addEventListener('online', onOnline)
  const signal = AbortSignal.any([following.signal, cut.signal])
  try {
    return await readConnection(url, { ...following, signal }, place, onServed)
  } finally {
    following.network?.removeEventListener('online', onOnline)
  }
}

async function readConnection(
  url: string,
  { signal, onConnection = () => {}, onGap = () => {}, onEvent }: Following,
  place: Place,
  onServed: () => void,
): Promise<'stop' | number | null> {
  const headers: Record<string, string> = { accept: 'text/event-stream' }
  if (place.lastEventId !== null) headers['last-event-id'] = place.lastEventId
  const response = await fetch(url, { headers, signal, cache: 'no-store' })
  if (FOR_GOOD.has(response.status)) return 'stop'
  if (!response.ok || !response.body) {
    const seconds = retryAfterOf(response)
    return seconds === null ? null : seconds * 1000
  }
  onConnection('live')
  if (place.lastEventId === null) onGap()
  const events = response.body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  for (;;) {
    const { done, value } = await events.read()
    if (done || signal.aborted) return null
    onServed()
    const data = parse(value.data)
    if (data !== undefined) onEvent({ type: value.event ?? 'message', data })
    if (value.id) place.lastEventId = value.id
  }
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/** Half to the whole of 0.5, 1, 2, 4 … seconds, up to the longest. */
export function backOff(
  failures: number,
  longestWaitMs = LONGEST_WAIT_MS,
  random: () => number = Math.random,
): number {
  const longest = Math.min(longestWaitMs, FIRST_WAIT_MS * 2 ** failures)
  return longest / 2 + random() * (longest / 2)
}
