import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { wakeForgotten } from '../../src/commands/reconciler.ts'
import { countLate, forgottenEntities } from '../../src/store/spine/reconciling.ts'
import { wanted } from './counter.ts'
import { CounterStore } from './counter-store.ts'

let store: CounterStore

beforeAll(async () => {
  store = await CounterStore.open()
})
afterAll(() => store.database.drop())
afterEach(() => store.db.deleteFrom('entities').execute())

/** Sets a date of the entity or of its inputs back by so many seconds. */
async function earlier(id: string, column: string, seconds: number): Promise<void> {
  const [table, key] = column === 'received_at' ? ['inbox', 'entity_id'] : ['entities', 'id']
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = now() - interval '1 second' * ${seconds}::int
    where ${sql.ref(key)} = ${id}::uuid`.execute(store.db)
}

const found = async () => (await forgottenEntities(store.db)).map(({ id }) => id)

/** A counter that has decided once and waits for nothing. */
async function settled(): Promise<string> {
  const id = await store.begin()
  await store.advance(id)
  return id
}

describe('it finds', () => {
  test('inputs that were not taken up for five seconds', async () => {
    const id = await settled()
    await store.send(id, 'add')
    expect(await found()).toEqual([])
    await earlier(id, 'received_at', 6)
    expect(await found()).toEqual([id])
    await store.advance(id)
    expect(await found()).toEqual([])
  })

  test('dates that are past by a minute, which a new entity’s is if nobody woke it', async () => {
    const id = await store.begin()
    await earlier(id, 'wake_at', 50)
    expect(await found()).toEqual([])
    await earlier(id, 'wake_at', 61)
    expect(await found()).toEqual([id])
  })

  test('steps that are wanted for longer than five minutes', async () => {
    const id = await settled()
    await store.send(id, 'want', { step: wanted('a') })
    await store.advance(id)
    await earlier(id, 'thinking_since', 290)
    expect(await found()).toEqual([])
    await earlier(id, 'thinking_since', 301)
    expect(await found()).toEqual([id])
  })

  test('nothing of an input that was withdrawn, set aside or answered', async () => {
    const id = await settled()
    await store.send(id, 'throw')
    await store.advanceAll(id)
    const withdrawn = await store.send(id, 'add')
    await store.db
      .updateTable('inbox')
      .set({ withdrawn_at: new Date() })
      .where('id', '=', withdrawn)
      .execute()
    await earlier(id, 'received_at', 60)
    expect(await found()).toEqual([])
  })

  test('an entity once, whatever was forgotten of it, with what its workflow is started with', async () => {
    const id = await settled()
    for (let input = 0; input < 5; input += 1) await store.send(id, 'add')
    await earlier(id, 'received_at', 60)
    await earlier(id, 'wake_at', 100)
    expect(await forgottenEntities(store.db)).toEqual([
      {
        id,
        product: 'practice',
        workflow_id: `counter-${id}`,
        learner_id: null,
        course_id: null,
      },
    ])
  })
})

test('each is signalled again twice as late, up to ten minutes, and at once when it has moved on', async () => {
  const id = await settled()
  await store.send(id, 'add')
  await earlier(id, 'received_at', 3_600)
  expect(await found()).toEqual([id])
  for (const patience of [10, 20, 40, 80, 160, 320, 600, 600]) {
    await earlier(id, 'signalled_at', patience - 3)
    expect(await found()).toEqual([])
    await earlier(id, 'signalled_at', patience + 1)
    expect(await found()).toEqual([id])
  }
  await store.advance(id)
  await store.send(id, 'add')
  await earlier(id, 'received_at', 6)
  expect(await found()).toEqual([id])
})

describe('it wakes', () => {
  test('200 at a time, each one before any a second time', async () => {
    const ids = await Promise.all(Array.from({ length: 250 }, () => store.begin()))
    await sql`update entities set wake_at = now() - interval '2 hours'`.execute(store.db)
    const first = await found()
    expect(first).toHaveLength(200)
    const second = await found()
    expect(new Set([...first, ...second])).toEqual(new Set(ids))
    expect(second).toHaveLength(50)
  })

  test('all others when one cannot be woken', async () => {
    const ids = [await store.begin(), await store.begin(), await store.begin()]
    for (const id of ids) await earlier(id, 'wake_at', 100)
    const woken: string[] = []
    const wake = async ({ id }: { id: string }) => {
      woken.push(id)
      if (woken.length === 1) throw new Error('Temporal is away')
    }
    await wakeForgotten({ db: store.db, wake, log: { debug: () => {} } })
    expect(woken.sort()).toEqual(ids.sort())
  })

  test('beside another reconciler, each entity once', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, () => store.begin()))
    await sql`update entities set wake_at = now() - interval '2 hours'`.execute(store.db)
    const rounds = await Promise.all([found(), found(), found()])
    expect(rounds.flat().sort()).toEqual(ids.sort())
  })
})

test('what is held up or late is counted by product', async () => {
  const [held, late] = [await settled(), await settled()]
  await earlier(late, 'wake_at', 100)
  store.script.unreadable = true
  await store.advance(held)
  store.script.unreadable = false
  expect(await countLate(store.db)).toEqual([{ product: 'practice', blocked: 1, late: 1 }])
})
