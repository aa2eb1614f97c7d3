import { randomUUID } from 'node:crypto'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import pino from 'pino'
import { inject, vi } from 'vitest'
import { createArcPracticeActivities } from '../../src/activities/arc-practice.ts'
import { createArcStoreActivities } from '../../src/activities/arc-store.ts'
import { createHousekeepingActivities } from '../../src/activities/housekeeping.ts'
import { createModelStepActivities } from '../../src/activities/model-step.ts'
import { createPracticeDeliveryActivities } from '../../src/activities/practice-delivery.ts'
import { createPracticeStepActivities } from '../../src/activities/practice-steps.ts'
import { createPracticeStoreActivities } from '../../src/activities/practice-store.ts'
import { beginArc } from '../../src/api/arc-commands.ts'
import type { Dependencies } from '../../src/commands/context.ts'
import { wakeEntity } from '../../src/commands/wake.ts'
import { readConfig } from '../../src/config.ts'
import { CreateArc } from '../../src/contracts/arc.ts'
import type { Course } from '../../src/contracts/course-pack.ts'
import { LLM_TASK_QUEUE, TASK_QUEUE } from '../../src/contracts/temporal.ts'
import type { ArcCommit } from '../../src/domain/arc/commit.ts'
import type { Db } from '../../src/store/database.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'
import type { Live, Mind } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import type { StepContext } from '../../src/tutor/steps/arc/context.ts'
import { ArcHand } from './arc-hand.ts'
import { type FreshDatabase, freshDatabase } from './database.ts'
import { smallCourse } from './small-course.ts'

export const DAY_MS = 86_400_000

/** What a test may have go wrong; all of it can be changed while arcs run. */
export interface Faults {
  /** Called before every step of the model's tutor; may take its time, or throw a `TutorFailure`. */
  beforeStep: ((context: StepContext, live: Live) => Promise<void>) | null
  /** Changes what the model's tutor says. */
  afterStep: ((context: StepContext, output: unknown) => unknown) | null
  /** Called after a write has been committed and before the workflow hears of it; may throw. */
  afterCommit: ((commit: ArcCommit, outcome: string) => Promise<void> | void) | null
}

export interface ArcWorld {
  readonly env: TestWorkflowEnvironment
  readonly database: FreshDatabase
  readonly db: Db
  readonly faults: Faults
  readonly dependencies: Dependencies
  /** Every commit that reached the store, in order, with its answer. */
  readonly commits: { commit: ArcCommit; outcome: string }[]
  /** Every step a tutor was really asked for, in order. */
  readonly asked: { key: string; kind: string }[]
  /** The server's time in UTC ms. */
  now(): Promise<number>
  /** Lets the server's time pass. */
  sleep(ms: number): Promise<void>
  begin(options?: BeginOptions): Promise<ArcHand>
  /** Ends the workers, as a restart would; `workersUp` starts new ones with empty caches. */
  workersDown(): Promise<void>
  workersUp(): Promise<void>
  stop(): Promise<void>
}

export interface BeginOptions {
  settings?: Record<string, unknown>
  /** `model`: a tutor on the model's path, which says what the offline one says and obeys `faults`. */
  tutor?: 'offline' | 'model'
  goal?: string
  learner?: string
}

/**
 * The time-skipping server, a database, workers with the real activities and tutor, and a small course. One for a
 * test file: its clock is everybody's.
 */
export async function createArcWorld(course: Course = smallCourse()): Promise<ArcWorld> {
  vi.setConfig({ testTimeout: 120_000 })
  quietRuntime()
  const [env, database] = await Promise.all([timeSkippingServer(), freshDatabase()])
  await addSearchAttributes(env)
  return buildArcWorld({ env, database, course, codePath: inject('workflowBundlePath') })
}

export interface Place {
  env: TestWorkflowEnvironment
  database: FreshDatabase
  course: Course
  /** The bundled workflow code. */
  codePath: string
  dayMs?: number
}

/** The same on any server; the world takes the place over and gives it up when it is stopped. */
export async function buildArcWorld(place: Place): Promise<ArcWorld> {
  const { env, database, course } = place
  const { db } = database
  const faults: Faults = { beforeStep: null, afterStep: null, afterCommit: null }
  const commits: ArcWorld['commits'] = []
  const asked: ArcWorld['asked'] = []
  const parts = { place, faults, commits, asked }
  let workers: Worker[] = []
  let running: Promise<void>[] = []
  const dependencies = dependenciesOf(env, db, course)
  const world: ArcWorld = {
    env,
    database,
    db,
    faults,
    dependencies,
    commits,
    asked,
    now: () => env.currentTimeMs(),
    sleep: (ms) => env.sleep(ms),
    begin: (options = {}) => begin(world, options),
    async workersUp() {
      workers = await createWorkers(parts)
      running = workers.map((worker) => worker.run())
    },
    async workersDown() {
      for (const worker of workers) worker.shutdown()
      await Promise.all(running)
      workers = []
    },
    async stop() {
      await world.workersDown()
      await env.teardown()
      await database.drop()
    },
  }
  await world.workersUp()
  return world
}

