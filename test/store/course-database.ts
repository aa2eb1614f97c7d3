import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Db, migrateToLatest, openDatabase } from '../../src/store/database.ts'

export interface OwnDatabase {
  db: Db
  url: string
  close(): Promise<void>
}

/** A migrated database of one's own on the PostgreSQL at `serverUrl`; dropped by `close`. */
export async function ownDatabase(serverUrl: string): Promise<OwnDatabase> {
  const name = `course_${randomUUID().replaceAll('-', '')}`
  await onServer(serverUrl, `create database ${name}`)
  const address = new URL(serverUrl)
  address.pathname = `/${name}`
  const url = address.href
  const { db } = openDatabase(url, 10)
  await migrateToLatest(db)
  return {
    db,
    url,
    async close() {
      await db.destroy()
      await onServer(serverUrl, `drop database ${name} with (force)`)
    },
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
