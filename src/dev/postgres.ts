import { spawn } from 'node:child_process'
import { closeSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { claimPort } from './free-port.ts'
import { openLogFile, tailOf } from './log-file.ts'
import type { ProcessIdentity } from './pid-lock.mjs'
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts'
import { dataFolder, makeData, POSTGRES_USER, readPassword } from './postgres-data.ts'
import { findProcesses, processesIn, stopProcess } from './processes.ts'
import type { Log } from './run-command.ts'
import { commandAs, serverUser } from './server-user.ts'
import { type Supervised, supervise } from './supervised-process.ts'

/** The port PostgreSQL is started on when it is free; below the range of outgoing connections. */
const POSTGRES_PORT = 25_432
const DATABASE = 'meno'
const STOP_SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGQUIT', 'SIGKILL']
const GIVE_UP_AFTER_MS = 60_000

export interface PostgresOptions {
  /** An existing folder; data, log and password are kept in it. Resolved, without symbolic links. */
  home: string
  log: Log
  /** Wanted port, the next free one if it is taken; 0 = any. */
  port?: number | undefined
  /** Added to the server's own: `{ fsync: 'off' }` for a database that need not last. */
  settings?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
}

export interface RunningPostgres extends Supervised {
  url: string
  port: number
}

/**
 * Starts the PostgreSQL that comes with the packages on its data in `home`, makes the data at the
 * first start, and keeps the server running on one port until `stop`. The caller holds the lock of
 * `home` and has called `stopOrphanedPostgres`.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const binaries = findPostgresBinaries()
  const { home, log } = options
  const isLasting = options.settings?.fsync !== 'off'
  if (!existsSync(dataFolder(home))) await makeData(home, binaries, { isLasting, log })
  const owner = `${POSTGRES_USER}:${readPassword(home)}`
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS
  for (let attempt = 1; ; attempt++) {
    const claimed = await claimPort(options.port ?? POSTGRES_PORT)
    const { port } = claimed
    const adminUrl = `postgresql://${owner}@127.0.0.1:${port}/postgres`
    try {
      const supervised = await supervise({
        name: 'PostgreSQL',
        launch: () => launch(options, binaries, port),
        ready: (signal) => untilAnswering(adminUrl, signal),
        stopSignals: STOP_SIGNALS,
        log,
        signal: options.signal,
      })
      await makeDatabase(adminUrl)
      return {
        stop: () => supervised.stop().finally(claimed.release),
        port,
        url: adminUrl.replace(/postgres$/, DATABASE),
      }
    } catch (error) {
      claimed.release()
      options.signal?.throwIfAborted()
      if (attempt >= 3 || Date.now() > giveUpAt) {
        throw new Error(`PostgreSQL does not start: ${error}\n${tailOf(logFile(home))}`)
      }
    }
  }
}

/**
 * Stops a PostgreSQL that an earlier run of this home left running, and clears away what would keep
 * a new one from starting. Returns what was done, as sentences.
 */
export async function stopOrphanedPostgres(home: string): Promise<string[]> {
  const data = dataFolder(home)
  const notes: string[] = []
  for (const orphan of findPostgres(home)) {
    await stopProcess(orphan, STOP_SIGNALS)
    notes.push(`Stopped a PostgreSQL (process ${orphan.pid}) that an earlier run had left behind.`)
  }
  for (const name of readdirSync(home)) {
    if (!name.startsWith('postgres.new-')) continue
    rmSync(join(home, name), { recursive: true, force: true })
    notes.push('Removed a database that an earlier run had only half made.')
  }
  // The server's own children may outlive it by a moment, and hold its shared memory.
  for (const child of processesIn(data)) await stopProcess(child, ['SIGQUIT', 'SIGKILL'], 5000)
  if (removeForeignPidFile(data)) {
    notes.push('Removed the process id file of a PostgreSQL that no longer runs.')
  }
  return notes
}

/** The PostgreSQL that runs on the data of this home, whoever started it. */
export function findPostgres(home: string): ProcessIdentity[] {
  const data = dataFolder(home)
  return findProcesses((args) => args[args.indexOf('-D') + 1] === data)
}

/** PostgreSQL refuses to start while the pid in its file belongs to any process at all, a zombie too. */
function removeForeignPidFile(data: string): boolean {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return false
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  if (Number.isInteger(pid) && !takesSignals(pid)) return false
  rmSync(file)
  return true
}

function takesSignals(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function logFile(home: string): string {
  return join(home, 'postgres.log')
}

function launch(options: PostgresOptions, binaries: PostgresBinaries, port: number) {
  const data = dataFolder(options.home)
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off', // short queries only: compiling them costs more than it saves
    ...options.settings,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = commandAs(serverUser(data), binaries.postgres, ['-D', data, ...flags], [data])
  const output = openLogFile(logFile(options.home))
  try {
    // A process group of its own: Ctrl-C reaches only us, and we stop the servers last.
    return spawn(command.file, command.args, {
      ...command.options,
      cwd: '/',
      detached: true,
      stdio: ['ignore', output, output],
    })
  } finally {
    closeSync(output)
  }
}

async function untilAnswering(url: string, signal: AbortSignal): Promise<void> {
  while (true) {
    signal.throwIfAborted()
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return
    } catch (error) {
      if (isWrongPassword(error)) throw error
      await sleep(50)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '28P01'
}

async function makeDatabase(adminUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
