import { isPassing, isProblem, Problem, retryAfterOf } from './problem.ts'

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  /** Makes a repeat of this call harmless. */
  idempotencyKey?: string
  /** Asks the server to answer when all is done, for at most so many seconds. */
  waitSeconds?: number
  signal?: AbortSignal
}

/** Calls a path of the server: the answer's JSON, undefined where it is empty. Throws `Problem`. */
export type CallServer = <T>(path: string, call?: Call) => Promise<T>

/** Where the server answers at this moment: its origin, '' for the page's own, null while there is none. */
export type Address = () => string | null

/** Calls of the server at an address. A call without an answer after `timeoutMs` counts as one that found no server. */
export function createCall(
  address: Address,
  timeoutMs?: number,
  fetchAnswer: typeof fetch = (...request) => fetch(...request),
): CallServer {
  return async <T>(path: string, call: Call = {}) => {
    const { response, text } = await send(fetchAnswer, address, path, call, timeoutMs)
    const answer = readJson(response, text)
    if (!response.ok) throw new Problem(response.status, answer ?? {}, retryAfterOf(response))
    return answer as T
  }
}

async function send(
  fetchAnswer: typeof fetch,
  address: Address,
  path: string,
  { method = 'GET', body, idempotencyKey, waitSeconds, signal }: Call,
  timeoutMs: number | undefined,
): Promise<{ response: Response; text: string }> {
  signal?.throwIfAborted()
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey) headers['idempotency-key'] = idempotencyKey
  if (waitSeconds) headers.prefer = `wait=${waitSeconds}`
  const ends = [...(signal ? [signal] : []), ...(timeoutMs ? [AbortSignal.timeout(timeoutMs)] : [])]
  try {
    const origin = address()
    if (origin === null) throw new TypeError('there is no address')
    const response = await fetchAnswer(origin + path, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.any(ends),
    })
    return { response, text: await response.text() }
  } catch {
    signal?.throwIfAborted()
    throw new Problem(0, { title: 'No connection', detail: 'The server cannot be reached.' })
  }
}

function readJson(response: Response, text: string): Record<string, unknown> | undefined {
  if (text === '') return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    if (response.ok) throw new Problem(response.status, { title: 'Unreadable answer' })
    return undefined
  }
}

export interface Patience {
  patienceMs: number
  /** Told when an answer is overdue, and again when it came. */
  onTrouble?: (isInTrouble: boolean) => void
  /** Ends every call and every wait; they throw its reason. */
  signal: AbortSignal
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** The same calls, made again for as long as the patience lasts while what went wrong may pass. */
export function patiently(
  call: CallServer,
  { patienceMs, onTrouble = () => {}, signal }: Patience,
): CallServer {
  return async (path, what) => {
    const deadline = Date.now() + patienceMs
    let isInTrouble = false
    try {
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
        try {
          return await call(path, { ...what, signal })
        } catch (error) {
          if (!isProblem(error) || !isPassing(error) || Date.now() > deadline) throw error
        }
        isInTrouble = true
        onTrouble(true)
        await delay(pause, signal)
      }
    } finally {
      if (isInTrouble) onTrouble(false)
    }
  }
}

/** Waits that long; less where the signal is aborted, or the target has the event `online`. */
export function delay(ms: number, signal: AbortSignal, network?: EventTarget): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms)
    function finish() {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      network?.removeEventListener('online', finish)
      resolve()
    }
    signal.addEventListener('abort', finish, { once: true })
    network?.addEventListener('online', finish, { once: true })
    if (signal.aborted) finish()
  })
}
