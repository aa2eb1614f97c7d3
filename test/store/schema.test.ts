import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

/** `table.column` of what `schema.ts` writes down: a table at two spaces, its columns at four or behind it. */
async function writtenColumns(): Promise<string[]> {
  const source = await readFile('src/store/schema.ts', 'utf8')
  const [, database = ''] = source.split('export interface Database {')
  const columns: string[] = []
  let table = ''
  for (const line of database.split('\n')) {
    const opening = line.match(/^ {2}(\w+): \{(.*)/)
    table = opening?.[1] ?? table
    const written = opening?.[2]?.split(';') ?? [line.match(/^ {4}(?=\w).*/)?.[0] ?? '']
    for (const [column] of written.flatMap((part) => [...part.matchAll(/^ *\w+(?=:)/g)])) {
      columns.push(`${table}.${column.trim()}`)
    }
  }
  return columns
}

test('every column of the database is in the schema, and no other', async () => {
  const { rows } = await sql<{ name: string }>`
    select table_name || '.' || column_name as name
    from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely_%'
  `.execute(fresh.db)
  const columns = rows.map(({ name }) => name)
  expect((await writtenColumns()).sort()).toEqual(columns.sort())
})
