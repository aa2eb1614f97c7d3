/** Why something a person or a program asked for cannot be done, with the HTTP status that says so. */
export class Problem extends Error {
  readonly status: ProblemStatus
  /** What goes with it, by name: `errors` with a pointer for each bad field. */
  readonly extra: Record<string, unknown>
  readonly retryAfterSeconds: number | null

  constructor(
    status: ProblemStatus,
    detail: string,
    extra: Record<string, unknown> = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(detail)
    this.status = status
    this.extra = extra
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export type ProblemStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 500 | 503

/** A request with a field that is wrong: `pointer` is its JSON pointer, `detail` says what is wrong with it. */
export const wrongField = (pointer: string, detail: string) =>
  new Problem(422, `${pointer}: ${detail}`, { errors: [{ pointer, detail }] })

export const notFound = (what: string) => new Problem(404, `There is no such ${what}.`)
