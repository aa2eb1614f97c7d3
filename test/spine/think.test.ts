import { setTimeout as pause } from 'node:timers/promises'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { StepLife } from '../../src/activities/spine/product.ts'
import { think } from '../../src/activities/spine/think.ts'
import type { Standing } from '../../src/domain/spine/decision.ts'
import { TutorFailure } from '../../src/tutor/mind.ts'
import { wanted } from './counter.ts'
import { CounterStore } from './counter-store.ts'

const HOUR_MS = 3_600_000

let store: CounterStore

beforeAll(async () => {
  store = await CounterStore.open()
})
afterAll(() => store.database.drop())
beforeEach(() => {
  store.script.asked.length = 0
  store.script.ask = async () => 'asked'
  store.counted.length = 0
  store.woken.length = 0
})

/** A counter that wants the steps. */
async function wanting(...keys: string[]): Promise<string> {
  const id = await store.begin()
  for (const key of keys) await store.send(id, 'want', { step: wanted(key) })
  await store.advanceAll(id)
  return id
}

interface Attempt {
  attempt?: number
  scheduledAt?: number
  environment?: MockActivityEnvironment
}

function run(
  id: string,
  key: string,
  { attempt = 1, scheduledAt = Date.now(), environment }: Attempt = {},
): Promise<Standing> {
  const info = {
    attempt,
    scheduledTimestampMs: scheduledAt,
    currentAttemptScheduledTimestampMs: scheduledAt,
  }
  const place =
    environment ?? new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') })
  return place.run(() => think(store.dependencies(), { product: 'practice', id, key }))
}

let count = 0
const newKey = (name = 'a') => `${name}${++count}`

describe('an answer', () => {
  test('is kept with its cost and decided upon at once', async () => {
    const key = newKey()
    const id = await wanting(key)
    const standing = await run(id, key)
    expect(standing).toMatchObject({ generation: 2, think: [], more: false })
    expect((await store.row(id)).state.answers).toEqual({ [key]: 'asked' })
    expect(await store.kept(id)).toEqual([{ step_key: key, output: 'asked', output_tokens: 5 }])
    expect(store.script.asked).toEqual([key])
  })

  test('tells of inputs that wait', async () => {
    const key = newKey()
    const id = await wanting(key)
    await store.send(id, 'patient')
    expect(await run(id, key)).toMatchObject({ more: true })
  })

  test('is never asked for twice: neither when it is applied, nor when only kept', async () => {
    const key = newKey()
    const id = await wanting(key)
    await run(id, key)
    expect(await run(id, key)).toMatchObject({ generation: 2, think: [] })
    await store.send(id, 'want', { step: wanted(key) })
    await store.advance(id)
    expect(await run(id, key)).toMatchObject({ think: [] })
    expect(store.script.asked).toEqual([key])
  })

  test('is asked for while somebody else holds the entity’s row', async () => {
    const key = newKey()
    const id = await wanting(key)
    const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>()
    store.script.ask = async () => {
      isAsked()
      return 'asked'
    }
    const running = await store.db.transaction().execute(async (trx) => {
      await sql`select from entities where id = ${id} for update`.execute(trx)
      const standing = run(id, key)
      await asked
      return { standing }
    })
    expect(await running.standing).toMatchObject({ generation: 2, think: [] })
  })

  test('that nobody waits for any more is not asked for', async () => {
    const key = newKey()
    const id = await wanting()
    expect(await run(id, key)).toMatchObject({ generation: 1, think: [] })
    expect(store.script.asked).toEqual([])
  })

  test('that comes too late is kept, and not applied', async () => {
    const key = newKey()
    const id = await wanting(key)
    store.script.ask = async () => {
      await store.send(id, 'drop', { key })
      await store.advanceAll(id)
      return 'late'
    }
    const standing = await run(id, key)
    expect(standing.generation).toBe((await store.row(id)).generation)
    expect((await store.row(id)).state.answers).toEqual({})
    expect(await store.kept(id)).toMatchObject([{ output: 'late' }])
  })

  test('of two runs at once one counts', async () => {
    const key = newKey()
    const id = await wanting(key)
    let asked = 0
    store.script.ask = async () => {
      asked += 1
      const mine = asked
      await pause(50)
      return `number ${mine}`
    }
    await Promise.all([run(id, key), run(id, key)])
    const { state, generation } = await store.row(id)
    expect(state.heard.filter((each) => each.startsWith('answer'))).toHaveLength(1)
    expect(generation).toBe(2)
    expect(await store.kept(id)).toHaveLength(1)
  })

  test('that no database can hold is kept all the same', async () => {
    const key = newKey()
    const id = await wanting(key)
    store.script.ask = async () => ({ text: 'a\u0000b\ud800' })
    await run(id, key)
    expect((await store.row(id)).state.answers).toEqual({ [key]: { text: 'a\ufffdb\ufffd' } })
    expect(store.counted).toEqual([])
  })

  test('has the server’s time of its attempt, and what has passed since', async () => {
    const key = newKey()
    const id = await wanting(key)
    const scheduledAt = Date.now() + 30 * 24 * HOUR_MS
    store.script.ask = () => pause(100, 'asked')
    await run(id, key, { scheduledAt })
    const at = (await store.row(id)).state.times.at(-1) ?? 0
    expect(at).toBeGreaterThanOrEqual(scheduledAt + 100)
    expect(at).toBeLessThan(scheduledAt + 10_000)
  })
})

