import { isGrpcServiceError } from '@temporalio/client'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { Problem, type ProblemStatus } from '../../commands/problem.ts'
import { storePasses } from '../../store/passing.ts'

/** A problem document (RFC 9457); `errors` points at each bad field. */
export const ProblemDocument = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  })
  .catchall(z.unknown())

const TITLES: Record<number, string> = {
  400: 'The request cannot be read',
  401: 'Log in first',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not possible here',
  409: 'Not in this state',
  413: 'Too large',
  415: 'Unknown content type',
  422: 'The request is not valid',
  429: 'Too many requests',
  500: 'Something went wrong',
  503: 'Not available at the moment',
}

/** The answer for a problem. */
export function problemResponse(c: Context, problem: Problem): Response {
  const { status, message, extra, retryAfterSeconds } = problem
  if (retryAfterSeconds !== null) c.header('Retry-After', String(retryAfterSeconds))
  return c.body(
    JSON.stringify({
      type: 'about:blank',
      title: TITLES[status] ?? 'Problem',
      status,
      detail: message,
      ...extra,
    }),
    status,
    { 'content-type': 'application/problem+json' },
  )
}

const pointer = (path: PropertyKey[]) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** What a schema found wrong, as a problem with a JSON pointer for each field. */
export function validationProblem(error: z.ZodError): Problem {
  const errors = error.issues.map((issue) => ({
    pointer: pointer(issue.path),
    detail: issue.message,
  }))
  const detail = errors.map((e) => `${e.pointer || 'body'}: ${e.detail}`).join('; ')
  return new Problem(422, detail, { errors })
}

/** What gRPC says of a server that does not answer: unavailable, or not in time. */
const NO_ANSWER = [14, 4]

/** Whether Temporal cannot be reached; its client wraps what gRPC said. */
function isTemporalAway(error: unknown): boolean {
  const said = error instanceof Error && error.cause !== undefined ? error.cause : error
  return isGrpcServiceError(said) && NO_ANSWER.includes(said.code)
}

/** Any error as a problem; what is not expected is logged and told without its inside. */
export function toProblem(error: unknown, log: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error
  if (error instanceof z.ZodError) return validationProblem(error)
  if (error instanceof HTTPException) {
    return new Problem(
      error.status as ProblemStatus,
      error.message || 'The request cannot be read.',
    )
  }
  log(error)
  return storePasses(error) || isTemporalAway(error)
    ? new Problem(503, 'A part of Meno is restarting; please try again.', {}, 2)
    : new Problem(500, 'An unexpected error happened; it has been logged.')
}
