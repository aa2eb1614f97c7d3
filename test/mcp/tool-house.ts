import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import { Hono } from 'hono'
import pino from 'pino'
import { inject } from 'vitest'
import { createArcStoreActivities } from '../../src/activities/arc-store.ts'
import { curriculumProduct } from '../../src/activities/maps/product.ts'
import { createModelStepActivities } from '../../src/activities/model-step.ts'
import { createSpineActivities } from '../../src/activities/spine/activities.ts'
import type { Environment } from '../../src/api/environment.ts'
import type { Actor, Dependencies } from '../../src/commands/context.ts'
import { wakeEntity } from '../../src/commands/wake.ts'
import { readConfig } from '../../src/config.ts'
import { LLM_TASK_QUEUE, TASK_QUEUE } from '../../src/contracts/temporal.ts'
import { loadCourses } from '../../src/courses/load.ts'
import { mcpRoutes } from '../../src/mcp/endpoint.ts'
import { ensureSearchAttributes } from '../../src/search-attributes.ts'
import type { Db } from '../../src/store/database.ts'
import { EventHub } from '../../src/store/event-hub.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import type { EntityToWake } from '../../src/store/spine/entities.ts'
import { EventHub as SpineHub } from '../../src/store/spine/event-hub.ts'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import { freshDatabase } from '../support/database.ts'

const silent = pino({ level: 'silent' })

/** What a tool answered: its result, or the message of its refusal. */
// biome-ignore lint/suspicious/noExplicitAny: results differ by tool, and are looked into freely
export type ToolAnswer = { ok: true; result: any } | { ok: false; error: string }

export interface ToolClient {
  client: McpClient
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>
  /** The result of a call that has to succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  ok(name: string, args?: Record<string, unknown>): Promise<any>
  /** The message of a call that has to be refused. */
  refused(name: string, args?: Record<string, unknown>): Promise<string>
}

/** The tools behind the official client, over the endpoint itself. */
async function connectTools(endpoint: Hono<Environment>): Promise<ToolClient> {
  const client = new McpClient({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: async (url, init) => {
      const request = new Request(url, init as RequestInit)
      request.headers.set('host', '127.0.0.1')
      return endpoint.fetch(request)
    },
  })
  await client.connect(transport)
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> => {
    const answer = await client.callTool({ name, arguments: args }, { timeout: 120_000 })
    if (!answer.isError) return { ok: true, result: answer.structuredContent }
    const [first] = answer.content as { text: string }[]
    return { ok: false, error: first?.text ?? '' }
  }
  return {
    client,
    call,
    async ok(name, args) {
      const answer = await call(name, args)
      if (!answer.ok) throw new Error(`${name} was refused: ${answer.error}`)
      return answer.result
    },
    async refused(name, args) {
      const answer = await call(name, args)
      if (answer.ok) throw new Error(`${name} was not refused: ${JSON.stringify(answer.result)}`)
      return answer.error
    },
  }
}

export interface ToolHouse {
  db: Db
  databaseUrl: string
  temporal: Client
  dependencies: Dependencies
  /** As the learner `me`, who may do everything. */
  tools: ToolClient
  /** As another learner, with no other role. */
  toolsOf(handle: string): Promise<ToolClient>
  end(): Promise<void>
}

/**
 * Database, workers and tools, in a Temporal namespace of their own. With a `model`, the planner is
 * that tutor; without one, the installed courses.
 */
export async function openToolHouse({
  model = null,
  withWorkers = true,
}: {
  model?: Mind | null
  withWorkers?: boolean
} = {}): Promise<ToolHouse> {
  const { db, url, drop } = await freshDatabase()
  const { temporal, namespace, connection } = await ownNamespace()
  const env = model ? { ANTHROPIC_API_KEY: 'none' } : {}
  const config = readConfig(env)
  const courses = await loadCourses(config.coursesFolder)
  const hub = new EventHub(url)
  const events = new SpineHub(url)
  await events.start()
  const wake = (entity: EntityToWake) => wakeEntity(temporal, entity)
  const dependencies: Dependencies = {
    ...{ config, db, temporal, hub, events, wake, courses },
    log: silent,
  }
  const stopWorkers = withWorkers
    ? await startWorkers(dependencies, namespace, model)
    : async () => {}
  const endpointFor = (actor: Actor) =>
    new Hono<Environment>()
      .use(async (c, next) => {
        c.set('actor', actor)
        await next()
      })
      .route('/mcp', mcpRoutes(dependencies))
  const me = await ensureLearner(db, 'me')
  return {
    db,
    databaseUrl: url,
    temporal,
    dependencies,
    tools: await connectTools(
      endpointFor({ learner: me, roles: ['learner', 'teacher', 'admin', 'integration'] }),
    ),
    toolsOf: async (handle) =>
      connectTools(endpointFor({ learner: await ensureLearner(db, handle), roles: ['learner'] })),
    async end() {
      await stopWorkers()
      await events.stop()
      await connection.close()
      await drop()
    },
  }
}

/** Test files share a Temporal server: in one namespace their workers would take each other's tasks. */
async function ownNamespace() {
  const connection = await Connection.connect({ address: inject('temporalAddress') })
  const namespace = `tools-${randomUUID()}`
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 } as never,
  })
  const { searchAttributes } = loadTemporalDevConfig()
  for (let attempt = 0; ; attempt += 1) {
    try {
      await ensureSearchAttributes(connection, namespace, searchAttributes)
      break
    } catch (error) {
      if (attempt === 50) throw error
      await sleep(200)
    }
  }
  return { connection, namespace, temporal: new Client({ connection, namespace }) }
}

async function startWorkers(
  { db, courses, wake }: Dependencies,
  namespace: string,
  model: Mind | null,
) {
  hearRuntime()
  const connection = await NativeConnection.connect({ address: inject('temporalAddress') })
  const tutors = { offline: createOfflineMind(), anthropic: model }
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => warnings.push(JSON.parse(line)) },
  )
  const spine = createSpineActivities({
    db,
    products: [curriculumProduct({ minds: tutors, courses })],
    wake: (entity) => {
      wake(entity).catch(() => {})
    },
    log: logger,
    onFault: () => {},
  })
  const workers = await Promise.all([
    Worker.create({
      connection,
      namespace,
      taskQueue: TASK_QUEUE,
      workflowBundle: { codePath: inject('workflowBundlePath') },
      activities: {
        ...createArcStoreActivities({ db, dayMs: 86_400_000 }),
        ...spine,
      },
    }),
    Worker.create({
      connection,
      namespace,
      taskQueue: LLM_TASK_QUEUE,
      activities: {
        ...createModelStepActivities({ db, tutors, courses, announce: () => {} }),
        think: spine.think,
      },
    }),
  ])
  const running = workers.map((worker) => worker.run())
  return async () => {
    for (const worker of workers) worker.shutdown()
    await Promise.all(running)
    await connection.close()
  }
}

/** What the activities logged as warnings or worse, oldest first. */
export const warnings: Record<string, unknown>[] = []
let isHeard = false

/** The runtime of a process is made once. */
function hearRuntime(): void {
  if (isHeard) return
  Runtime.install({
    logger: new DefaultLogger('ERROR'),
    telemetryOptions: { logging: { forward: {}, filter: 'ERROR' } },
  })
  isHeard = true
}
