import { createHash } from 'node:crypto'
import { promises as fs } from 'node:fs'
import path from 'node:path'
import {
  type CompiledQuery,
  type ControlledTransaction,
  Kysely,
  PostgresDialect,
  sql,
  type Transaction,
} from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Database } from './schema.ts'

export type Db = Kysely<Database>
export type Trx = Transaction<Database>
/** Either: a query runs alike on the database and inside a transaction. */
export type DbOrTrx = Db | Trx | ControlledTransaction<Database>

const pools = new WeakMap<Db, pg.Pool>()

/**
 * A pool on the database; `max` connections at most. A connection that breaks is dropped, not fatal: whoever uses it
 * hears of it from its queries.
 */
export function openDatabase(url: string, max = 10): { db: Db; pool: pg.Pool } {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    pipeline: true,
  })
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    prepareRepeated(client)
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return { db, pool }
}

/** A statement that has a name is parsed once per connection, and soon planned once. */
function named(text: string, values: readonly unknown[]): pg.QueryConfig {
  let name = names.get(text)
  if (name === undefined) {
    name = createHash('md5').update(`${renewals} ${text}`).digest('base64')
    names.set(text, name)
  }
  return { name, text, values: [...values] }
}

const names = new Map<string, string>()
let renewals = 0
const FEATURE_NOT_SUPPORTED = '0A000'

/**
 * Sends a statement by its name. A plan that a change of its tables has overtaken (another version migrates while this
 * one runs) is made anew under another name, outside a transaction at once.
 */
export async function sendNamed(
  query: (config: pg.QueryConfig) => Promise<pg.QueryResult>,
  text: string,
  values: readonly unknown[],
): Promise<pg.QueryResult> {
  try {
    return await query(named(text, values))
  } catch (error) {
    if ((error as { code?: string }).code !== FEATURE_NOT_SUPPORTED) throw error
    names.delete(text)
    renewals += 1
    return query(named(text, values))
  }
}

/** From this many uses on a statement is prepared: one that is made anew each time never is. */
const REPEATED = 3
/** A connection keeps what it has prepared: not more than this. */
const MOST_PREPARED = 300
const uses = new Map<string, number>()

/** Gives statements names once they have come again and again. */
function prepareRepeated(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...sent: unknown[]) => Promise<pg.QueryResult>
  const prepared = (text: unknown, values: unknown, ...rest: unknown[]) => {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
      return query(text, values, ...rest)
    }
    return isRepeated(text) ? sendNamed(query, text, values) : query(text, values)
  }
  client.query = prepared as typeof client.query
}

function isRepeated(text: string): boolean {
  if (names.has(text)) return true
  const before = uses.get(text) ?? 0
  if (uses.size > 10 * MOST_PREPARED) uses.clear()
  uses.set(text, before + 1)
  return before + 1 >= REPEATED && names.size < MOST_PREPARED
}

/** A connection of the pool that `openDatabase` made. */
export async function connect(db: Db): Promise<pg.PoolClient> {
  const pool = pools.get(db)
  if (!pool) throw new Error('not a database of openDatabase')
  return pool.connect()
}

export type Statements<Rows extends readonly unknown[]> = {
  [K in keyof Rows]: CompiledQuery<Rows[K]> | null
}

/** The rows of several statements, in their order. */
export type Rows<R extends readonly unknown[]> = { [K in keyof R]: R[K][] }

/**
 * Runs what every turn needs, sent in one piece, which is one trip to the database. Each statement is a transaction of
 * its own. `db` is one that `openDatabase` gave.
 * @returns the rows of each; none of what is not needed, which is null
 * @throws the first error
 */
export async function queryTogether<R extends readonly unknown[]>(
  db: Db,
  ...statements: Statements<R>
): Promise<Rows<R>> {
  const client = await connect(db)
  const sent = (statements as readonly (CompiledQuery | null)[]).map((each) =>
    each ? sendNamed((config) => client.query(config), each.sql, each.parameters) : null,
  )
  const results = await Promise.allSettled(sent)
  const failed = results.find((result) => result.status === 'rejected')
  client.release(failed !== undefined)
  if (failed) throw failed.reason
  return results.map((result) =>
    result.status === 'fulfilled' ? (result.value?.rows ?? []) : [],
  ) as never
}

/** Reads several statements in one trip: a transaction, or the database itself. */
export interface Reader {
  read<R extends readonly unknown[]>(...statements: Statements<R>): Promise<Rows<R>>
}

/** Reads outside a transaction. */
export const readerOf = (db: Db): Reader => ({
  read: <R extends readonly unknown[]>(...statements: Statements<R>) =>
    queryTogether<R>(db, ...statements),
})

const MIGRATIONS = path.resolve(import.meta.dirname, '../../migrations')

/**
 * Brings the database up to date from the numbered `.sql` files; two at once wait for each other.
 * @returns the names of the migrations that ran now
 * @throws the first error, naming the file
 */
export async function migrateToLatest(db: Db, folder = MIGRATIONS): Promise<string[]> {
  const migrator = new Migrator({
    db,
    provider: {
      async getMigrations() {
        const files = (await fs.readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
        const migrations: Record<string, Migration> = {}
        for (const file of files) {
          const text = await fs.readFile(path.join(folder, file), 'utf8')
          migrations[file.replace(/\.sql$/, '')] = {
            up: async (trx: Kysely<unknown>) => {
              await sql.raw(text).execute(trx)
            },
          }
        }
        return migrations
      },
    },
  })
  const { error, results } = await migrator.migrateToLatest()
  if (error) {
    const failed =
      results?.find((result) => result.status === 'Error')?.migrationName ?? 'migration'
    throw new Error(`${failed} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
  return (results ?? []).filter((r) => r.status === 'Success').map((r) => r.migrationName)
}
