import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { CounterWorld } from './counter-world.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

/*
 * Each test has a server of its own: while its store is away no other run may have a timer that fires, for the
 * time-skipping server loses a run whose timer fires while a worker has a task of it (temporalio/sdk-java#3088), and its
 * clock stands still from then on. What is lost so is tried once more, on a new server.
 */
const ON_A_NEW_SERVER = { retry: 2, timeout: 60_000 }

let world: CounterWorld

beforeEach(async () => {
  const opened = await CounterWorld.open()
  world = opened
  onTestFinished(async () => {
    opened.beforeAdvance = null
    await opened.stop()
  })
}, 120_000)

const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })

test(
  'while a store is away for a minute a signal is heard within a second, a query answered, and few events are spent',
  ON_A_NEW_SERVER,
  async () => {
    const id = await world.begin()
    await world.send(id, 'add')
    const before = await world.historyLength(id)
    const start = await world.env.currentTimeMs()
    let tries = 0
    world.beforeAdvance = async () => {
      tries += 1
      if ((await world.env.currentTimeMs()) < start + 60 * SECOND_MS) throw away()
    }
    await world.wake(id)
    while (tries < 4) await world.sleepCalmly(id, SECOND_MS)
    const sent = performance.now()
    expect(await world.handle(id).query('count')).toEqual({ count: 1 })
    expect(performance.now() - sent).toBeLessThan(1_000)
    await world.sleepCalmly(id, 2 * 60 * SECOND_MS, 10 * SECOND_MS)
    await world.until(id, ({ generation }) => generation > 2)
    expect((await world.historyLength(id)) - before).toBeLessThanOrEqual(30)
  },
)

test(
  'right after a run was continued its query answers what was shown last',
  ON_A_NEW_SERVER,
  async () => {
    const id = await world.begin()
    await world.send(id, 'add', { by: 6 })
    world.beforeAdvance = async () => {
      throw away()
    }
    await world.sleepCalmly(id, HOUR_MS + 10 * SECOND_MS, 5 * 60 * SECOND_MS)
    expect(await world.eventTypes(id)).toHaveLength(2)
    expect(await world.handle(id).query('count')).toEqual({ count: 6 })
  },
)