describe('a fault of ours on a paid answer', () => {
  test('keeps it, holds the entity up, and asks nobody again, however often it is tried', async () => {
    const key = newKey()
    const id = await wanting(key)
    store.script.ask = async () => 'bad'
    const scheduledAt = Date.now()
    const held = await run(id, key, { scheduledAt })
    expect(held).toMatchObject({ think: [], fault: expect.any(String) })
    expect(held.wakeAt).toBeGreaterThanOrEqual(scheduledAt + HOUR_MS)
    expect(await store.kept(id)).toMatchObject([{ output: 'bad', output_tokens: 5 }])
    expect(await run(id, key)).toMatchObject({ think: [], fault: held.fault })
    for (const hours of [1, 2]) {
      const at = scheduledAt + hours * (HOUR_MS + 1_000)
      expect((await store.advance(id, { at })).think).toHaveLength(1)
      expect(await run(id, key, { scheduledAt: at })).toMatchObject({ fault: held.fault })
    }
    expect(store.script.asked).toEqual([key])
    expect(store.counted).toHaveLength(3)
    expect((await store.notes(id)).filter((note) => note === 'fault')).toHaveLength(1)
  })

  test('of the one who asks holds the entity up, too', async () => {
    const key = newKey()
    const id = await wanting(key)
    store.script.ask = async () => {
      throw new RangeError('a fault in a prompt')
    }
    expect(await run(id, key)).toMatchObject({ think: [], fault: expect.any(String) })
  })
})

describe('no answer', () => {
  test.each(['refused', 'malformed'] as const)('%s is an input at once', async (kind) => {
    const key = newKey()
    const id = await wanting(key)
    store.script.ask = async () => {
      throw new TutorFailure(kind, 'no')
    }
    expect(await run(id, key)).toMatchObject({ think: [] })
    expect((await store.row(id)).state.heard.at(-1)).toBe(`no-answer ${kind} ${key}`)
  })

  test.each(['overloaded', 'unavailable'] as const)(
    '%s is tried again, and is an input at the last attempt',
    async (kind) => {
      const key = newKey()
      const id = await wanting(key)
      store.script.ask = async () => {
        throw new TutorFailure(kind, 'later', 7_000)
      }
      for (const attempt of [1, 2]) {
        await expect(run(id, key, { attempt })).rejects.toMatchObject({
          type: `Step.${kind}`,
          nextRetryDelay: 7_000,
        })
      }
      expect((await store.row(id)).generation).toBe(1)
      await run(id, key, { attempt: 3 })
      expect((await store.row(id)).state.heard.at(-1)).toBe(`no-answer unavailable ${key}`)
    },
  )
})

test('a model that asks for more than eight seconds of patience is told as slow, before it is asked again', async () => {
  const key = newKey()
  const id = await wanting(key)
  store.script.ask = async () => {
    throw new TutorFailure('overloaded', 'later', 25_000)
  }
  await expect(run(id, key, { attempt: 1 })).rejects.toMatchObject({ nextRetryDelay: 25_000 })
  expect((await store.row(id)).state.heard.at(-1)).toBe(`slow ${key}`)
})

describe('while it runs', () => {
  test('eight seconds of silence are told, and a token starts them anew', async () => {
    vi.setConfig({ testTimeout: 60_000 })
    const [silent, lively] = [newKey('silent'), newKey('lively')]
    const id = await wanting(silent, lively)
    store.script.ask = async (key: string, life: StepLife) => {
      if (key === silent) return pause(10_000, 'at last')
      for (let second = 0; second < 5; second += 1) {
        await pause(2_000)
        life.onToken()
      }
      return 'lively'
    }
    await Promise.all([run(id, silent), run(id, lively)])
    const { heard } = (await store.row(id)).state
    expect(heard.slice(2)).toEqual([`slow ${silent}`, expect.anything(), expect.anything()])
    expect(store.woken).toEqual([])
  })

  test('silence that changes what the entity wants wakes its workflow', async () => {
    const key = newKey('impatient')
    const id = await wanting(key)
    store.script.ask = () => pause(9_000, 'too late')
    await run(id, key)
    expect(store.woken).toEqual([id])
    expect(await store.kept(id)).toMatchObject([{ output: 'too late' }])
  })

  test('it beats, and a cancellation ends it without a decision', async () => {
    const key = newKey()
    const id = await wanting(key)
    const environment = new MockActivityEnvironment(
      { attempt: 1 },
      { logger: new DefaultLogger('ERROR') },
    )
    const beats = vi.fn()
    environment.on('heartbeat', beats)
    store.script.ask = (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const running = run(id, key, { environment })
    await pause(4_500)
    environment.cancel('CANCELLED')
    await expect(running).rejects.toThrow(/CANCELLED/)
    expect(beats.mock.calls.length).toBeGreaterThanOrEqual(2)
    expect(await store.row(id)).toMatchObject({ generation: 1, fault: null })
    expect(await store.kept(id)).toEqual([])
  })

  test('a store that goes away is waited for, and the answer asked for once', async () => {
    const key = newKey()
    const id = await wanting(key)
    store.script.ask = async () => {
      // Everybody else who is connected, as when the server restarts.
      await disconnectOthers()
      return 'asked'
    }
    await run(id, key)
    expect((await store.row(id)).state.answers).toEqual({ [key]: 'asked' })
    expect(store.script.asked).toEqual([key])
  })
})

async function disconnectOthers(): Promise<void> {
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(store.db)
}
