/**
 * The least that a durable turn over HTTP can be, in two processes as Meno's are: `api` takes a turn, signals it and
 * waits until its row is told; `worker` runs the workflow with Meno's own worker settings.
 *
 *     DATABASE_URL=… TEMPORAL_ADDRESS=… [MODEL_URL=…] node bench/support/bare-process.ts api|worker
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import Anthropic from '@anthropic-ai/sdk'
import { Client, Connection } from '@temporalio/client'
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker'
import pg from 'pg'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'
import {
  BARE_CHANNEL,
  BARE_QUEUE,
  BARE_SLEEPER,
  BARE_STEP_QUEUE,
  BARE_WORKFLOW,
  type BareTurn,
  TURN_SIGNAL,
} from './bare-names.ts'

const connectionString = process.env.DATABASE_URL ?? ''
const address = process.env.TEMPORAL_ADDRESS ?? ''
const pool = new pg.Pool({ connectionString, max: 10 })

const WRITE = {
  name: 'write',
  text: `with stored as (insert into bare_turns (id) values ($1) on conflict do nothing)
         select pg_notify('${BARE_CHANNEL}', $1)`,
}

const write = async (id: string): Promise<void> => {
  await pool.query({ ...WRITE, values: [id] })
}

const model = new Anthropic({
  apiKey: 'scripted',
  baseURL: process.env.MODEL_URL ?? '',
  maxRetries: 0,
})

/** The least that asking a model can be: one short streamed call, read to its end. */
async function ask(): Promise<void> {
  const stream = await model.messages.create({
    model: 'bare',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Say something.' }],
    stream: true,
  })
  for await (const _ of stream);
}

async function serve(): Promise<string> {
  await pool.query(
    'create table if not exists bare_turns (id text primary key, at timestamptz default clock_timestamp())',
  )
  const temporal = new Client({ connection: await Connection.connect({ address }) })
  const waiting = new Map<string, () => void>()
  const listener = new pg.Client({ connectionString })
  await listener.connect()
  await listener.query(`listen ${BARE_CHANNEL}`)
  listener.on('notification', ({ payload = '' }) => waiting.get(payload)?.())

  async function takeTurn(workflowId: string, turn: BareTurn): Promise<unknown> {
    const written = new Promise<void>((resolve) => waiting.set(turn.id, resolve))
    await temporal.workflow.getHandle(workflowId).signal(TURN_SIGNAL, turn)
    await written
    waiting.delete(turn.id)
    const found = await pool.query('select id from bare_turns where id = $1', [turn.id])
    return found.rows[0]
  }

  interface Body {
    workflowId: string
    turn: BareTurn
    dueAt: number
  }
  const routes: Record<string, (body: Body) => Promise<unknown>> = {
    '/start': ({ workflowId }) =>
      temporal.workflow.start(BARE_WORKFLOW, { workflowId, taskQueue: BARE_QUEUE }),
    '/sleep': ({ workflowId, dueAt }) =>
      temporal.workflow.start(BARE_SLEEPER, {
        workflowId,
        taskQueue: BARE_QUEUE,
        args: [workflowId, dueAt],
      }),
    '/turn': ({ workflowId, turn }) => takeTurn(workflowId, turn),
    '/transaction': ({ turn }) => write(turn.id),
    '/end': ({ workflowId }) => temporal.workflow.getHandle(workflowId).terminate(),
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const result = await routes[request.url ?? '']?.(JSON.parse(text))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ id: (result as BareTurn | undefined)?.id ?? null }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function work(): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('ERROR') })
  const connection = await NativeConnection.connect({ address })
  const settings = loadTemporalDevConfig().taskQueues
  const workers = await Promise.all([
    Worker.create({
      connection,
      ...(settings.meno as object),
      taskQueue: BARE_QUEUE,
      workflowsPath: path.join(import.meta.dirname, 'bare-workflow.ts'),
      activities: { write },
    }),
    Worker.create({
      connection,
      ...(settings['meno-llm'] as object),
      taskQueue: BARE_STEP_QUEUE,
      activities: { think: async (asks: boolean) => (asks ? ask() : undefined) },
    }),
  ])
  for (const worker of workers) worker.run().catch(() => process.exit(1))
}

process.once('disconnect', () => process.exit(0))
if (process.argv[2] === 'api') process.send?.({ url: await serve() })
else {
  await work()
  process.send?.({ url: '' })
}
