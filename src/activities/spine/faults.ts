/** An entity whose state was written by a later version of the code: a worker of that version takes it. */
export class NewerState extends Error {
  constructor(product: string, version: number) {
    super(`${product}: the state has version ${version}, which this worker does not know`)
    this.name = 'NewerState'
  }
}

/** Classes of SQLSTATE that pass by themselves: connection, resources, operator intervention, system, rolled back. */
const PASSING = ['08', '53', '57', '58', '40', '25', '55']

/** What the network or `pg` itself says when a connection is gone or cannot be had. */
const CONNECTION =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|Client was closed/i

/**
 * Whether an error passes by itself, so that trying again is right for as long as it takes: a lost connection, a store
 * that restarts, a conflict, a newer state. Anything else is a fault of ours.
 */
export function passes(error: unknown): boolean {
  if (error instanceof NewerState) return true
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: string }
  // EPIPE looks like an SQLSTATE and is none.
  if (CONNECTION.test(code)) return true
  if (/^[0-9A-Z]{5}$/.test(code)) return PASSING.includes(code.slice(0, 2))
  return CONNECTION.test(error.message)
}