let installed = false

/** Only once a process, before its first connection. */
export function quietRuntime(): void {
  if (!installed) Runtime.install({ logger: new DefaultLogger('ERROR') })
  installed = true
}

/** It has 5 seconds to start, which is short where other tests keep the machine busy: then again. */
async function timeSkippingServer(tries = 12): Promise<TestWorkflowEnvironment> {
  const path = inject('testServerPath')
  try {
    return await TestWorkflowEnvironment.createTimeSkipping({
      server: { executable: { type: 'existing-path', path } },
    })
  } catch (error) {
    if (tries === 1) throw error
    return timeSkippingServer(tries - 1)
  }
}

/** This server knows no listing, so they are added unseen; the numbers are the wire's. */
async function addSearchAttributes({ connection }: TestWorkflowEnvironment): Promise<void> {
  const number = { Keyword: 2, Double: 4, Datetime: 6 } as Record<string, number>
  const attributes = Object.entries(loadTemporalDevConfig().searchAttributes)
  await connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(
      attributes.map(([name, type]) => [name, number[type] ?? 2]),
    ),
  })
}

interface Parts {
  place: Place
  faults: Faults
  commits: ArcWorld['commits']
  asked: ArcWorld['asked']
}

async function createWorkers({ place, faults, commits, asked }: Parts) {
  const { env, course, codePath, dayMs = DAY_MS } = place
  const { db } = place.database
  const offline = listened(createOfflineMind(), asked)
  const store = createArcStoreActivities({ db, dayMs })
  const practice = {
    ...createPracticeStoreActivities({ db, deliver: false }),
    ...createPracticeDeliveryActivities({ db, lms: null }),
    ...createArcPracticeActivities({ db, courses: [course] }),
  }
  const model = createModelStepActivities({
    db,
    tutors: { offline, anthropic: obedient(offline, faults) },
    courses: [course],
    announce: () => {},
  })
  const shared = {
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
  } as const
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUE,
      workflowBundle: { codePath },
      activities: {
        ...practice,
        ...createHousekeepingActivities({ db }),
        ...store,
        async commitArc(commit: ArcCommit) {
          const outcome = await store.commitArc(commit)
          commits.push({ commit, outcome })
          await faults.afterCommit?.(commit, outcome)
          return outcome
        },
      },
    }),
    Worker.create({
      ...shared,
      taskQueue: LLM_TASK_QUEUE,
      activities: {
        ...createPracticeStepActivities({
          db,
          minds: { anthropic: null, offline: createOfflineMind() },
        }),
        ...model,
      },
    }),
  ])
}

/** A tutor whose every answer is noted, so that a test can tell what was asked twice. */
function listened(tutor: Mind, asked: ArcWorld['asked']): Mind {
  return {
    ...tutor,
    async run(step, context, live) {
      const { seed } = context as StepContext
      asked.push({ key: `${step.kind} ${seed}`, kind: step.kind })
      return tutor.run(step, context, live)
    },
  }
}

/** On the model's path, with the offline tutor's answers: slow, silent or failing as `faults` say. */
function obedient(offline: Mind, faults: Faults): Mind {
  return {
    name: 'anthropic',
    async run(step, context, live) {
      await faults.beforeStep?.(context as StepContext, live)
      const result = await offline.run(step, context, live)
      if (!faults.afterStep) return result
      const output = faults.afterStep(context as StepContext, result.output)
      return { ...result, output: output as typeof result.output }
    },
  }
}

function dependenciesOf(env: TestWorkflowEnvironment, db: Db, course: Course): Dependencies {
  return {
    config: readConfig({}),
    db,
    temporal: env.client,
    hub: null as never,
    events: null as never,
    wake: (entity) => wakeEntity(env.client, entity),
    courses: [course],
    log: pino({ level: 'warn' }, pino.destination(2)),
  }
}

async function begin(world: ArcWorld, options: BeginOptions): Promise<ArcHand> {
  const { db } = world
  const learner = await ensureLearner(db, options.learner ?? randomUUID())
  const { config } = world.dependencies
  const model = { apiKey: 'none', baseUrl: null, tutor: 'test', fast: 'test' }
  const arc = await beginArc(
    {
      ...world.dependencies,
      config: { ...config, model: options.tutor === 'model' ? model : null },
    },
    { learner, roles: ['learner'] },
    CreateArc.parse({
      topic: 'Sums',
      courseId: 'sums',
      settings: options.settings ?? {},
      ...(options.goal ? { goal: options.goal } : {}),
    }),
  )
  return new ArcHand(world, arc)
}
