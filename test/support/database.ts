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

/** The migrated database of a server that fresh ones are copies of. */
const TEMPLATE = 'migrated'
const NO_SUCH_DATABASE = '3D000'

/** Makes, once for a server, the migrated database that every fresh one is a copy of. */
export async function makeTemplate(serverUrl: string): Promise<void> {
  await asAdmin(serverUrl, `create database ${TEMPLATE}`)
  const { db } = openDatabase(urlOf(serverUrl, TEMPLATE), 1)
  await migrateToLatest(db)
  await db.destroy()
}

/**
 * A database of its own, empty and migrated, on this test run's PostgreSQL.
 * @param serverUrl any database of another server; the first one there makes the template, and is alone in that
 */
export async function freshDatabase(serverUrl = inject('postgresUrl')): Promise<FreshDatabase> {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  const url = urlOf(serverUrl, name)
  const copy = () => asAdmin(serverUrl, `create database ${name} template ${TEMPLATE}`)
  await copy().catch(async (error) => {
    if (error.code !== NO_SUCH_DATABASE) throw error
    await makeTemplate(serverUrl)
    await copy()
  })
  const { db } = openDatabase(url)
  return {
    url,
    db,
    async drop() {
      await db.destroy()
      await asAdmin(serverUrl, `drop database if exists ${name} with (force)`)
    },
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
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
