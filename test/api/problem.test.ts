import {
  type ServiceError as GrpcError,
  isGrpcServiceError,
  ServiceError,
} from '@temporalio/client'
import { expect, test } from 'vitest'
import { toProblem } from '../../src/api/http/problem.ts'

const statusOf = (error: unknown) => toProblem(error, () => {}).status
const coded = (code: string, message = 'of a test') => Object.assign(new Error(message), { code })

/** As the transport makes them: status numbers of gRPC's specification. */
function grpc(code: number): Error {
  const error = Object.assign(new Error(`${code} said`), { code, details: 'said', metadata: {} })
  expect(isGrpcServiceError(error)).toBe(true)
  return error as unknown as GrpcError
}

test.each([
  ['a lost connection', coded('ECONNRESET')],
  ['a write to a server that ended', coded('EPIPE')],
  ['a server that is starting', coded('57P03')],
  ['what the driver says without a code', new Error('Connection terminated unexpectedly')],
  ['Temporal away', grpc(14)],
  [
    'Temporal away, as its client tells it',
    new ServiceError('Failed to signal', { cause: grpc(14) }),
  ],
  ['Temporal that does not answer in time', grpc(4)],
])('%s is told as a restart: try again', (_, error) => {
  expect(statusOf(error)).toBe(503)
})

test.each([
  ['a type error', new TypeError('undefined is not a function')],
  ['a constraint', coded('23505', 'duplicate key; connection of two rows')],
  ['a refusal of Temporal', grpc(3)],
])('%s is a fault of ours', (_, error) => {
  expect(statusOf(error)).toBe(500)
})
