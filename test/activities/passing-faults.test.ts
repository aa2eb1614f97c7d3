import { expect, test } from 'vitest'
import { NewerState, passes } from '../../src/activities/spine/faults.ts'

const coded = (code: string, message = 'of a test') => Object.assign(new Error(message), { code })

/** Codes of Node's sockets and of PostgreSQL (appendix A of its manual). */
test.each([
  ...['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['08006', '08003', '57P01', '57P02', '57P03', '53300', '58030', '40001', '40P01', '55P03'],
])('%s passes by itself', (code) => {
  expect(passes(coded(code))).toBe(true)
})

test.each(['22001', '22021', '22P05', '23505', '23514', '42703', '54000', 'P0001', 'XX000'])(
  '%s is a fault of ours, whatever its words',
  (code) => {
    expect(passes(coded(code))).toBe(false)
    expect(passes(coded(code, 'invalid input: "write EPIPE"'))).toBe(false)
  },
)

test('what the driver says without a code of a connection that is gone passes; a type error does not', () => {
  expect(passes(new Error('Connection terminated unexpectedly'))).toBe(true)
  expect(passes(new Error('write EPIPE'))).toBe(true)
  expect(passes(new NewerState('arc', 9))).toBe(true)
  expect(passes(new TypeError('undefined is not a function'))).toBe(false)
  expect(passes('EPIPE')).toBe(false)
})
