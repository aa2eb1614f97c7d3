import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
} from '@anthropic-ai/sdk'
import { describe, expect, it } from 'vitest'
import { toTutorFailure } from '../../../src/tutor/anthropic/failures.ts'
import { TutorFailure } from '../../../src/tutor/mind.ts'

function fromServer(status: number, type: string, headers: Record<string, string> = {}) {
  const body = { type: 'error', error: { type, message: 'no credit left' } }
  return APIError.generate(status, body, undefined, new Headers(headers))
}

function failure(error: unknown): TutorFailure {
  const mapped = toTutorFailure(error)
  expect(mapped).toBeInstanceOf(TutorFailure)
  return mapped as TutorFailure
}

describe('what a failed call means', () => {
  it.each([
    [429, 'rate_limit_error', 'overloaded'],
    [529, 'overloaded_error', 'overloaded'],
    [500, 'api_error', 'unavailable'],
    [503, 'api_error', 'unavailable'],
    [504, 'timeout_error', 'unavailable'],
    [408, 'timeout_error', 'unavailable'],
    [409, 'conflict_error', 'unavailable'],
    [400, 'invalid_request_error', 'refused'],
    [401, 'authentication_error', 'refused'],
    [402, 'billing_error', 'refused'],
    [403, 'permission_error', 'refused'],
    [404, 'not_found_error', 'refused'],
    [413, 'request_too_large', 'refused'],
    [422, 'invalid_request_error', 'refused'],
  ])('%i %s is %s', (status, type, kind) => {
    expect(failure(fromServer(status, type)).kind).toBe(kind)
    expect(failure(fromServer(status, 'a type that is new')).kind).toBe(kind)
  })

  it('goes by the type where an error inside a stream has no status', () => {
    const inside = (type: string) => {
      const body = { type: 'error', error: { type, message: 'x' } }
      return new APIError(undefined, body, undefined, new Headers(), null)
    }
    expect(failure(inside('overloaded_error')).kind).toBe('overloaded')
    expect(failure(inside('rate_limit_error')).kind).toBe('overloaded')
    expect(failure(inside('invalid_request_error')).kind).toBe('refused')
    expect(failure(inside('api_error')).kind).toBe('unavailable')
  })

  it('goes by the type before the status', () => {
    expect(failure(fromServer(500, 'overloaded_error')).kind).toBe('overloaded')
  })

  it('tells how long the server asks to wait', () => {
    const wait = (headers: Record<string, string>) =>
      failure(fromServer(429, 'rate_limit_error', headers)).retryAfterMs
    expect(wait({ 'retry-after': '7' })).toBe(7_000)
    expect(wait({ 'retry-after': '7', 'retry-after-ms': '1500' })).toBe(1_500)
    expect(
      wait({
        date: 'Thu, 01 Jan 2026 00:00:00 GMT',
        'retry-after': 'Thu, 01 Jan 2026 00:01:00 GMT',
      }),
    ).toBe(60_000)
    expect(wait({ 'retry-after': 'soon' })).toBeNull()
    expect(wait({})).toBeNull()
  })

  it('tells an operator what to do, and repeats what the server said, but not about a key', () => {
    expect(failure(fromServer(401, 'authentication_error')).message).toBe(
      'The model server refused the key (401). Set ANTHROPIC_API_KEY to a valid key and restart.',
    )
    expect(failure(fromServer(404, 'not_found_error')).message).toContain('MENO_MODEL_TUTOR')
    expect(failure(fromServer(400, 'invalid_request_error')).message).toContain('no credit left')
  })

  it('takes broken connections, time-outs and what nobody knows for an outage', () => {
    const broken = [
      new APIConnectionError({ message: 'refused' }),
      new APIConnectionTimeoutError(),
      new TypeError('terminated'),
      new SyntaxError('Unexpected token'),
      'a string',
    ]
    for (const error of broken) expect(failure(error).kind).toBe('unavailable')
  })

  it('leaves an abort and a failure that is already named as they are', () => {
    const left = [
      new APIUserAbortError(),
      new DOMException('stop', 'AbortError'),
      new TutorFailure('malformed', 'x'),
    ]
    for (const error of left) expect(toTutorFailure(error)).toBe(error)
  })
})
