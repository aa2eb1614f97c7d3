/** Classes of SQLSTATE that pass by themselves: connection, resources, operator intervention, system, rolled back. */
const PASSING = ['08', '53', '57', '58', '40', '25', '55']

/** What the network or `pg` itself says when a connection is gone or cannot be had. */
const CONNECTION =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|Connection terminated|connection timeout|timeout exceeded when trying to connect|not queryable|Client was closed/i

/** Whether an error of the store passes by itself: a lost connection, a server that restarts, a conflict. */
export function storePasses(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as { code?: unknown }
  if (typeof code !== 'string') return CONNECTION.test(error.message)
  // EPIPE looks like an SQLSTATE and is none.
  if (CONNECTION.test(code)) return true
  if (/^[0-9A-Z]{5}$/.test(code)) return PASSING.includes(code.slice(0, 2))
  return CONNECTION.test(error.message)
}
