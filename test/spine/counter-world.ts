import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker'
import { inject } from 'vitest'
import { createSpineActivities } from '../../src/activities/spine/activities.ts'
import { wakeEntity } from '../../src/commands/wake.ts'
import type { AdvanceRequest } from '../../src/contracts/spine.ts'
import { LLM_TASK_QUEUE, TASK_QUEUE } from '../../src/contracts/temporal.ts'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'
import { atRest } from '../support/calm.ts'
import { allRuns } from '../support/histories.ts'
import { quietRuntime } from '../support/house.ts'
import { toWake } from './counter.ts'
import { CounterStore } from './counter-store.ts'

/** Counters with their workflows, on a time-skipping server. */
export class CounterWorld {
  readonly env: TestWorkflowEnvironment
  readonly store: CounterStore
  /** Called before `advance`; may throw what a lost store throws. */
  beforeAdvance: ((request: AdvanceRequest) => Promise<void>) | null = null
  readonly #codePath: string
  #workers: Worker[] = []
  #running: Promise<void>[] = []

  private constructor(env: TestWorkflowEnvironment, store: CounterStore, codePath: string) {
    this.env = env
    this.store = store
    this.#codePath = codePath
  }

  /** @param thinkers how many steps run at once */
  static async open(thinkers = 10): Promise<CounterWorld> {
    quietRuntime()
    const [env, store, codePath] = await Promise.all([
      timeSkippingServer(),
      CounterStore.open(),
      bundled(),
    ])
    const world = new CounterWorld(env, store, codePath)
    await world.#workersUp(thinkers)
    return world
  }

  async #workersUp(thinkers: number): Promise<void> {
    const { advance, think } = createSpineActivities({
      ...this.store.dependencies(),
      wake: (entity) => {
        wakeEntity(this.env.client, entity).catch(() => {})
      },
    })
    const shared = {
      connection: this.env.nativeConnection,
      namespace: this.env.namespace ?? 'default',
    } as const
    this.#workers = await Promise.all([
      Worker.create({
        ...shared,
        taskQueue: TASK_QUEUE,
        workflowBundle: { codePath: this.#codePath },
        activities: {
          think,
          advance: async (request: AdvanceRequest) => {
            await this.beforeAdvance?.(request)
            return advance(request)
          },
        },
      }),
      Worker.create({
        ...shared,
        taskQueue: LLM_TASK_QUEUE,
        maxConcurrentActivityTaskExecutions: thinkers,
        activities: { think },
      }),
    ])
    this.#running = this.#workers.map((worker) => worker.run())
  }

  async stop(): Promise<void> {
    for (const worker of this.#workers) worker.shutdown()
    await Promise.all(this.#running)
    await this.env.teardown()
    await this.store.database.drop()
    rmSync(join(this.#codePath, '..'), { recursive: true })
  }

  handle(id: string) {
    return this.env.client.workflow.getHandle(`counter-${id}`)
  }

  wake(id: string): Promise<void> {
    return wakeEntity(this.env.client, toWake(id))
  }

  /** A counter whose workflow runs and waits. */
  async begin(): Promise<string> {
    const id = await this.store.begin()
    await this.wake(id)
    await this.until(id, ({ generation }) => generation === 1)
    return id
  }

  /** Stores an input, wakes the workflow, and waits for the answer. */
  async send(id: string, type: string, payload: Record<string, unknown> = {}): Promise<string> {
    const input = await this.store.send(id, type, payload)
    await this.wake(id)
    await this.until(id, ({ state }) => state.heard.includes(input))
    return input
  }

  /** Waits, in real time, until the entity's row is so. */
  async until(
    id: string,
    isSo: (row: Awaited<ReturnType<CounterStore['row']>>) => boolean,
  ): Promise<Awaited<ReturnType<CounterStore['row']>>> {
    for (;;) {
      const row = await this.store.row(id)
      if (row.state && isSo(row)) return row
      await pause(10)
    }
  }

  /** Lets time pass in steps, each of them begun while the run is at rest. */
  async sleepCalmly(id: string, ms: number, step = ms): Promise<void> {
    for (let slept = 0; slept < ms; slept += step) {
      await atRest(this.handle(id))
      await this.env.sleep(Math.min(step, ms - slept))
    }
  }

  /** How many events the current run has, once nothing is under way in it. */
  async historyLength(id: string): Promise<number> {
    for (let before = -1; ; ) {
      const { historyLength } = await this.handle(id).describe()
      if (historyLength === before) return historyLength
      before = historyLength
      await pause(150)
    }
  }

  /** The types of all events of all runs, oldest run first. */
  async eventTypes(id: string): Promise<string[][]> {
    const runs = await allRuns(this.env.client.workflow, `counter-${id}`)
    return runs.map(({ events }) =>
      events.map(({ eventType }) => eventType.replace('EVENT_TYPE_', '')),
    )
  }
}

async function bundled(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, 'counter-workflow.ts'),
    logger: new DefaultLogger('WARN'),
  })
  const path = join(mkdtempSync(join(tmpdir(), 'meno-counter-')), 'workflows.js')
  writeFileSync(path, code)
  return path
}

async function timeSkippingServer(tries = 12): Promise<TestWorkflowEnvironment> {
  const executable = { type: 'existing-path' as const, path: inject('testServerPath') }
  try {
    const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
    const number = { Keyword: 2, Double: 4, Datetime: 6 } as Record<string, number>
    const attributes = Object.entries(loadTemporalDevConfig().searchAttributes)
    await env.connection.operatorService.addSearchAttributes({
      namespace: 'default',
      searchAttributes: Object.fromEntries(
        attributes.map(([name, type]) => [name, number[type] ?? 2]),
      ),
    })
    return env
  } catch (error) {
    if (tries === 1) throw error
    return timeSkippingServer(tries - 1)
  }
}
