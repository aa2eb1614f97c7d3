import { setTimeout as pause } from 'node:timers/promises'
import { WorkflowNotFoundError } from '@temporalio/client'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { TutorFailure } from '../../src/tutor/mind.ts'
import { wanted } from './counter.ts'
import type { CounterStore } from './counter-store.ts'
import { CounterWorld } from './counter-world.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let world: CounterWorld
let store: CounterStore

beforeAll(async () => {
  world = await CounterWorld.open()
  store = world.store
}, 120_000)
afterAll(() => world.stop())
beforeEach(() => {
  store.script.asked.length = 0
  store.script.ask = async () => 'asked'
})
afterEach(() => {
  world.beforeAdvance = null
})

const now = () => world.env.currentTimeMs()
/** Lets no decision begin until the returned function is called. */
function hold(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  world.beforeAdvance = () => promise
  return resolve
}
const count = (types: string[] | undefined, type: string) =>
  (types ?? []).filter((each) => each === type).length

describe('time', () => {
  test('an entity sleeps for months to its date, with one timer', async () => {
    const id = await world.begin()
    const until = (await now()) + 200 * DAY_MS
    await world.send(id, 'sleep', { until })
    await world.sleepCalmly(id, 199 * DAY_MS)
    expect(await store.notes(id)).not.toContain('rang')
    await world.sleepCalmly(id, DAY_MS + 10 * SECOND_MS)
    const { state } = await world.until(id, ({ state: { wakeAt } }) => wakeAt === null)
    expect(state.times.at(-1)).toBeGreaterThanOrEqual(until)
    expect(state.times.at(-1)).toBeLessThan(until + 10 * SECOND_MS)
    expect(await store.notes(id)).toContain('rang')
    const runs = await world.eventTypes(id)
    expect(runs).toHaveLength(2)
    expect(count(runs[1], 'TIMER_STARTED')).toBe(1)
  })

  test('a date that comes nearer is kept', async () => {
    const id = await world.begin()
    const start = await now()
    await world.send(id, 'sleep', { until: start + 40 * DAY_MS })
    await world.send(id, 'sleep', { until: start + 60 * SECOND_MS })
    await world.sleepCalmly(id, 70 * SECOND_MS)
    await world.until(id, ({ state }) => state.wakeAt === null)
  })

  test('a quiet hour continues as new, after which nothing happens until the date', async () => {
    const id = await world.begin()
    await world.send(id, 'add', { by: 3 })
    await world.send(id, 'sleep', { until: (await now()) + 90 * DAY_MS })
    await world.sleepCalmly(id, 2 * HOUR_MS)
    const { generation } = await store.row(id)
    const length = await world.historyLength(id)
    expect(await world.eventTypes(id)).toHaveLength(2)
    expect(length).toBeLessThanOrEqual(10)
    await world.sleepCalmly(id, 80 * DAY_MS)
    expect((await store.row(id)).generation).toBe(generation)
    expect(await world.historyLength(id)).toBe(length)
    expect(await world.eventTypes(id)).toHaveLength(2)
  })

  test('a step that runs for hours is waited for without a timer after the other', async () => {
    const id = await world.begin()
    store.script.ask = async () => {
      if (store.script.asked.length === 1)
        throw new TutorFailure('overloaded', 'later', 3 * HOUR_MS)
      return 'done'
    }
    await world.send(id, 'want', { step: wanted('long') })
    await world.until(id, () => store.script.asked.length === 1)
    const before = await world.historyLength(id)
    await world.sleepCalmly(id, 3 * HOUR_MS + 10 * SECOND_MS)
    await world.until(id, ({ state }) => state.answers.long === 'done')
    expect((await world.historyLength(id)) - before).toBeLessThan(15)
  })
})

describe('events of a turn', () => {
  test.each([
    [5, []],
    [11, ['single']],
    [17, ['first', 'first again']],
  ])('are %i with the steps %j', async (events, keys) => {
    const id = await world.begin()
    await world.send(id, 'sleep', { until: (await now()) + 30 * 60_000 })
    const before = await world.historyLength(id)
    if (keys.length === 2) {
      store.script.ask = async (key) => (key === 'first' ? 'one more' : 'asked')
    }
    await world.send(id, keys.length === 0 ? 'patient' : 'want', { step: wanted(keys[0] ?? '') })
    await world.until(id, ({ state }) => keys.every((key) => key in state.answers))
    expect((await world.historyLength(id)) - before).toBe(events)
  })
})

/** Whether a signal was taken; false where there is no run to take it. */
const taken = (signal: Promise<void>): Promise<boolean> =>
  signal.then(
    () => true,
    (error) => {
      if (error instanceof WorkflowNotFoundError) return false
      throw error
    },
  )

