import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readInput, storeInput, withdrawInput } from '../../src/store/spine/inbox.ts'
import { wanted } from './counter.ts'
import { CounterStore } from './counter-store.ts'

const HOUR_MS = 3_600_000

let store: CounterStore

beforeAll(async () => {
  store = await CounterStore.open()
})
afterAll(() => store.database.drop())
beforeEach(() => {
  store.counted.length = 0
  store.logged.length = 0
  Object.assign(store.script, { version: 1, unreadable: false, untellable: false })
})

describe('inputs', () => {
  test('of two that wait, one is taken up, and the standing says that there is more', async () => {
    const id = await store.begin()
    const [first, second] = [await store.send(id, 'add'), await store.send(id, 'add', { by: 10 })]
    const standing = await store.advance(id)
    expect(standing).toMatchObject({ more: true, generation: 1, view: { query: { count: 1 } } })
    expect(await store.advance(id)).toMatchObject({
      more: false,
      generation: 2,
      view: { query: { count: 11 } },
    })
    expect((await store.row(id)).state.heard).toEqual([first, second])
  })

  test('an answer is in the row of its input', async () => {
    const id = await store.begin()
    const input = await store.send(id, 'add', { by: 4 })
    expect(await readInput(store.db, id, input)).toMatchObject({ taken: false, answered: false })
    await store.advance(id)
    expect(await readInput(store.db, id, input)).toEqual({
      taken: true,
      answered: true,
      failed: false,
      answer: { count: 4 },
    })
  })

  test('of two with one id the first text wins', async () => {
    const id = await store.begin()
    expect(await storeInput(store.db, { entityId: id, id: 'a', type: 'add', payload: {} })).toBe(
      true,
    )
    const again = { entityId: id, id: 'a', type: 'add', payload: { by: 50 } }
    expect(await storeInput(store.db, again)).toBe(false)
    await store.advanceAll(id)
    expect((await store.row(id)).state).toMatchObject({ count: 1, heard: ['a'] })
  })

  test('run twice, it writes once for each input', async () => {
    const id = await store.begin()
    const input = await store.send(id, 'add')
    const at = Date.now()
    await Promise.all([store.advance(id, { at }), store.advance(id, { at })])
    const { state, generation, last_event } = await store.row(id)
    expect(state.count).toBe(1)
    expect(state.heard).toEqual([input, 'clock'])
    expect(await store.notes(id)).toEqual([input])
    expect([generation, last_event]).toEqual([2, 2])
    expect(await store.events(id)).toEqual([1, 2])
  })

  test('one that has to wait lets those after it go first, and is no reason to advance again', async () => {
    const id = await store.begin()
    await store.send(id, 'want', { step: wanted('a') })
    await store.advance(id)
    const patient = await store.send(id, 'patient')
    const added = await store.send(id, 'add')
    expect(await store.advance(id)).toMatchObject({ more: false })
    expect((await store.row(id)).state.heard.at(-1)).toBe(added)
    expect(await store.advance(id)).toMatchObject({ more: false })
    await store.send(id, 'drop', { key: 'a' })
    expect(await store.advance(id)).toMatchObject({ more: true })
    await store.advance(id)
    expect((await store.row(id)).state.heard.at(-1)).toBe(patient)
  })

  test('time never goes back', async () => {
    const id = await store.begin()
    const at = Date.now() + HOUR_MS
    await store.advance(id, { at })
    await store.advance(id, { at: at - 5_000 })
    expect((await store.row(id)).state.times).toEqual([at, at])
  })

  test('a step that code answers is answered in the same decision', async () => {
    const id = await store.begin()
    await store.send(id, 'want', { step: wanted('here') })
    expect(await store.advance(id)).toMatchObject({ think: [], generation: 1 })
    expect((await store.row(id)).state.answers).toEqual({ here: 'at once' })
  })

  test('an entity that was deleted is over', async () => {
    expect(await store.advance(randomUUID())).toMatchObject({ over: true, think: [] })
  })

  test('a failed step is told once, however often its advance is run', async () => {
    const id = await store.begin()
    await store.send(id, 'want', { step: wanted('a') })
    await store.advance(id)
    const failed = [{ key: 'a', slow: false }]
    await store.advance(id, { failed })
    await store.advance(id, { failed })
    const { heard } = (await store.row(id)).state
    expect(heard.filter((each) => each === 'no-answer unavailable a')).toHaveLength(1)
  })
})

describe('withdrawing', () => {
  test('a withdrawn input is not taken up, and a taken one not withdrawn', async () => {
    const id = await store.begin()
    const withdrawn = await store.send(id, 'add')
    expect(await withdrawInput(store.db, id, withdrawn)).toBe(true)
    const taken = await store.send(id, 'add')
    await store.advanceAll(id)
    expect(await withdrawInput(store.db, id, taken)).toBe(false)
    expect((await store.row(id)).state).toMatchObject({ count: 1, heard: [taken] })
  })

  test('when both happen at once only one of them does', async () => {
    const id = await store.begin()
    const seen = { taken: 0, withdrawn: 0 }
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
    // Whoever won begins later the next time, so that they meet on any machine.
    let lead = 0
    for (let round = 0; round < 150; round += 1) {
      const input = await store.send(id, 'add')
      const [withdrawn] = await Promise.all([
        pause(-lead).then(() => withdrawInput(store.db, id, input)),
        pause(lead).then(() => store.advance(id)),
      ])
      lead += withdrawn ? -1 : 1
      const { taken_at, withdrawn_at, answered_at } = await store.input(id, input)
      expect(taken_at === null).toBe(withdrawn)
      expect(withdrawn_at !== null).toBe(withdrawn)
      expect(answered_at === null).toBe(withdrawn)
      seen[withdrawn ? 'withdrawn' : 'taken'] += 1
    }
    expect((await store.row(id)).state.count).toBe(seen.taken)
    expect(seen.taken).toBeGreaterThan(0)
    expect(seen.withdrawn).toBeGreaterThan(0)
  })
})

