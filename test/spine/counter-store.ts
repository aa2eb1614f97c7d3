import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { advance, type SpineDependencies } from '../../src/activities/spine/advance.ts'
import type { Standing } from '../../src/domain/spine/decision.ts'
import type { Db } from '../../src/store/database.ts'
import { type EntityToWake, entityInsert } from '../../src/store/spine/entities.ts'
import { storeInput } from '../../src/store/spine/inbox.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { type CounterScript, type CounterState, counter } from './counter.ts'

/** Counters in a database of their own, and what became of them. */
export class CounterStore {
  readonly database: FreshDatabase
  readonly script: CounterScript = {
    asked: [],
    ask: async () => 'asked',
    version: 1,
    unreadable: false,
    untellable: false,
  }
  /** Whom the spine has woken. */
  readonly woken: string[] = []
  /** The stacks of faults that were logged, and the products they were counted for. */
  readonly logged: unknown[] = []
  readonly counted: string[] = []

  private constructor(database: FreshDatabase) {
    this.database = database
  }

  static async open(): Promise<CounterStore> {
    const store = new CounterStore(await freshDatabase())
    await sql`create table notes (place serial, entity_id uuid, text text)`.execute(store.db)
    return store
  }

  get db(): Db {
    return this.database.db
  }

  dependencies(db = this.db): SpineDependencies {
    return {
      db,
      products: [counter(this.script)],
      wake: ({ id }: EntityToWake) => this.woken.push(id),
      log: { error: (fault: unknown) => this.logged.push(fault), warn: () => {} } as never,
      onFault: (product) => this.counted.push(product),
    }
  }

  async begin(): Promise<string> {
    const id = randomUUID()
    await entityInsert(this.db, {
      id,
      product: 'practice',
      workflowId: `counter-${id}`,
      learnerId: null,
      courseId: null,
    }).execute()
    return id
  }

  /** Stores an input and returns its id. */
  async send(
    entityId: string,
    type: string,
    payload: Record<string, unknown> = {},
    id: string = randomUUID(),
  ): Promise<string> {
    await storeInput(this.db, { entityId, id, type, payload })
    return id
  }

  advance(
    id: string,
    { at = Date.now(), ...request }: Partial<Parameters<typeof advance>[1]> = {},
  ): Promise<Standing> {
    const asked = { product: 'practice', id, at, controls: [], failed: [], ...request }
    return advance(this.dependencies(), asked)
  }

  /** Advances for as long as more waits, as its workflow does. */
  async advanceAll(id: string): Promise<Standing> {
    for (;;) {
      const standing = await this.advance(id)
      if (!standing.more) return standing
    }
  }

  async row(id: string) {
    const row = await this.db
      .selectFrom('entities')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return { ...row, state: row.state as CounterState }
  }

  input(entityId: string, id: string) {
    return this.db
      .selectFrom('inbox')
      .selectAll()
      .where('entity_id', '=', entityId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  }

  async notes(id: string): Promise<string[]> {
    const { rows } = await sql<{ text: string }>`
      select text from notes where entity_id = ${id}::uuid order by place`.execute(this.db)
    return rows.map(({ text }) => text)
  }

  async kept(id: string): Promise<{ step_key: string; output: unknown; output_tokens: number }[]> {
    const rows = await this.db
      .selectFrom('model_steps')
      .select(['step_key', 'output', 'output_tokens'])
      .where('entity_id', '=', id)
      .execute()
    return rows as never
  }

  async events(id: string): Promise<number[]> {
    const rows = await this.db
      .selectFrom('events')
      .select('seq')
      .where('stream', '=', id)
      .orderBy('seq')
      .execute()
    return rows.map(({ seq }) => Number(seq))
  }
}
