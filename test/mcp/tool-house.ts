import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Client } from '@temporalio/client'
import { Hono } from 'hono'
import pino from 'pino'
import { agendaProduct } from '../../src/activities/agenda/product.ts'
import { createArcProduct } from '../../src/activities/arc/product.ts'
import { curriculumProduct } from '../../src/activities/maps/product.ts'
import type { Environment } from '../../src/api/http/environment.ts'
import type { Actor, Dependencies } from '../../src/commands/context.ts'
import { wakeEntity } from '../../src/commands/wake.ts'
import { readConfig } from '../../src/config.ts'
import { loadCourses } from '../../src/courses/load.ts'
import { mcpRoutes } from '../../src/mcp/endpoint.ts'
import type { Db } from '../../src/store/database.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import { type House, openHouse } from '../support/house.ts'
import { noSandbox } from '../support/no-sandbox.ts'
import { spineCrew } from '../support/spine-crew.ts'

const silent = pino({ level: 'silent' })

/** What workers warned of, oldest first. */
export const warnings: Record<string, unknown>[] = []

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
  const config = readConfig(model ? { ANTHROPIC_API_KEY: 'none' } : {})
  const courses = await loadCourses(config.coursesFolder)
  const minds = { offline: createOfflineMind(), anthropic: model }
  const log = pino({ level: 'warn' }, { write: (line: string) => warnings.push(JSON.parse(line)) })
  const crew = (house: House) => {
    const { db } = house
    const products = [
      createArcProduct({ db, minds, courses, sandbox: noSandbox, dayMs: 86_400_000 }),
      curriculumProduct({ minds, courses }),
      agendaProduct({ db, channels: [], courses: [], mind: null, pageUrl: '', dayMs: 86_400_000 }),
    ]
    return spineCrew(house, products, { log })
  }
  const house = await openHouse({ server: 'development', crew: withWorkers ? crew : null })
  const { db, hub } = house
  const temporal = house.env.client
  const wake: Dependencies['wake'] = (entity) => wakeEntity(temporal, entity)
  const dependencies: Dependencies = {
    ...{ config, db, temporal, events: hub, wake, courses },
    log: silent,
  }
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
    databaseUrl: house.database.url,
    temporal,
    dependencies,
    tools: await connectTools(
      endpointFor({ learner: me, roles: ['learner', 'teacher', 'admin', 'integration'] }),
    ),
    toolsOf: async (handle) =>
      connectTools(endpointFor({ learner: await ensureLearner(db, handle), roles: ['learner'] })),
    end: house.stop,
  }
}
