import { Client } from '@temporalio/client'
import {
  DefaultLogger,
  type LogLevel,
  type LogMetadata,
  makeTelemetryFilterString,
  Runtime,
  Worker,
} from '@temporalio/worker'
import pino from 'pino'
import { createArcPracticeActivities } from './activities/arc-practice.ts'
import { createArcStoreActivities } from './activities/arc-store.ts'
import { createHousekeepingActivities } from './activities/housekeeping.ts'
import { curriculumProduct } from './activities/maps/product.ts'
import { type Announce, createModelStepActivities } from './activities/model-step.ts'
import { practiceActivities } from './activities/practice-activities.ts'
import { createSpineActivities } from './activities/spine/activities.ts'
import type { SpineDependencies } from './activities/spine/advance.ts'
import { wakeEntity } from './commands/wake.ts'
import type { Config } from './config.ts'
import { LLM_TASK_QUEUE, TASK_QUEUE } from './contracts/temporal.ts'
import { courseTutorActivities } from './course-setup.ts'
import { loadCourses } from './courses/load.ts'
import { ensureSearchAttributes } from './search-attributes.ts'
import { type Db, openDatabase } from './store/database.ts'
import { announceDelta } from './store/events.ts'
import { connectWorker } from './temporal-connection.ts'
import { loadTemporalDevConfig } from './temporal-dev-config.ts'
import { createOfflineMind } from './tutor/offline/offline-mind.ts'
import { workflowBundle } from './workflow-bundle.ts'

export interface RunningWorker {
  /** Resolves when the workers have ended; rejects if one fails. */
  done: Promise<void>
  /** Finishes what is in flight, then ends. */
  stop(): Promise<void>
}

/** The queue of model steps has no workflows, and is not to be warned of. */
class WorkerLogger extends DefaultLogger {
  override log(level: LogLevel, message: string, meta?: LogMetadata): void {
    if (!message.startsWith('No workflows registered')) super.log(level, message, meta)
  }
}

/** Polls both task queues: workflows and short writes on one, model steps on the other. */
export async function startWorker(config: Config, databaseUrl: string): Promise<RunningWorker> {
  Runtime.install({
    logger: new WorkerLogger('WARN'),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN' }) },
      ...(config.workerMetricsPort && { metrics: prometheusAt(config.workerMetricsPort) }),
    },
  })
  const { db, pool } = openDatabase(databaseUrl, 20)
  const { connection, namespace } = await connectWorker()
  const client = new Client({ connection, namespace })
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const wake: SpineDependencies['wake'] = (entity) => {
    wakeEntity(client, entity).catch((error) => log.warn({ err: error }, 'it is woken later'))
  }
  const [codePath, activities] = await Promise.all([
    workflowBundle(),
    activitiesOf(config, db, { wake, log }),
  ])
  const { taskQueues, searchAttributes } = loadTemporalDevConfig()
  const { meno, 'meno-llm': llm } = taskQueues
  const advice = await ensureSearchAttributes(connection, namespace, searchAttributes)
  if (advice) process.stderr.write(`${advice}\n`)
  const shared = { connection, namespace, identity: `meno-worker@${process.pid}` }
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      ...withoutUnset(meno),
      taskQueue: TASK_QUEUE,
      workflowBundle: { codePath },
      activities: activities.store,
    }),
    Worker.create({
      ...shared,
      ...withoutUnset(llm),
      maxConcurrentActivityTaskExecutions: config.llmConcurrency,
      taskQueue: LLM_TASK_QUEUE,
      activities: activities.model,
    }),
  ])
  const shutdown = () => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
  }
  const done = Promise.all(
    workers.map((worker) =>
      worker.run().catch((error) => {
        shutdown()
        throw error
      }),
    ),
  ).finally(async () => {
    await connection.close()
    await pool.end()
  })
  return {
    done: done.then(() => {}),
    stop: async () => {
      shutdown()
      await done.catch(() => {})
    },
  }
}

/** On loopback alone: whoever reaches it may read it. */
const prometheusAt = (port: number) => ({
  prometheus: {
    bindAddress: `127.0.0.1:${port}`,
    countersTotalSuffix: true,
    unitSuffix: true,
    useSecondsForDurations: true,
  },
})

/** Loaded only where a model is configured: its SDK is not needed to teach offline. */
async function anthropicMind({ apiKey, baseUrl, ...models }: NonNullable<Config['model']>) {
  const { createAnthropicMind } = await import('./tutor/anthropic/anthropic-mind.ts')
  return createAnthropicMind({ apiKey, models, baseUrl })
}

/** Worker options take a setting or none, but not an undefined one. */
function withoutUnset<T extends object>(settings: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== undefined),
  ) as { [K in keyof T]: Exclude<T[K], undefined> }
}

async function activitiesOf(
  config: Config,
  db: Db,
  { wake, log }: Pick<SpineDependencies, 'wake' | 'log'>,
) {
  const courses = await loadCourses(config.coursesFolder)
  const announce: Announce = (delta) => {
    announceDelta(db, delta).catch(() => {})
  }
  const { model } = config
  const anthropic = model ? await anthropicMind(model) : null
  const tutors = { offline: createOfflineMind(), anthropic }
  const course = await courseTutorActivities(config, anthropic, db, courses)
  const practice = practiceActivities(tutors, db)
  const products = [curriculumProduct({ minds: tutors, courses })]
  const spine = createSpineActivities({ db, products, wake, log, onFault: () => {} })
  return {
    store: {
      ...course.store,
      ...practice.store,
      ...createArcPracticeActivities({ db, courses }),
      ...createArcStoreActivities({ db, dayMs: config.dayMs }),
      ...createHousekeepingActivities({ db }),
      ...spine,
    },
    model: {
      ...createModelStepActivities({ db, tutors, courses, announce }),
      think: spine.think,
      ...course.model,
      ...practice.model,
    },
  }
}