describe('entities that send to each other', () => {
  test('do not wait for one another in a circle', async () => {
    const [a, b] = [await store.begin(), await store.begin()]
    const deadlocks = async () => {
      const { rows } = await sql<{ deadlocks: number }>`
        select pg_stat_force_next_flush(), deadlocks::int from pg_stat_database where datname = current_database()`.execute(
        store.db,
      )
      return rows[0]?.deadlocks
    }
    for (let round = 0; round < 40; round += 1) {
      await store.send(a, 'send', { to: b, id: `a${round}` })
      await store.send(b, 'send', { to: a, id: `b${round}` })
      await Promise.all([store.advance(a), store.advance(b)])
      await Promise.all([store.advanceAll(a), store.advanceAll(b)])
    }
    expect((await store.row(a)).state.count).toBe(40)
    expect((await store.row(b)).state.count).toBe(40)
    expect(store.woken).toContain(a)
    expect(await deadlocks()).toBe(0)
  })
})

describe('a fault of ours', () => {
  test.each(['throw', 'break'])(
    'on a message (%s): it is set aside after three tries, its sender told, and the next goes on',
    async (type) => {
      const id = await store.begin()
      const poison = await store.send(id, type)
      const next = await store.send(id, 'add')
      const standing = await store.advanceAll(id)
      expect(standing).toMatchObject({ fault: null, view: { query: { count: 1 } } })
      expect(await readInput(store.db, id, poison)).toMatchObject({
        failed: true,
        answered: true,
        answer: null,
      })
      expect(await store.notes(id)).toEqual([`set aside ${poison}`, next])
      expect(store.counted).toEqual(['practice'])
      expect((await store.row(id)).fault).toBeNull()
    },
  )

  test('on a control: it is set aside like a message, and is in the inbox', async () => {
    const id = await store.begin()
    const poison = { id: 'run/1', type: 'throw', payload: {}, urgent: true }
    const good = { id: 'run/2', type: 'add', payload: { by: 7 }, urgent: true }
    expect(await store.advance(id, { controls: [poison, good] })).toMatchObject({ fault: null })
    await store.advanceAll(id)
    expect(await readInput(store.db, id, 'run/1')).toMatchObject({ failed: true })
    expect((await store.row(id)).state.count).toBe(7)
  })

  test('is none where a control carries what cannot be stored: it is kept as it can be', async () => {
    const id = await store.begin()
    const payload = {
      by: 7,
      reason: 'x\u0000y\ud83d',
      'a\u0000': ['\ud800'],
      long: 'z'.repeat(300_000),
    }
    const control = { id: 'run/1', type: 'add', payload, urgent: true }
    expect(await store.advance(id, { controls: [control] })).toMatchObject({ fault: null })
    expect((await store.row(id)).state.count).toBe(7)
    const { payload: kept } = await store.db
      .selectFrom('inbox')
      .select('payload')
      .where('entity_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(kept).toEqual({
      by: 7,
      reason: 'x\ufffdy\ufffd',
      'a\ufffd': ['\ufffd'],
      long: 'z'.repeat(500),
    })
  })

  test('on a message does not lose the control that came with it', async () => {
    const id = await store.begin()
    await store.send(id, 'throw')
    const control = { id: 'run/1', type: 'add', payload: { by: 7 }, urgent: false }
    await store.advance(id, { controls: [control] })
    await store.advanceAll(id)
    expect((await store.row(id)).state.count).toBe(7)
  })

  test('that is not a message’s holds the entity up, is told once, and ends with a good decision', async () => {
    const id = await store.begin()
    await store.send(id, 'add')
    store.script.unreadable = true
    const at = Date.now()
    const standing = await store.advance(id, { at })
    expect(standing).toMatchObject({ think: [], more: false, over: false, wakeAt: at + HOUR_MS })
    expect(standing.fault).toBe(new Date(at).toISOString())
    await store.advance(id, { at: at + HOUR_MS })
    expect(await store.notes(id)).toEqual(['fault'])
    expect(store.counted).toEqual(['practice', 'practice'])
    expect(await store.row(id)).toMatchObject({
      fault: { since: new Date(at).toISOString(), held: true },
    })
    store.script.unreadable = false
    expect(await store.advance(id)).toMatchObject({ fault: null, more: false })
    expect(await store.row(id)).toMatchObject({ fault: null, state: { count: 1 } })
  })

  test('that cannot be told is stored all the same', async () => {
    const id = await store.begin()
    store.script.untellable = true
    const poison = await store.send(id, 'throw')
    await store.advanceAll(id)
    expect(await readInput(store.db, id, poison)).toMatchObject({ failed: true })
    store.script.unreadable = true
    expect((await store.advance(id)).fault).not.toBeNull()
    expect((await store.row(id)).fault).toMatchObject({ held: true })
  })

  test('a state of a newer version is left alone', async () => {
    const id = await store.begin()
    store.script.version = 2
    await store.send(id, 'add')
    await store.advance(id)
    store.script.version = 1
    await store.send(id, 'add')
    const before = await store.row(id)
    await expect(store.advance(id)).rejects.toThrow('version 2')
    expect(await store.row(id)).toEqual(before)
    expect(store.counted).toEqual([])
  })
})
