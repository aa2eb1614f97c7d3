import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  ArcMessage,
  ArcView,
  CreateArc,
  CreatedArc,
  MindMapView,
  SendMessage,
} from '../contracts/arc.ts'
import { readServerEvents, type ServerEvent } from './server-events.ts'

/** What Meno refused, in its own words. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

/** Meno did not answer for as long as the client is patient. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

export interface Course {
  courseId: string
  title: string
  description: string
}

export interface ClientOptions {
  /** Where Meno answers at this moment; null while it is not announced. */
  address: () => string | null
  /** Told when an answer is overdue, and again when it came. */
  onTrouble?: (isInTrouble: boolean) => void
  patienceMs?: number
  /** Ends every call and every wait; they throw its reason. */
  signal: AbortSignal
}

export type Client = ReturnType<typeof createClient>

const PATIENCE_MS = 60_000
const ONE_TRY_MS = 20_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/**
 * The API of arcs, called until it answers: what was sent twice has one effect. Every call throws `Refused` where Meno
 * says no, and `Unreachable` when it does not answer within the patience.
 */
export function createClient(options: ClientOptions) {
  const call = <T>(path: string, init: RequestInit = {}) => callPatiently<T>(options, path, init)
  const post = <T>(path: string, body: object, headers: Record<string, string> = {}) =>
    call<T>(path, { method: 'POST', body: JSON.stringify(body), headers })
  const pathOf = (arcId: string) => `/api/arcs/${encodeURIComponent(arcId)}`
  return {
    begin: (request: Pick<CreateArc, 'topic' | 'goal'> & { settings?: object }) =>
      post<CreatedArc>('/api/arcs', request, { 'Idempotency-Key': randomUUID() }),
    arc: (arcId: string) => call<ArcView>(pathOf(arcId)),
    arcs: () => allArcs(call),
    courses: async () => (await call<{ items: Course[] }>('/api/courses')).items,
    mindMap: (arcId: string) => call<MindMapView>(`${pathOf(arcId)}/mind-map`),
    messages: (arcId: string, after: string | null) => messagesAfter(call, pathOf(arcId), after),
    send: (arcId: string, message: SendMessage & { messageId: string }) =>
      post<{ messageId: string }>(`${pathOf(arcId)}/messages`, message),
    follow: (arcId: string, on: Listener) => followEvents(options, `${pathOf(arcId)}/events`, on),
  }
}

type Call = <T>(path: string, init?: RequestInit) => Promise<T>

/** The learner's arcs, newest first. */
async function allArcs(call: Call): Promise<ArcView[]> {
  const arcs: ArcView[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`
    const page: { items: ArcView[]; nextCursor: string | null } = await call(
      `/api/arcs?learnerId=me&limit=100${after}`,
    )
    arcs.push(...page.items)
    cursor = page.nextCursor
  }
  return arcs
}

const MOST_MESSAGES = 1_000

/** All messages after the one given, oldest first. */
async function messagesAfter(call: Call, arcPath: string, after: string | null) {
  const messages: ArcMessage[] = []
  for (;;) {
    const last = messages.at(-1)?.id ?? after
    const from = last === null ? '' : `&after=${encodeURIComponent(last)}`
    const { items } = await call<{ items: ArcMessage[] }>(
      `${arcPath}/messages?limit=${MOST_MESSAGES}${from}`,
    )
    messages.push(...items)
    if (items.length < MOST_MESSAGES) return messages
  }
}

async function callPatiently<T>(
  { address, onTrouble = () => {}, patienceMs = PATIENCE_MS, signal }: ClientOptions,
  path: string,
  init: RequestInit,
): Promise<T> {
  const deadline = Date.now() + patienceMs
  let pause = FIRST_PAUSE_MS
  let isInTrouble = false
  try {
    for (;;) {
      signal.throwIfAborted()
      const url = address()
      const response = url === null ? null : await tryOnce(url + path, init, signal)
      if (response && !isPassing(response)) {
        if (response.ok) return (await response.json()) as T
        throw new Refused(response.status, await detailOf(response))
      }
      if (Date.now() > deadline) {
        throw new Unreachable(response ? await detailOf(response) : 'Meno does not answer.')
      }
      isInTrouble = true
      onTrouble(true)
      await sleep(pause, null, { signal }).catch(() => {})
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2)
    }
  } finally {
    if (isInTrouble) onTrouble(false)
  }
}

/** The answer, read to its end; null where there was none. */
async function tryOnce(
  url: string,
  init: RequestInit,
  signal: AbortSignal,
): Promise<Response | null> {
  try {
    const response = await fetch(url, {
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ONE_TRY_MS)]),
    })
    const { status, headers } = response
    return new Response(await response.arrayBuffer(), { status, headers })
  } catch {
    return null
  }
}

/** Whether the same request may be answered otherwise a little later. */
const isPassing = ({ status, headers }: Response): boolean =>
  status >= 500 || status === 429 || (status === 409 && headers.has('retry-after'))

async function detailOf(response: Response): Promise<string> {
  const problem = (await response.json().catch(() => null)) as { detail?: unknown } | null
  if (typeof problem?.detail === 'string') return problem.detail
  return `Meno answered with status ${response.status}.`
}

export interface Listener {
  /** A connection stands; what came before it may have been missed. */
  onOpen: () => void
  onEvent: (event: ServerEvent) => void
}

/** Follows the events of an arc until the signal of the client is aborted; connects again, from the last event, whenever it breaks. */
async function followEvents(
  { address, signal }: ClientOptions,
  path: string,
  { onOpen, onEvent }: Listener,
): Promise<void> {
  let lastEventId: string | null = null
  let pause = FIRST_PAUSE_MS
  while (!signal.aborted) {
    try {
      const headers: Record<string, string> = { accept: 'text/event-stream' }
      if (lastEventId !== null) headers['last-event-id'] = lastEventId
      const response = await fetch(`${address() ?? ''}${path}`, { headers, signal })
      if (response.ok && response.body) {
        pause = FIRST_PAUSE_MS
        onOpen()
        for await (const event of readServerEvents(response.body)) {
          lastEventId = event.id ?? lastEventId
          onEvent(event)
        }
      }
    } catch {
      // A broken connection is what the next round is for.
    }
    await sleep(pause, null, { signal }).catch(() => {})
    pause = Math.min(LONGEST_PAUSE_MS, pause * 2)
  }
}
