import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import pino from 'pino'
import { inject } from 'vitest'
import type { z } from 'zod'
import { createPracticeDeliveryActivities } from '../../src/activities/practice-delivery.ts'
import { createPracticeStepActivities } from '../../src/activities/practice-steps.ts'
import { createPracticeStoreActivities } from '../../src/activities/practice-store.ts'
import { createApp } from '../../src/api/app.ts'
import type { Api } from '../../src/api/environment.ts'
import type { LmsSettings } from '../../src/channels/lms-webhook.ts'
import type { Dependencies } from '../../src/commands/context.ts'
import { readConfig } from '../../src/config.ts'
import type { AnsweredTurn } from '../../src/contracts/practice.ts'
import { LLM_TASK_QUEUE, TASK_QUEUE } from '../../src/contracts/temporal.ts'
import { EventHub } from '../../src/store/event-hub.ts'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import { quietRuntime } from './arc-world.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'

export type Turn = z.infer<typeof AnsweredTurn> & { status?: number; detail?: string }

export interface Reply<T> {
  status: number
  body: T
  headers: Headers
}

export interface PracticeWorld {
  readonly env: TestWorkflowEnvironment
  readonly own: FreshDatabase
  readonly api: Api
  /** Called after a commit was written and before the workflow hears of it; may throw. */
  afterCommit: (() => void) | null
  workersUp(): Promise<void>
  workersDown(): Promise<void>
  post<T = Turn>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<T>>
  get<T>(path: string, headers?: Record<string, string>): Promise<Reply<T>>
  /** A session over the built-in set, and a student in it. */
  student(problemIds?: string[]): Promise<PracticeStudent>
  stop(): Promise<void>
}

export interface PracticeStudent {
  readonly sessionId: string
  readonly studentId: string
  say(message: string, messageId?: string): Promise<Turn>
}

export interface WorldOptions {
  server?: 'skipping' | 'development'
  /** The mind that takes the place of a model; none is offline. */
  mind?: Mind | null
  lms?: LmsSettings | null
  /** Those of the test run, unless told. */
  servers?: Servers
}

export interface Servers {
  postgresUrl: string
  temporalAddress: string
  workflowBundlePath: string
}

export const serversOfRun = (): Servers => ({
  postgresUrl: inject('postgresUrl'),
  temporalAddress: inject('temporalAddress'),
  workflowBundlePath: inject('workflowBundlePath'),
})

/** A Temporal server, a database, workers with the activities of practice sessions, and the whole API. */
export async function createPracticeWorld(options: WorldOptions = {}): Promise<PracticeWorld> {
  quietRuntime()
  const { server = 'development', mind = null, lms = null, servers = serversOfRun() } = options
  const [env, own] = await Promise.all([
    server === 'skipping' ? skippingServer() : developmentServer(servers.temporalAddress),
    freshDatabase(servers.postgresUrl),
  ])
  const hub = new EventHub(own.url)
  await hub.start()
  let workers: Worker[] = []
  let running: Promise<void>[] = []
  const world: PracticeWorld = {
    env,
    own,
    api: createApp(dependenciesOf(env, own, hub, mind !== null)),
    afterCommit: null,
    async workersUp() {
      workers = await createWorkers(world, mind, lms, servers.workflowBundlePath)
      running = workers.map((worker) => worker.run())
    },
    async workersDown() {
      for (const worker of workers) worker.shutdown()
      await Promise.all(running)
      workers = []
      running = []
    },
    async post(path, body, headers = {}) {
      return read(
        await world.api.request(path, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        }),
      )
    },
    get: async (path, headers = {}) => read(await world.api.request(path, { headers })),
    async student(problemIds) {
      const studentId = `student-${randomUUID()}`
      const { body } = await world.post<{ session_id: string }>('/sessions', {
        student_id: studentId,
        question_set_id: 'algebra_basics_set_1',
        ...(problemIds ? { problem_ids: problemIds } : {}),
      })
      return studentOf(world, body.session_id, studentId)
    },
    async stop() {
      await world.workersDown()
      await hub.stop()
      await env.teardown()
      await own.drop()
    },
  }
  await world.workersUp()
  return world
}

export function studentOf(
  world: PracticeWorld,
  sessionId: string,
  studentId: string,
): PracticeStudent {
  return {
    sessionId,
    studentId,
    async say(message, messageId) {
      const { body, status } = await world.post('/webhook/tutor/message', {
        session_id: sessionId,
        student_id: studentId,
        message,
        ...(messageId === undefined ? {} : { message_id: messageId }),
      })
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return body
    },
  }
}

async function read<T>(response: Response): Promise<Reply<T>> {
  const body = (await response.json().catch(() => null)) as T
  return { status: response.status, body, headers: response.headers }
}

function dependenciesOf(
  env: TestWorkflowEnvironment,
  own: FreshDatabase,
  hub: EventHub,
  hasModel: boolean,
): Dependencies {
  const model = hasModel ? { ANTHROPIC_API_KEY: 'any' } : {}
  const config = { ...readConfig({ ...model }), coursesFolder: resolve('courses') }
  const log = pino({ level: 'silent' })
  return {
    config,
    db: own.db,
    temporal: env.client,
    hub,
    courses: [],
    log,
  } as unknown as Dependencies
}

async function createWorkers(
  world: PracticeWorld,
  mind: Mind | null,
  lms: LmsSettings | null,
  codePath: string,
): Promise<Worker[]> {
  const { env, own } = world
  const { db } = own
  const store = createPracticeStoreActivities({ db, deliver: lms !== null })
  const shared = {
    connection: env.nativeConnection,
    namespace: env.client.options.namespace,
    stickyQueueScheduleToStartTimeout: '1s',
  } as const
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUE,
      workflowBundle: { codePath },
      activities: {
        ...store,
        ...createPracticeDeliveryActivities({ db, lms }),
        // Messages carry the time of the server that skips it, not of the database.
        async readPracticeMessage(view: Parameters<typeof store.readPracticeMessage>[0]) {
          const found = await store.readPracticeMessage(view)
          if (found.taken || !env.supportsTimeSkipping) return found
          return { ...found, at: found.at + (await env.currentTimeMs()) - Date.now() }
        },
        async commitPractice(commit: Parameters<typeof store.commitPractice>[0]) {
          const outcome = await store.commitPractice(commit)
          world.afterCommit?.()
          return outcome
        },
      },
    }),
    Worker.create({
      ...shared,
      taskQueue: LLM_TASK_QUEUE,
      activities: createPracticeStepActivities({
        db,
        minds: { anthropic: mind, offline: createOfflineMind() },
      }),
    }),
  ])
}

async function skippingServer(): Promise<TestWorkflowEnvironment> {
  return TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: inject('testServerPath') } },
  })
}

/** The run's development server, in a namespace of its own; it has what the product's server has. */
async function developmentServer(address: string): Promise<TestWorkflowEnvironment> {
  const namespace = `practice-${randomUUID()}`
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace })
  await env.connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  const attributes = Object.entries(loadTemporalDevConfig().searchAttributes)
  const number = { Keyword: 2, Double: 4, Datetime: 6 } as Record<string, number>
  for (let tries = 1; ; tries += 1) {
    try {
      await env.connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(
          attributes.map(([name, type]) => [name, number[type] ?? 2]),
        ),
      })
      return env
    } catch (error) {
      if (tries === 40) throw error
      await sleep(250)
    }
  }
}