describe('signals', () => {
  test('a control from the Temporal UI is taken up exactly once, whatever happens to its run', async () => {
    const id = await world.begin()
    await world.handle(id).signal('add', { by: 5 })
    await world.until(id, ({ state }) => state.count === 5)
    for (let round = 1; round <= 4; round += 1) {
      // The signal meets the run that ends, or the one that begins.
      const quiet = world.env.sleep(HOUR_MS)
      await pause(round * 3)
      // Between the two runs the test server knows neither; a real one goes from one to the other at once.
      await vi.waitUntil(() => taken(world.handle(id).signal('add', { by: 1 })))
      await quiet
    }
    await world.until(id, ({ state }) => state.count === 9)
    const release = hold()
    await world.wake(id)
    await world.handle(id).signal('add', { by: 1 })
    release()
    const { state } = await world.until(id, ({ state: { count: now } }) => now >= 10)
    expect(state.count).toBe(10)
    expect(new Set(state.heard.filter((each) => each !== 'clock')).size).toBe(6)
  })

  test('a control outlives a store that is away', async () => {
    const id = await world.begin()
    let refusals = 2
    world.beforeAdvance = async () => {
      if (refusals-- > 0) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    }
    await world.handle(id).signal('add', { by: 5 })
    await world.until(id, ({ state }) => state.count === 5)
    expect((await store.row(id)).state.count).toBe(5)
  })

  test('cancelling in the Temporal UI is a control, and the workflow ends well', async () => {
    const id = await world.begin()
    await world.handle(id).cancel()
    await world.handle(id).result()
    const { state } = await store.row(id)
    expect(state.ended).toBe(true)
    expect((await world.handle(id).describe()).status.name).toBe('COMPLETED')
  })

  test('a thousand wakes wake once or twice', async () => {
    const id = await world.begin()
    const before = (await store.row(id)).generation
    const release = hold()
    const handle = world.handle(id)
    for (let hundred = 0; hundred < 10; hundred += 1) {
      await Promise.all(Array.from({ length: 100 }, () => handle.signal('wake')))
    }
    release()
    await world.until(id, ({ generation }) => generation > before)
    await world.historyLength(id)
    expect((await store.row(id)).generation - before).toBeLessThanOrEqual(2)
  })

  test('two messages and one wake: both are answered', async () => {
    const id = await world.begin()
    const first = await store.send(id, 'add')
    const second = await store.send(id, 'add')
    await world.wake(id)
    await world.until(id, ({ state }) => state.heard.includes(second))
    expect((await store.row(id)).state.heard.slice(-2)).toEqual([first, second])
  })

  test('a workflow that was terminated is begun anew from its row', async () => {
    const id = await world.begin()
    await world.send(id, 'add', { by: 2 })
    await world.handle(id).terminate()
    await world.send(id, 'add', { by: 3 })
    expect((await store.row(id)).state.count).toBe(5)
  })
})

describe('steps', () => {
  test('that never end in time are an input, no answer', async () => {
    const id = await world.begin()
    store.script.ask = (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    await world.send(id, 'want', {
      step: wanted('endless', { startToCloseMs: 1_000, attempts: 2 }),
    })
    const { state } = await world.until(id, ({ state: { wants } }) => wants.length === 0)
    expect(state.heard.at(-1)).toBe('no-answer unavailable endless')
    expect(store.script.asked).toEqual(['endless', 'endless'])
  })

  test('that fail are asked for as often as they say', async () => {
    const id = await world.begin()
    store.script.ask = async () => {
      throw new TutorFailure('overloaded', 'later', 10)
    }
    await world.send(id, 'want', { step: wanted('busy', { attempts: 3 }) })
    await world.until(id, ({ state }) => state.heard.at(-1) === 'no-answer unavailable busy')
    expect(store.script.asked).toEqual(['busy', 'busy', 'busy'])
  })

  test('that are not wanted any more are cancelled, and messages heard meanwhile', async () => {
    const id = await world.begin()
    let stopped = false
    store.script.ask = (_, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener('abort', () => {
          stopped = true
          reject(signal.reason)
        }),
      )
    await world.send(id, 'want', { step: wanted('dropped') })
    await world.send(id, 'add', { by: 8 })
    expect((await store.row(id)).state.wants).toHaveLength(1)
    await world.send(id, 'drop', { key: 'dropped' })
    await vi.waitFor(() => expect(stopped).toBe(true), { timeout: 15_000 })
    expect((await store.row(id)).state.heard).not.toContain('no-answer unavailable dropped')
  })

  test('of which the last answer ends the entity end the workflow', async () => {
    const id = await world.begin()
    store.script.ask = () => pause(200, 'the last')
    await world.send(id, 'want', { step: wanted('final') })
    await Promise.race([
      world.handle(id).result(),
      pause(20_000).then(() => Promise.reject(new Error('it did not end'))),
    ])
    expect((await store.row(id)).is_over).toBe(true)
    expect(await world.eventTypes(id)).toHaveLength(1)
  })
})

test('a step that finds no free place is told as slow after eight seconds, and then goes first', async () => {
  const crowded = await CounterWorld.open(1)
  onTestFinished(() => crowded.stop())
  const [busy, late] = [await crowded.begin(), await crowded.begin()]
  crowded.store.script.ask = (key) =>
    key === 'long' ? pause(12_000, 'done') : Promise.resolve('quick')
  await crowded.send(busy, 'want', { step: wanted('long') })
  await crowded.until(busy, () => crowded.store.script.asked.includes('long'))
  await crowded.send(late, 'want', { step: wanted('quick') })
  await crowded.env.sleep(9 * SECOND_MS)
  await crowded.until(late, ({ state }) => state.heard.includes('slow quick'))
  await crowded.until(late, ({ state }) => state.answers.quick === 'quick')
  expect(
    (await crowded.store.row(late)).state.heard.filter((each) => each === 'slow quick'),
  ).toHaveLength(1)
})
