import { afterAll, beforeAll, expect, test } from 'vitest'
import { installationKey } from '../../src/store/installation-keys.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

test('many that ask for a key at once all get the same, and it is never made again', async () => {
  let made = 0
  const make = () => {
    made += 1
    return { secret: `made ${made}` }
  }
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => installationKey(fresh.db, 'of many', make)),
  )
  expect(new Set(keys.map(({ secret }) => secret)).size).toBe(1)
  const before = made
  expect(await installationKey(fresh.db, 'of many', make)).toEqual(keys[0])
  expect(made).toBe(before)
  expect(await installationKey(fresh.db, 'another', make)).not.toEqual(keys[0])
})
