import type { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { connect, type Db, type Rows, type Statements, sendNamed } from '../database.ts'

/** A decision may hold its row for a moment only: longer is a bug, and the row is let go. */
const LIMITS =
  "set local statement_timeout = '5s'; set local idle_in_transaction_session_timeout = '10s'"

/**
 * A transaction of few trips: what is read or written together is sent in one piece. It begins with the first read and
 * ends with `commit` or `end`.
 */
export class Transaction {
  readonly #client: pg.PoolClient
  #begun = false
  #open = true
  #queued: CompiledQuery[] = []

  readonly #begin: string

  private constructor(client: pg.PoolClient, begin: string) {
    this.#client = client
    this.#begin = begin
  }

  /**
   * Runs `work` in a transaction on a connection of its own. What it throws undoes everything, and the connection is
   * given up: nobody knows what is still under way on it.
   */
  static run<T>(db: Db, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return Transaction.#run(db, 'begin', work)
  }

  /** The same for who only reads: all as it stands at one moment, with nothing locked. */
  static look<T>(db: Db, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return Transaction.#run(db, 'begin isolation level repeatable read', work)
  }

  static async #run<T>(
    db: Db,
    begin: string,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const client = await connect(db)
    const transaction = new Transaction(client, begin)
    try {
      const result = await work(transaction)
      if (transaction.#begun && transaction.#open) await client.query('rollback')
      client.release()
      return result
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** Writes it with the next trip, before what that reads. */
  write(statements: readonly CompiledQuery[]): void {
    this.#queued.push(...statements)
  }

  /**
   * The rows of each statement; none of what is null.
   * @throws the first error
   */
  async read<R extends readonly unknown[]>(...statements: Statements<R>): Promise<Rows<R>> {
    const first = [...this.#opening(), ...this.#sendQueued()]
    const sent = (statements as readonly (CompiledQuery | null)[]).map((each) => this.#send(each))
    const results = await settled([...first, ...sent])
    return results.slice(first.length).map((result) => result?.rows ?? []) as never
  }

  /** Writes all of it and ends the transaction, in one trip; each is sent as soon as it is made. */
  async commit(statements: Iterable<CompiledQuery>): Promise<void> {
    const sent: Promise<pg.QueryResult | null>[] = [...this.#opening(), ...this.#sendQueued()]
    try {
      for (const each of statements) sent.push(this.#send(each))
    } catch (unmade) {
      await Promise.allSettled(sent)
      throw unmade
    }
    this.#open = false
    await settled([...sent, this.#client.query('commit')])
  }

  #opening(): Promise<pg.QueryResult>[] {
    if (this.#begun) return []
    this.#begun = true
    return [this.#client.query(this.#begin), this.#client.query(LIMITS)]
  }

  #sendQueued() {
    return this.#queued.splice(0).map((each) => this.#send(each))
  }

  #send(statement: CompiledQuery | null): Promise<pg.QueryResult | null> {
    if (!statement) return Promise.resolve(null)
    return sendNamed((query) => this.#client.query(query), statement.sql, statement.parameters)
  }
}

/** The results once all have ended; the first error counts, those after it are its consequences. */
async function settled(
  sent: readonly Promise<pg.QueryResult | null>[],
): Promise<(pg.QueryResult | null)[]> {
  const results = await Promise.allSettled(sent)
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return results.map((result) => (result.status === 'fulfilled' ? result.value : null))
}
