import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client, Connection } from '@temporalio/client'
import { defineSearchAttributeKey } from '@temporalio/common'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type LocalStack, StackAlreadyRunning, startLocalStack } from '../../src/dev/local-stack.ts'
import { isRunning, startTimeOf } from '../../src/dev/pid-lock.mjs'
import { findPostgres, startPostgres } from '../../src/dev/postgres.ts'
import { findProcesses, processesIn } from '../../src/dev/processes.ts'
import { readStackState } from '../../src/dev/stack-state.ts'
import { findTemporal } from '../../src/dev/temporal-server.ts'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'

const ANY_PORTS = { postgres: 0, temporal: 0, temporalUi: 0 }
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function newHome(): string {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'meno-test-'))
  folders.push(home)
  return home
}

function start(menoHome: string, env: NodeJS.ProcessEnv = {}): Promise<LocalStack> {
  return startLocalStack({
    menoHome,
    env: { PATH: process.env.PATH, ...env },
    log: () => {},
    ports: ANY_PORTS,
  })
}

type Addresses = Pick<LocalStack, 'databaseUrl' | 'temporal' | 'notes'>

async function startInProcess(home: string): Promise<{ child: ChildProcess; stack: Addresses }> {
  const script = fileURLToPath(new URL('./stack-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, home], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(createInterface(child.stdout), 'line')
  return { child, stack: JSON.parse(line) }
}

async function query(databaseUrl: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function withTemporal<T>(stack: Addresses, use: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect({ address: stack.temporal.address })
  try {
    return await use(new Client({ connection, namespace: stack.temporal.namespace }))
  } finally {
    await connection.close()
  }
}

/** A workflow no worker will ever run: it only has to be remembered. */
function startSleeper(stack: Addresses, workflowId: string): Promise<unknown> {
  const learnerId = { key: defineSearchAttributeKey('LearnerId', 'KEYWORD'), value: 'l-1' }
  return withTemporal(stack, (client) =>
    client.workflow.start('learningArc', {
      workflowId,
      taskQueue: 'nobody',
      typedSearchAttributes: [learnerId],
    }),
  )
}

function statusOf(stack: Addresses, workflowId: string): Promise<string> {
  return withTemporal(stack, async (client) => {
    const { status } = await client.workflow.getHandle(workflowId).describe()
    return status.name
  })
}

function serversOf(home: string) {
  return [
    ...findProcesses((args) => args.some((arg) => arg.startsWith(`${home}/`))),
    ...processesIn(join(home, 'postgres')),
  ]
}

describe('a running stack', () => {
  const home = newHome()
  let stack: LocalStack
  beforeAll(async () => {
    stack = await start(home)
  })
  afterAll(() => stack.stop())

  test('the server has exactly the search attributes that temporal-dev.yml names', async () => {
    const { customAttributes } = await withTemporal(stack, (client) =>
      client.connection.operatorService.listSearchAttributes({
        namespace: stack.temporal.namespace,
      }),
    )
    const numbers = { Keyword: 2, Double: 4, Datetime: 6 } as Record<string, number>
    const wanted = Object.entries(loadTemporalDevConfig().searchAttributes)
    const predefined = /^(Bool|Datetime|Double|Int|Keyword|KeywordList|Text)\d+$/
    const named = Object.entries(customAttributes ?? {}).filter(([name]) => !predefined.test(name))
    expect(Object.fromEntries(named)).toEqual(
      Object.fromEntries(wanted.map(([name, type]) => [name, numbers[type]])),
    )
  })

  test.runIf(process.platform === 'linux')(
    'the server runs with the settings that temporal-dev.yml names',
    () => {
      const [{ pid } = { pid: 0 }] = findTemporal(home)
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
      const { dynamicConfig, sqlitePragmas } = loadTemporalDevConfig()
      for (const [name, value] of Object.entries({ ...dynamicConfig, ...sqlitePragmas })) {
        expect(args).toContain(`${name}=${value}`)
      }
    },
  )

  test('its web UI answers', async () => {
    const response = await fetch(stack.temporal.uiUrl ?? '')
    expect(response.status).toBe(200)
  })

  test('PostgreSQL keeps what it was told and speaks UTF-8 and UTC', async () => {
    const settings = `select current_setting('fsync') as fsync, current_setting('timezone') as zone,
      current_setting('server_encoding') as encoding, lower('ÀΛ') as lower`
    expect(await query(stack.databaseUrl, settings)).toEqual([
      { fsync: 'on', zone: 'UTC', encoding: 'UTF8', lower: 'àλ' },
    ])
    await query(stack.databaseUrl, 'create extension if not exists pg_trgm')
  })

  test('nobody else may read the password', () => {
    for (const file of ['postgres-password', 'stack.lock']) {
      expect(statSync(join(home, file)).mode & 0o077).toBe(0)
    }
  })

  test('a second start of the same home is refused with the addresses of the first', async () => {
    stack.announce({ 'Web app': 'http://127.0.0.1:3999' })
    const second = start(home)
    await expect(second).rejects.toThrow(StackAlreadyRunning)
    await expect(second).rejects.toThrow('http://127.0.0.1:3999')
    await expect(second).rejects.toThrow(`kill ${process.pid}`)
    expect(readStackState(home)).toEqual({
      databaseUrl: stack.databaseUrl,
      temporal: stack.temporal,
    })
  })

  test('PostgreSQL killed with -9 is back at its port with its data', async () => {
    await query(stack.databaseUrl, 'create table kept (id int)')
    await query(stack.databaseUrl, 'insert into kept values (1)')
    const [killed] = findPostgres(home)
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    await vi.waitFor(
      async () => {
        expect(findPostgres(home)[0]?.pid).not.toBe(killed?.pid)
        expect(await query(stack.databaseUrl, 'select id from kept')).toEqual([{ id: 1 }])
      },
      { timeout: 20_000, interval: 100 },
    )
  })

  test('Temporal killed with -9 is back at its port with its workflows', async () => {
    await startSleeper(stack, 'arc-kept')
    const [killed] = findTemporal(home)
    process.kill(killed?.pid ?? 0, 'SIGKILL')
    await vi.waitFor(
      async () => {
        expect(findTemporal(home)[0]?.pid).not.toBe(killed?.pid)
        expect(await statusOf(stack, 'arc-kept')).toBe('RUNNING')
      },
      { timeout: 20_000, interval: 100 },
    )
  })

  test('servers of others are connected to, and left alone at the end', async () => {
    const client = await start(newHome(), {
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporal.address,
    })
    expect(client.temporal).toEqual({ address: stack.temporal.address, namespace: 'default' })
    expect(client.databaseUrl).toBe(stack.databaseUrl)
    await client.stop()
    expect(await statusOf(stack, 'arc-kept')).toBe('RUNNING')
  })
})

test('a stack killed with -9 loses nothing, and the next start leaves nothing of it behind', async () => {
  const home = newHome()
  const first = await startInProcess(home)
  await query(first.stack.databaseUrl, 'create table kept as select 1 as id')
  await startSleeper(first.stack, 'arc-kept')
  first.child.kill('SIGKILL')
  await once(first.child, 'exit')
  const orphans = serversOf(home)
  expect(orphans.length).toBeGreaterThan(1)

  const second = await startInProcess(home)
  expect(second.stack.notes.join(' ')).toMatch(/Stopped a PostgreSQL .* Stopped a Temporal/)
  expect(orphans.filter(isRunning)).toEqual([])
  expect(await query(second.stack.databaseUrl, 'select id from kept')).toEqual([{ id: 1 }])
  expect(await statusOf(second.stack, 'arc-kept')).toBe('RUNNING')

  second.child.kill('SIGTERM')
  await once(second.child, 'exit')
  expect(serversOf(home)).toEqual([])
  expect(existsSync(join(home, 'stack.lock'))).toBe(false)
})

test('what a killed first start left half made is made again', async () => {
  const home = newHome()
  mkdirSync(join(home, 'postgres.new-1'))
  writeFileSync(join(home, 'postgres.new-1', 'PG_VERSION'), '18\n')
  const stack = await start(home)
  expect(stack.notes.join(' ')).toContain('half made')
  expect(existsSync(join(home, 'postgres.new-1'))).toBe(false)
  await stack.stop()

  // The pid in the file of a killed server may by now be any other process's, ours for one.
  const pidFile = join(home, 'postgres', 'postmaster.pid')
  writeFileSync(pidFile, `${process.pid}\n${home}/postgres\n${startTimeOf(process.pid)}\n`)
  const again = await start(home)
  expect(await query(again.databaseUrl, 'select 1 as one')).toEqual([{ one: 1 }])
  await again.stop()
  await again.stop()
  expect(serversOf(home)).toEqual([])
})

test('a stack that cannot start stops what it had started and gives the home free', async () => {
  const home = newHome()
  const config = { ...loadTemporalDevConfig(), logLevel: 'no such level' as 'info' }
  const options = { menoHome: home, env: { PATH: process.env.PATH }, log: () => {}, config }
  await expect(startLocalStack({ ...options, ports: ANY_PORTS })).rejects.toThrow(
    'Temporal does not start',
  )
  expect(serversOf(home)).toEqual([])
  expect(existsSync(join(home, 'stack.lock'))).toBe(false)
})

test('two first starts at once, of two homes, make the one empty database and get a copy each', async () => {
  const cache = newHome()
  vi.stubEnv('XDG_CACHE_HOME', cache)
  onTestFinished(() => void vi.unstubAllEnvs())
  const homes = [newHome(), newHome()]
  const start = (home: string) => startPostgres({ home, log: () => {}, port: 0 })
  const servers = await Promise.all(homes.map(start))
  for (const { url } of servers) await query(url, 'create table own as select 1 as id')
  expect(readdirSync(join(cache, 'meno'))).toEqual([expect.stringMatching(/^postgres-\d/)])
  for (const server of servers) await server.stop()
})
