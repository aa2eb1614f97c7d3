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
import { agendaProduct } from './activities/agenda/product.ts'
import { createArcProduct } from './activities/arc/product.ts'
import { courseDependencies } from './activities/course/dependencies.ts'
import { courseProduct } from './activities/course/product.ts'
import { createHousekeepingActivities } from './activities/housekeeping.ts'
import { curriculumProduct } from './activities/maps/product.ts'
import { practiceProduct } from './activities/practice/product.ts'
import { createSpineActivities } from './activities/spine/activities.ts'
import { countFault } from './activities/spine/fault-counter.ts'
import type { Channel } from './channels/channel.ts'
import { mailLinkSecret } from './channels/email/link-secret.ts'
import { lmsSettings } from './channels/lms-webhook.ts'
import { createPushChannel, pushContact, pushKeys } from './channels/web-push.ts'
import { createWebhookChannel } from './channels/webhook.ts'
import { wakeEntity } from './commands/wake.ts'
import { type Config, coursesCache } from './config.ts'
import { LLM_TASK_QUEUE, TASK_QUEUE } from './contracts/temporal.ts'
import { loadCourses } from './courses/load.ts'
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts'
import { ensureSearchAttributes } from './search-attributes.ts'
import { type Db, openDatabase } from './store/database.ts'
import type { EntityToWake } from './store/spine/entities.ts'
import { loadTemporalDevConfig } from './temporal-dev-config.ts'
import { createOfflineMind } from './tutor/offline/offline-mind.ts'
import { connectWorker } from './worker-connection.ts'
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
  const [{ connection, namespace }, codePath] = await Promise.all([
    connectWorker(),
    workflowBundle(),
  ])
  const sandbox = createSandbox()
  const { taskQueues, searchAttributes } = loadTemporalDevConfig()
  const { meno, 'meno-llm': llm } = taskQueues
  const [activities, advice] = await Promise.all([
    activitiesOf(config, db, new Client({ connection, namespace }), sandbox),
    ensureSearchAttributes(connection, namespace, searchAttributes),
  ])
  if (advice) process.stderr.write(`${advice}\n`)
  const shared = { connection, namespace, identity: `meno-worker@${process.pid}` }
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      ...withoutUnset(meno),
      taskQueue: TASK_QUEUE,
      workflowBundle: { codePath },
      // A run of an earlier build that this one cannot replay ends; its entity's row begins another.
      workflowFailureErrorTypes: { '*': ['NondeterminismError'] },
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
    await sandbox.stop()
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

/** What nudges go out on besides the page: here a channel is added. What needs settings is loaded with them. */
async function channelsOf({ mail, telegram, pageUrl }: Config, db: Db): Promise<Channel[]> {
  const channels: Channel[] = [
    createWebhookChannel(),
    createPushChannel(await pushKeys(db), pushContact(mail?.from ?? null, pageUrl)),
  ]
  if (mail) {
    const { createEmailChannel } = await import('./channels/email.ts')
    channels.push(createEmailChannel(mail, await mailLinkSecret(db)))
  }
  if (telegram) {
    const { telegramChannel } = await import('./channels/telegram.ts')
    channels.push(telegramChannel(telegram))
  }
  return channels
}

async function activitiesOf(config: Config, db: Db, client: Client, sandbox: Sandbox) {
  const courses = await loadCourses(config.coursesFolder, coursesCache())
  const log = pino({ level: process.env.LOG_LEVEL ?? 'warn' }, pino.destination(2))
  const { dayMs, model } = config
  const anthropic = model ? await anthropicMind(model) : null
  const minds = { offline: createOfflineMind(), anthropic }
  const course = await courseDependencies({ db, courses, config, mind: anthropic, log })
  // Best effort: the reconciler wakes what is not woken here.
  const wake = (entity: EntityToWake) => {
    wakeEntity(client, entity).catch((err) => log.debug({ err }, 'it will be woken later'))
  }
  const channels = await channelsOf(config, db)
  const products = [
    createArcProduct({ db, minds, courses, sandbox, dayMs }),
    practiceProduct({ db, courses, mind: anthropic, lms: lmsSettings() }),
    courseProduct(course),
    curriculumProduct({ minds, courses }),
    agendaProduct({ db, channels, courses, mind: anthropic, pageUrl: config.pageUrl, dayMs }),
  ]
  const { advance, think } = createSpineActivities({ db, products, wake, log, onFault: countFault })
  return {
    store: { advance, think, ...createHousekeepingActivities({ db, dayMs, wake }) },
    model: { think },
  }
}
