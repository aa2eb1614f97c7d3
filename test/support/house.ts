import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, type LogEntry, Runtime, Worker } from '@temporalio/worker'
import { inject } from 'vitest'
import { LLM_TASK_QUEUE, TASK_QUEUE } from '../../src/contracts/temporal.ts'
import type { Db } from '../../src/store/database.ts'
import { EventHub } from '../../src/store/spine/event-hub.ts'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'

/** The servers that a house stands on. */
export interface Servers {
  postgresUrl: string
  /** `host:port` of a development server. */
  temporalAddress: string
  /** The program of the time-skipping server. */
  testServerPath: string
  /** The bundled workflow code. */
  workflowBundlePath: string
}

/** Those of the test run. */
export const serversOfRun = (): Servers => ({
  postgresUrl: inject('postgresUrl'),
  temporalAddress: inject('temporalAddress'),
  testServerPath: inject('testServerPath'),
  workflowBundlePath: inject('workflowBundlePath'),
})

/** Activities by their name. */
type Activities = object

/** What the workers of a house do, by task queue. */
export interface Crew {
  /** Beside the workflows. */
  store: Activities
  model: Activities
}

export interface HouseOptions {
  /**
   * `skipping`: a time-skipping server of its own, whose clock is everybody's in the house. `development`: a namespace
   * of its own on the development server, which has what the product's server has and lets workers come and go.
   */
  server: 'skipping' | 'development'
  servers?: Servers
  /** The activities, made anew whenever workers come up; without it no worker does. */
  crew: ((house: House) => Crew | Promise<Crew>) | null
}

/** What every world of the tests stands on: a Temporal server, a database, an event hub and workers. */
export interface House {
  readonly env: TestWorkflowEnvironment
  readonly database: FreshDatabase
  readonly db: Db
  readonly hub: EventHub
  /** Ends the workers, as a restart would; `workersUp` starts new ones with empty caches. */
  workersDown(): Promise<void>
  workersUp(): Promise<void>
  stop(): Promise<void>
}

/** Opens a house with its workers up. */
export async function openHouse(options: HouseOptions): Promise<House> {
  const { server, crew, servers = serversOfRun() } = options
  quietRuntime()
  const [env, database] = await Promise.all([
    server === 'skipping'
      ? skippingServer(servers.testServerPath)
      : developmentServer(servers.temporalAddress),
    freshDatabase(servers.postgresUrl),
  ])
  const hub = new EventHub(database.url)
  await hub.start()
  let workers: Worker[] = []
  let running: Promise<void>[] = []
  const house: House = {
    env,
    database,
    db: database.db,
    hub,
    async workersUp() {
      if (!crew) return
      workers = await createWorkers(env, await crew(house), servers.workflowBundlePath)
      running = workers.map((worker) => worker.run())
    },
    async workersDown() {
      for (const worker of workers) worker.shutdown()
      await Promise.all(running)
      workers = []
      running = []
    },
    async stop() {
      await house.workersDown()
      await hub.stop()
      await env.teardown()
      await database.drop()
    },
  }
  await house.workersUp()
  return house
}

function createWorkers(
  env: TestWorkflowEnvironment,
  { store, model }: Crew,
  codePath: string,
): Promise<Worker[]> {
  const shared = {
    connection: env.nativeConnection,
    namespace: env.client.options.namespace,
    // As `temporal-dev.yml` says: a worker that went away is not waited for.
    stickyQueueScheduleToStartTimeout: '1s',
  } as const
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUE,
      workflowBundle: { codePath },
      activities: { ...store },
    }),
    Worker.create({ ...shared, taskQueue: LLM_TASK_QUEUE, activities: { ...model } }),
  ])
}

/** What workers of this process warned of, oldest first: much of it tests provoke on purpose. */
export const warnings: LogEntry[] = []
let isInstalled = false

/** Installs the runtime, which a process has one of, before its first connection; only errors are printed. */
export function quietRuntime(): void {
  if (isInstalled) return
  isInstalled = true
  const printed = new DefaultLogger('ERROR')
  const logger = new DefaultLogger('WARN', (entry) => {
    warnings.push(entry)
    if (entry.level === 'ERROR') printed.log(entry.level, entry.message, entry.meta)
  })
  Runtime.install({ logger, telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } } })
}

/** It has 5 seconds to start, which is short where other tests keep the machine busy: then again. */
async function skippingServer(path: string, tries = 12): Promise<TestWorkflowEnvironment> {
  const executable = { type: 'existing-path' as const, path }
  try {
    const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
    await addSearchAttributes(env, 'default')
    return env
  } catch (error) {
    if (tries === 1) throw error
    return skippingServer(path, tries - 1)
  }
}

/** Houses share the server: in one namespace their workers would take each other's tasks. */
async function developmentServer(address: string): Promise<TestWorkflowEnvironment> {
  const namespace = `house-${randomUUID()}`
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace })
  await env.connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  for (let tries = 1; ; tries += 1) {
    try {
      await addSearchAttributes(env, namespace)
      return env
    } catch (error) {
      // A new namespace is known to all parts of the server only after a moment.
      if (tries === 200) throw error
      await pause(50)
    }
  }
}

/** The wire's numbers of the types in `temporal-dev.yml`. */
const TYPE_NUMBER: Record<string, number> = { Keyword: 2, Double: 4, Datetime: 6 }

/** Added unseen: the time-skipping server knows no listing. */
async function addSearchAttributes(
  { connection }: TestWorkflowEnvironment,
  namespace: string,
): Promise<void> {
  const attributes = Object.entries(loadTemporalDevConfig().searchAttributes)
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      attributes.map(([name, type]) => [name, TYPE_NUMBER[type] ?? 2]),
    ),
  })
}
