/** What went wrong, as the server's problem document (RFC 9457) says it; status 0 when no answer came. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly title: string
  readonly detail: string
  /** One entry per bad field, with a JSON pointer. */
  readonly errors: readonly { pointer: string; detail: string }[]
  /** The courses that can be taught in place of a topic that cannot. */
  readonly courses: readonly { courseId: string; title: string }[]
  /** Seconds to wait, where the server says so. */
  readonly retryAfter: number | null

  constructor(
    status: number,
    document: { title?: unknown; detail?: unknown; errors?: unknown; courses?: unknown },
    retryAfter: number | null = null,
  ) {
    const title = typeof document.title === 'string' ? document.title : `HTTP ${status}`
    const detail = typeof document.detail === 'string' ? document.detail : ''
    super(detail || title)
    this.status = status
    this.title = title
    this.detail = detail
    this.errors = fieldErrors(document.errors)
    this.courses = Array.isArray(document.courses) ? document.courses : []
    this.retryAfter = retryAfter
  }
}

export const isProblem = (error: unknown): error is Problem => error instanceof Problem

/** Whether the same request may be answered otherwise a little later. */
export const isPassing = ({ status, retryAfter }: Problem): boolean =>
  status === 0 || status >= 500 || status === 429 || (status === 409 && retryAfter !== null)

function fieldErrors(errors: unknown): { pointer: string; detail: string }[] {
  if (!Array.isArray(errors)) return []
  return errors.map((error: Record<string, unknown>) => ({
    pointer: String(error.pointer ?? ''),
    detail: String(error.detail ?? error.message ?? ''),
  }))
}

/** The seconds that an answer asks to wait, or null. */
export function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}
