import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Db, migrateToLatest, openDatabase } from '../../src/store/database.ts'

export interface FreshDatabase {
  readonly url: string
  readonly db: Db
  /** Closes `db` and removes the database, whoever is still connected to it. */
  drop(): Promise<void>
}

/**
 * A database of its own, empty and migrated, on this test run's PostgreSQL.
 * @param serverUrl any database of that server; the run's own unless told
 */
export async function freshDatabase(serverUrl = inject('postgresUrl')): Promise<FreshDatabase> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  await asAdmin(serverUrl, `create database ${name}`)
  const { db } = openDatabase(url.href)
  await migrateToLatest(db)
  return {
    url: url.href,
    db,
    async drop() {
      await db.destroy()
      await asAdmin(serverUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

async function asAdmin(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
