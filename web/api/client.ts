/** What went wrong, as the server's problem document (RFC 9457) says it; status 0 when no answer came. */
export class Problem extends Error {
  readonly status: number
  readonly title: string
  readonly detail: string
  /** One entry per bad field, with a JSON pointer. */
  readonly errors: readonly { pointer: string; detail: string }[]
  /** Seconds to wait, where the server says so. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    document: { title?: unknown; detail?: unknown; errors?: unknown },
    retryAfter: number | null = null,
  ) {
    const title = typeof document.title === 'string' ? document.title : `HTTP ${status}`
    const detail = typeof document.detail === 'string' ? document.detail : ''
    super(detail || title)
    this.name = 'Problem'
    this.status = status
    this.title = title
    this.detail = detail
    this.errors = fieldErrors(document.errors)
    this.retryAfter = retryAfter
  }
}

export const isProblem = (error: unknown): error is Problem => error instanceof Problem

function fieldErrors(errors: unknown): { pointer: string; detail: string }[] {
  if (!Array.isArray(errors)) return []
  return errors.map((error: Record<string, unknown>) => ({
    pointer: String(error.pointer ?? ''),
    detail: String(error.detail ?? error.message ?? ''),
  }))
}

export interface Call {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  body?: unknown
  /** Makes a repeat of this call harmless. */
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Calls the API of this origin. */
export const callApi = <T>(path: string, call: Call = {}): Promise<T> =>
  callServer<T>(`/api${path}`, call)

/**
 * Calls this origin, also where the address is not the API's own: practice sessions live at the root.
 * @returns the answer's JSON; undefined where there is none
 * @throws {Problem}
 */
export async function callServer<T>(path: string, call: Call = {}): Promise<T> {
  const headers: Record<string, string> = { accept: 'application/json' }
  if (call.body !== undefined) headers['content-type'] = 'application/json'
  if (call.idempotencyKey) headers['idempotency-key'] = call.idempotencyKey
  let response: Response
  try {
    response = await fetch(path, {
      method: call.method ?? 'GET',
      headers,
      body: call.body === undefined ? null : JSON.stringify(call.body),
      signal: call.signal ?? null,
    })
  } catch (error) {
    if (call.signal?.aborted) throw error
    throw new Problem(0, { title: 'No connection', detail: 'The server cannot be reached.' })
  }
  const answer = await readJson(response)
  if (!response.ok) throw new Problem(response.status, answer ?? {}, retryAfter(response))
  return answer as T
}

async function readJson(response: Response): Promise<Record<string, unknown> | undefined> {
  const text = await response.text()
  if (text === '') return undefined
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    if (response.ok) throw new Problem(response.status, { title: 'Unreadable answer' })
    return undefined
  }
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}
