import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateToLatest } from '../../src/store/database.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})

afterAll(() => database.drop())

test('a fresh database is migrated and empty, and migrating again does nothing', async () => {
  expect(await migrateToLatest(database.db)).toEqual([])
  expect(await database.db.selectFrom('arcs').selectAll().execute()).toEqual([])
})
