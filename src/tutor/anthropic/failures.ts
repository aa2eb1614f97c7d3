import { APIConnectionTimeoutError, APIError, APIUserAbortError } from '@anthropic-ai/sdk'
import { TutorFailure } from '../mind.ts'

const MAX_DETAIL = 200

/** Error types of the Messages API and the status each stands for: an error inside a stream has a type but no status. */
const STATUS_OF_TYPE: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  timeout_error: 504,
  overloaded_error: 529,
}

/** What an operator can do about a refusal, by status. */
const REMEDY: Record<number, string> = {
  400: 'Check that MENO_MODEL_TUTOR and MENO_MODEL_FAST name models with structured outputs.',
  401: 'Set ANTHROPIC_API_KEY to a valid key and restart.',
  402: 'Add credit to the account that ANTHROPIC_API_KEY belongs to.',
  403: 'Give the key access to the models in MENO_MODEL_TUTOR and MENO_MODEL_FAST.',
  404: 'Check MENO_MODEL_TUTOR, MENO_MODEL_FAST and ANTHROPIC_BASE_URL.',
  413: 'The course material of this step is too long for the model.',
  422: 'Check that MENO_MODEL_TUTOR and MENO_MODEL_FAST name models with structured outputs.',
}

const WHAT: Record<number, string> = {
  401: 'refused the key',
  402: 'asks for payment',
  403: 'does not allow the request',
  404: 'does not know the model or the address',
}

/**
 * Says what a failed call means for those who decide what to do about it. The error's type comes before its status.
 * An abort of our own is returned as it is: it is no failure.
 */
export function toTutorFailure(error: unknown): unknown {
  if (error instanceof TutorFailure || isAbort(error)) return error
  if (!(error instanceof APIError)) return unavailable(error)
  const status = STATUS_OF_TYPE[error.type ?? ''] ?? error.status
  if (status === undefined) return unavailable(error)
  if (status === 429 || status === 529) {
    const what = status === 429 ? 'allows no more requests for now' : 'is overloaded'
    const wait = retryAfterMs(error.headers)
    return new TutorFailure('overloaded', `The model server ${what} (${status}).`, wait)
  }
  if (status === 408 || status === 409 || status >= 500 || status < 400) {
    const wait = retryAfterMs(error.headers)
    return new TutorFailure('unavailable', `The model server failed (${status}).`, wait)
  }
  return new TutorFailure('refused', refusal(status, error.apiMessage))
}

function refusal(status: number, apiMessage: string | null): string {
  const what = WHAT[status] ?? 'rejected the request'
  const detail = apiMessage && status !== 401 ? `: ${apiMessage.slice(0, MAX_DETAIL)}` : ''
  const end = /[.!?]$/.test(detail) ? '' : '.'
  const remedy = REMEDY[status] ?? 'Check ANTHROPIC_BASE_URL.'
  return `The model server ${what} (${status})${detail}${end} ${remedy}`
}

function unavailable(error: unknown): TutorFailure {
  const detail = error instanceof Error ? error.message.slice(0, MAX_DETAIL) : 'unknown error'
  return new TutorFailure('unavailable', `The model server cannot be reached: ${detail}`, null, {
    isLate: error instanceof APIConnectionTimeoutError,
  })
}

function isAbort(error: unknown): boolean {
  return (
    error instanceof APIUserAbortError || (error instanceof Error && error.name === 'AbortError')
  )
}

/** The wait a server asks for, in milliseconds: `retry-after-ms`, or `retry-after` in seconds or as a date. */
function retryAfterMs(headers: Headers | undefined): number | null {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (ms >= 0) return ms
  const after = headers?.get('retry-after') ?? ''
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after) * 1000
  const wait = Date.parse(after) - Date.parse(headers?.get('date') ?? '')
  return wait >= 0 ? wait : null
}
