import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Db, migrateToLatest, openDatabase, queryTogether } from '../../src/store/database.ts'
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

describe('a table that is changed under statements that came again and again', () => {
  test.each([
    [
      'alone',
      async (db: Db) => db.selectFrom('learners').selectAll().where('handle', '=', 'x').execute(),
    ],
    [
      'together',
      async (db: Db) =>
        queryTogether(
          db,
          db.selectFrom('learners').selectAll().where('handle', '=', 'y').compile(),
        ),
    ],
  ])('is read on as it is now: %s', async (name, read) => {
    const { db } = openDatabase(database.url, 1)
    for (let time = 0; time < 8; time += 1) await read(db)
    await sql.raw(`alter table learners add column added_${name} integer`).execute(database.db)
    await expect(read(db)).resolves.toBeDefined()
    await db.destroy()
  })
})
