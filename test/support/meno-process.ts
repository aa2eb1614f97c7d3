import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { freePort } from '../../src/dev/free-port.ts'
import { isRunning, type ProcessIdentity, readHolder } from '../../src/dev/pid-lock.mjs'
import { findPostgres } from '../../src/dev/postgres.ts'
import { findProcesses, identify, processesIn } from '../../src/dev/processes.ts'
import { readStackState, stackLockFile } from '../../src/dev/stack-state.ts'
import { findTemporal } from '../../src/dev/temporal-server.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const MAIN = path.join(ROOT, 'src/main.ts')
const PARENT_WATCH = pathToFileURL(path.join(ROOT, 'src/dev/parent-watch.mjs')).href
/** Below the ports that the system gives to outgoing connections. */
const FIRST_PORT = 23_000
const READY_WITHIN_MS = 120_000
const LOG_LINES = 60

/** What can be killed: one process (PostgreSQL with all its children), or all there are. */
export const VICTIMS = ['worker', 'api', 'temporal', 'postgres', 'everything'] as const
export type Victim = (typeof VICTIMS)[number]

/** A whole Meno as `npm start` runs it, in processes of its own, on data of its own. */
export interface MenoProcess {
  readonly home: string
  /** Where the API answers; another place, perhaps, after everything was killed. */
  readonly url: () => string
  databaseUrl(): string
  /** `host:port` of its Temporal. */
  temporalAddress(): string
  /** Kills with -9 and returns when the processes are gone; all but `everything` come back by themselves. */
  kill(victim: Victim): Promise<void>
  /** Brings it up after `kill('everything')` or `stop`; returns when it is ready for messages. */
  start(): Promise<void>
  /** Ends it in good order; its data are kept. */
  stop(): Promise<void>
  /** Ends it however it stands and removes its data. */
  remove(): Promise<void>
  /** The rows of a query on its database, asked until it answers. */
  rows<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>
  /** The last lines it has written. */
  log(): string
}

/**
 * Starts the whole product on free ports in a new folder and waits until it is ready. Nothing of the
 * environment that names servers, keys or settings is passed on; `env` is.
 */
export async function startMenoProcess(env: NodeJS.ProcessEnv = {}): Promise<MenoProcess> {
  const home = mkdtempSync(path.join(realpathSync(tmpdir()), 'meno-test-'))
  const port = await freePort(FIRST_PORT + (process.pid % 1000))
  const meno = new RunningMeno(home, {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    MENO_COURSES: process.env.MENO_COURSES || path.join(ROOT, 'courses'),
    BROWSER: 'none',
    PORT: String(port),
    ...env,
    MENO_HOME: home,
  })
  try {
    await meno.start()
  } catch (error) {
    await meno.remove()
    throw error
  }
  return meno
}

class RunningMeno implements MenoProcess {
  readonly home: string
  readonly #env: NodeJS.ProcessEnv
  readonly #killAll = () => this.#processes('everything').forEach(killNow)
  #main: ChildProcess | null = null
  #url = ''
  #log: string[] = []

  constructor(home: string, env: NodeJS.ProcessEnv) {
    this.home = home
    this.#env = env
    process.once('exit', this.#killAll)
  }

  readonly url = (): string => {
    const announced = readHolder(stackLockFile(this.home))?.details?.Meno
    if (typeof announced === 'string') this.#url = announced
    return this.#url
  }

  databaseUrl(): string {
    return readStackState(this.home)?.databaseUrl ?? ''
  }

  temporalAddress(): string {
    return readStackState(this.home)?.temporal?.address ?? ''
  }

  async start(): Promise<void> {
    const ended = this.#launch()
    const deadline = Date.now() + READY_WITHIN_MS
    while (!(await this.#isReady())) {
      if (ended.signal.aborted || Date.now() > deadline) {
        throw new Error(`Meno does not start:\n${this.log()}`)
      }
      await sleep(100)
    }
  }

  /** Like npm's own start: when this process ends, however it ends, Meno stops in good order. */
  #launch(): AbortController {
    const child = spawn(process.execPath, ['--import', PARENT_WATCH, MAIN], {
      // A `.env` of the project's folder is not ours to read.
      cwd: this.home,
      env: { ...this.#env, MENO_PARENT_FD: '3' },
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    const ended = new AbortController()
    child.once('exit', () => ended.abort())
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (data: Buffer) => {
        this.#log = [...this.#log, ...String(data).trimEnd().split('\n')].slice(-LOG_LINES)
      })
    }
    this.#main = child
    return ended
  }

  async #isReady(): Promise<boolean> {
    const owner = readHolder(stackLockFile(this.home))
    if (owner?.pid !== this.#main?.pid || !owner?.details?.Meno) return false
    const response = await fetch(`${this.url()}/readyz`).catch(() => null)
    return response?.status === 200
  }

  async kill(victim: Victim): Promise<void> {
    const victims = this.#processes(victim)
    victims.forEach(killNow)
    while (victims.some(isRunning)) await sleep(5)
  }

  #processes(victim: Victim): ProcessIdentity[] {
    const main = this.#main?.exitCode === null ? identify(this.#main.pid) : null
    switch (victim) {
      case 'worker':
      case 'api':
        return main
          ? findProcesses((args) => args.includes(MAIN) && args.includes(victim)).filter(
              ({ pid }) => parentOf(pid) === main.pid,
            )
          : []
      case 'temporal':
        return findTemporal(this.home)
      case 'postgres':
        return [...findPostgres(this.home), ...processesIn(path.join(this.home, 'postgres'))]
      case 'everything': {
        const roles = [...this.#processes('worker'), ...this.#processes('api')]
        const servers = [...this.#processes('temporal'), ...this.#processes('postgres')]
        return [...(main ? [main] : []), ...roles, ...servers]
      }
    }
  }

  async stop(): Promise<void> {
    const child = this.#main
    this.#main = null
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }

  async remove(): Promise<void> {
    await this.kill('everything')
    process.off('exit', this.#killAll)
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  async rows<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
      const client = new pg.Client({ connectionString: this.databaseUrl() })
      client.on('error', () => {})
      try {
        await client.connect()
        return (await client.query<Row>(sql, values)).rows
      } catch (error) {
        if (Date.now() > deadline) throw error
      } finally {
        await client.end().catch(() => {})
      }
    }
  }

  log(): string {
    return this.#log.join('\n')
  }
}

function killNow({ pid }: ProcessIdentity): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it is gone already
  }
}

function parentOf(pid: number): number {
  try {
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' }))
  } catch {
    return 0
  }
}
