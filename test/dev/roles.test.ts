import { type ChildProcess, fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http2 from 'node:http2'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../src/dev/free-port.ts'
import { ensureSearchAttributes } from '../../src/search-attributes.ts'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

const { searchAttributes } = loadTemporalDevConfig()
const NAMES = Object.keys(searchAttributes)
const PATIENCE = { timeout: 30_000, interval: 100 }
let database: FreshDatabase
let connection: Connection
beforeAll(async () => {
  ;[database, connection] = await Promise.all([
    freshDatabase(),
    Connection.connect({ address: inject('temporalAddress') }),
  ])
})
afterAll(async () => {
  await connection.close()
  await database.drop()
})

async function newNamespace(): Promise<string> {
  const namespace = `roles-${randomUUID()}`
  const retention = { seconds: 86_400 as never }
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: retention,
  })
  // It is known to all parts of the server only after a moment.
  await vi.waitFor(() => connection.operatorService.listSearchAttributes({ namespace }), PATIENCE)
  return namespace
}

interface Role {
  child: ChildProcess
  output: () => string
}

/** `npm run api` or `npm run worker`, against the Temporal at that address. */
function startRole(role: 'api' | 'worker', address: string, env: NodeJS.ProcessEnv): Role {
  const child = spawn(process.execPath, [path.resolve('src/main.ts'), role], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: address,
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => {
      output += data
    })
  }
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return { child, output: () => output }
}

async function urlOf(api: Role): Promise<string> {
  const address = () => /Meno answers at (\S+)/.exec(api.output())?.[1]
  return vi.waitUntil(address, PATIENCE)
}

async function readyz(url: string) {
  const response = await fetch(`${url}/readyz`)
  const { checks } = (await response.json()) as { checks: Record<string, string> }
  return { status: response.status, checks }
}

async function attributesOf(namespace: string): Promise<string[]> {
  const listed = await connection.operatorService.listSearchAttributes({ namespace })
  return NAMES.filter((name) => name in (listed.customAttributes ?? {}))
}

/** The same Temporal for callers who may not touch its settings, as in many hosted ones. */
async function withoutOperatorService(): Promise<string> {
  const upstream = http2.connect(`http://${inject('temporalAddress')}`)
  const gate = http2.createServer()
  gate.on('stream', (stream, headers) => {
    if (String(headers[':path']).includes('OperatorService')) {
      const refusal = { 'grpc-status': '7', 'grpc-message': 'not for you' }
      stream.respond({ 'content-type': 'application/grpc', ...refusal }, { endStream: true })
      return
    }
    const request = upstream.request(headers)
    let trailers: http2.IncomingHttpHeaders = {}
    request.on('trailers', (received) => {
      trailers = received
    })
    request.on('response', (response, flags) => {
      if (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) {
        stream.respond(response, { endStream: true })
        return
      }
      stream.respond(response, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers(trailers))
      request.pipe(stream)
    })
    stream.on('error', () => {})
    request.on('error', () => stream.destroy())
    stream.on('close', () => request.close())
    stream.pipe(request)
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    gate.close()
    upstream.destroy()
  })
  return `127.0.0.1:${(gate.address() as AddressInfo).port}`
}

test.each(['api', 'worker'] as const)(
  'an outside Temporal without our search attributes gets them when the %s starts',
  async (role) => {
    const namespace = await newNamespace()
    startRole(role, inject('temporalAddress'), { TEMPORAL_NAMESPACE: namespace })
    await vi.waitFor(async () => expect(await attributesOf(namespace)).toEqual(NAMES), PATIENCE)
  },
)

test('a worker that still waits for its Temporal ends when it is told to', async () => {
  const { child } = startRole('worker', `127.0.0.1:${await freePort(25_464)}`, {})
  await sleep(3000)
  expect(child.exitCode).toBeNull()
  child.kill('SIGTERM')
  expect(await Promise.race([once(child, 'exit'), sleep(5000, 'too late')])).toEqual([0, null])
})

test('where the search attributes are missing and may not be added, Meno says how to and is not ready', async () => {
  const [namespace, address] = await Promise.all([newNamespace(), withoutOperatorService()])
  const [api, worker] = (['api', 'worker'] as const).map((role) =>
    startRole(role, address, { TEMPORAL_NAMESPACE: namespace }),
  ) as [Role, Role]
  const command = 'temporal operator search-attribute create --namespace'
  for (const role of [api, worker]) {
    const said = () =>
      role.output().includes(`${command} ${namespace} --name ArcPhase --type Keyword`)
    await vi.waitUntil(said, PATIENCE)
  }
  const url = await urlOf(api)
  const { status, checks } = await readyz(url)
  expect(status).toBe(503)
  expect(checks.searchAttributes).toBe(`namespace ${namespace} lacks ${NAMES.join(', ')}`)

  // The operator follows the advice; nothing has to be started again.
  await ensureSearchAttributes(connection, namespace, searchAttributes)
  await vi.waitFor(async () => expect((await readyz(url)).status).toBe(200), PATIENCE)
})

test('a workflow task that fails, and a worker that is gone, can be seen in /metrics', async () => {
  const namespace = await newNamespace()
  await ensureSearchAttributes(connection, namespace, searchAttributes)
  const env = {
    TEMPORAL_NAMESPACE: namespace,
    MENO_WORKER_METRICS_PORT: String(await freePort(24_464 + (process.pid % 500))),
  }
  const address = inject('temporalAddress')
  const [api, worker] = [startRole('api', address, env), startRole('worker', address, env)]
  const url = await urlOf(api)
  const metrics = async () => {
    const response = await fetch(`${url}/metrics`)
    expect(response.status).toBe(200)
    return response.text()
  }
  await vi.waitFor(async () => expect(await metrics()).toMatch(/^meno_worker_up 1$/m), PATIENCE)
  const failures = /^temporal_workflow_task_execution_failed_total\{.*\} [1-9]/m
  expect(await metrics()).not.toMatch(failures)

  const client = new Client({ connection, namespace })
  const start = { workflowId: 'unknown', taskQueue: 'meno' }
  await client.workflow.start('aWorkflowThatNoCodeKnows', start)
  await vi.waitFor(async () => expect(await metrics()).toMatch(failures), PATIENCE)

  worker.child.kill('SIGKILL')
  await once(worker.child, 'exit')
  await sleep(10)
  const last = await metrics()
  expect(last).toMatch(/^meno_worker_up 0$/m)
  expect(last).toMatch(/^meno_store_up 1$/m)
})

test('an API that `npm start` starts again waits for its port, which another program holds for a moment', async () => {
  const holder = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  const child = fork(path.resolve('src/main.ts'), ['api'], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: inject('temporalAddress'),
      PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  setTimeout(() => holder.close(), HELD_MS)
  const [{ url }] = await once(child, 'message')
  expect(new URL(url).port).toBe(String(port))
}, 60_000)

/** Longer than the API takes until it looks at its port. */
const HELD_MS = 4_000
