import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance } from '../../src/activities/spine/advance.ts'
import { passes } from '../../src/activities/spine/faults.ts'
import { think } from '../../src/activities/spine/think.ts'
import { openDatabase } from '../../src/store/database.ts'
import { wanted } from './counter.ts'
import { CounterStore } from './counter-store.ts'
import { CuttingProxy } from './cutting-proxy.ts'

let store: CounterStore

beforeAll(async () => {
  store = await CounterStore.open()
})
afterAll(() => store.database.drop())

/** A wire that breaks at a statement, and a database behind it. */
async function wire(number: number, side: 'sent' | 'done') {
  const name = `wire${++wires}`
  const proxy = await CuttingProxy.before(store.database.url, { number, side })
  const { db } = openDatabase(`${proxy.url}?application_name=${name}`)
  return {
    db,
    proxy,
    /** Waits until the server has done what it was sent, and noticed that nobody is there. */
    async quiet() {
      for (;;) {
        const { rows } = await sql`
          select 1 from pg_stat_activity where application_name = ${name} and state <> 'idle'`.execute(
          store.db,
        )
        if (rows.length === 0) return
      }
    },
    async close() {
      await db.destroy()
      proxy.close()
    },
  }
}
let wires = 0

const control = { id: 'run/1', type: 'add', payload: { by: 10 }, urgent: false }

/** Everything that a decision writes, or that is absent without it. */
async function written(id: string, input: string) {
  const { state, generation, last_event } = await store.row(id)
  const { taken_at, answered_at } = await store.input(id, input)
  return {
    decided: generation === 1,
    count: state?.count ?? 0,
    notes: (await store.notes(id)).length,
    events: (await store.events(id)).length,
    last_event,
    taken: taken_at !== null,
    answered: answered_at !== null,
  }
}

const NOTHING = {
  decided: false,
  count: 0,
  notes: 0,
  events: 0,
  last_event: 0,
  taken: false,
  answered: false,
}
const ALL = {
  decided: true,
  count: 1,
  notes: 1,
  events: 1,
  last_event: 1,
  taken: true,
  answered: true,
}

/** More statements than there are. */
const NUMBERS = Array.from({ length: 30 }, (_, index) => index + 1)

describe.each(['sent', 'done'] as const)('a connection cut when a statement is %s', (side) => {
  test('leaves a decision written wholly or not at all, and the next try completes it', async () => {
    const outcomes: boolean[] = []
    for (const number of NUMBERS) {
      const id = await store.begin()
      const input = await store.send(id, 'add')
      const { db, proxy, quiet, close } = await wire(number, side)
      const request = { product: 'practice', id, at: Date.now(), controls: [control], failed: [] }
      const tried = await Promise.allSettled([advance(store.dependencies(db), request)])
      if (proxy.hasCut) {
        expect(passes((tried[0] as PromiseRejectedResult).reason)).toBe(true)
        await quiet()
        const found = await written(id, input)
        expect([NOTHING, ALL]).toContainEqual(found)
        outcomes.push(found.decided)
        await advance(store.dependencies(db), request)
        await store.advanceAll(id)
        const { state } = await store.row(id)
        expect(state.count).toBe(11)
        expect(state.heard.filter((each) => each !== 'clock')).toEqual([input, 'run/1'])
        expect(await store.notes(id)).toEqual([input, 'run/1'])
        expect(await store.events(id)).toEqual(state.heard.map((_, index) => index + 1))
      }
      await close()
    }
    // Begin, limits, control, entity, inbox, notes; row, taken, note, answered, event, commit.
    expect(outcomes.length).toBeGreaterThan(10)
    expect(outcomes.slice(0, 6)).not.toContain(true)
    expect(outcomes.at(-1)).toBe(side === 'done')
    expect(store.counted).toEqual([])
  })

  test('makes a step wait for the store, which is asked for once and answered once', async () => {
    const cuts = await Promise.all(
      NUMBERS.map(async (number) => {
        const id = await store.begin()
        const key = `${side}${number}`
        await store.send(id, 'want', { step: wanted(key) })
        await store.advance(id)
        const { db, proxy, close } = await wire(number, side)
        const environment = new MockActivityEnvironment(
          { currentAttemptScheduledTimestampMs: Date.now() },
          { logger: new DefaultLogger('ERROR') },
        )
        const request = { product: 'practice', id, key }
        await environment.run(() => think(store.dependencies(db), request))
        const { state, generation } = await store.row(id)
        expect(state.answers).toEqual({ [key]: 'asked' })
        expect(generation).toBe(2)
        expect(store.script.asked.filter((asked) => asked === key)).toHaveLength(1)
        expect(await store.kept(id)).toHaveLength(1)
        expect((await store.notes(id)).at(-1)).toBe(`answer ${key}`)
        await close()
        return proxy.hasCut
      }),
    )
    expect(cuts.filter(Boolean).length).toBeGreaterThan(12)
    expect(store.counted).toEqual([])
  })
})
