import { mkdirSync, realpathSync } from 'node:fs'
import type { HeldLock, LockHolder, ProcessIdentity } from './pid-lock.mjs'
import { tryLock } from './pid-lock.mjs'
import { startPostgres, stopOrphanedPostgres } from './postgres.ts'
import { identify } from './processes.ts'
import type { Log } from './run-command.ts'
import { type StackState, stackLockFile, writeStackState } from './stack-state.ts'
import { findTemporalBinary } from './temporal-binary.ts'
import { loadTemporalDevConfig, type TemporalDevConfig } from './temporal-dev-config.ts'
import { connectToTemporal } from './temporal-outside.ts'
import { startTemporalServer, stopOrphanedTemporal } from './temporal-server.ts'

export interface LocalStackOptions {
  /** Folder of the embedded data; made if it is missing. */
  menoHome: string
  /** `DATABASE_URL` and `TEMPORAL_ADDRESS` name servers to be used instead of embedded ones. */
  env: NodeJS.ProcessEnv
  log: Log
  /** Wanted ports instead of the usual ones; 0 = any free one. */
  ports?: { postgres: number; temporal: number; temporalUi: number }
  /** Added to the embedded PostgreSQL's settings. */
  postgresSettings?: Record<string, string>
  config?: TemporalDevConfig
}

export interface LocalStack {
  databaseUrl: string
  temporal: { address: string; namespace: string; uiUrl?: string }
  /** What was cleaned up after an earlier run, and what an operator should know, as sentences. */
  notes: string[]
  /** Tells a second start of the same home where this one answers: `{ web: 'http://…' }`. */
  announce(addresses: Record<string, string>): void
  /** Ends the embedded servers for good; calling it again changes nothing. */
  stop(): Promise<void>
}

/** Another process runs a stack on the same home. */
export class StackAlreadyRunning extends Error {
  override readonly name = 'StackAlreadyRunning'
}

/**
 * Brings up PostgreSQL and Temporal: those the environment names, else embedded ones with their
 * data under `menoHome`, kept running until `stop`. Whatever an earlier run of that home left
 * behind is stopped and cleared away first. Throws `StackAlreadyRunning` when another process holds
 * the home, and errors that name the command that would mend them.
 */
export async function startLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  mkdirSync(options.menoHome, { recursive: true })
  const home = realpathSync(options.menoHome)
  const config = options.config ?? loadTemporalDevConfig()
  const embedsNothing = Boolean(options.env.DATABASE_URL && options.env.TEMPORAL_ADDRESS)
  const lock = embedsNothing ? null : takeHome(home)
  try {
    return await bringUp(options, home, config, lock)
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function bringUp(
  options: LocalStackOptions,
  home: string,
  config: TemporalDevConfig,
  lock: HeldLock | null,
): Promise<LocalStack> {
  const { env, log } = options
  const notes: string[] = []
  if (lock) {
    notes.push(...(await stopOrphanedPostgres(home)), ...(await stopOrphanedTemporal(home, config)))
    notes.forEach(log)
  }
  const record = recorder(home, lock)
  const [database, temporal] = await Promise.allSettled([
    env.DATABASE_URL ? outsideDatabase(env.DATABASE_URL) : startDatabase(options, home, record),
    env.TEMPORAL_ADDRESS
      ? outsideTemporal(env, config, notes, log)
      : startTemporal(options, home, config, record),
  ])
  const stopBoth = async () => {
    const started = [temporal, database].filter((server) => server.status === 'fulfilled')
    await Promise.all(started.map((server) => server.value.stop()))
  }
  if (database.status === 'rejected' || temporal.status === 'rejected') {
    await stopBoth()
    throw database.status === 'rejected'
      ? database.reason
      : (temporal as PromiseRejectedResult).reason
  }
  const { address, namespace, uiUrl } = temporal.value
  const shown = { address, namespace, ...(uiUrl && { uiUrl }) }
  record({ databaseUrl: database.value.url, temporal: shown })
  let addresses: Record<string, string> = { Temporal: uiUrl ?? address }
  lock?.tell(addresses)
  let stopped: Promise<void> | undefined
  return {
    databaseUrl: database.value.url,
    temporal: shown,
    notes,
    announce: (more) => {
      addresses = { ...addresses, ...more }
      lock?.tell(addresses)
    },
    stop: () => {
      stopped ??= stopBoth().finally(() => lock?.release())
      return stopped
    },
  }
}

function takeHome(home: string): HeldLock {
  const { lock, holder } = tryLock(stackLockFile(home))
  if (lock) return lock
  throw new StackAlreadyRunning(alreadyRunning(home, holder))
}

function alreadyRunning(home: string, { pid, details = {} }: LockHolder): string {
  const addresses = Object.entries(details).map(([name, address]) => `\n  ${name}: ${address}`)
  const where = addresses.length > 0 ? `:${addresses.join('')}` : ', and is just starting.'
  return (
    `Meno is already running on ${home} (process ${pid})${where}\n` +
    `Stop it with: kill ${pid}\nor start a second one on other data: MENO_HOME=<folder> npm start`
  )
}

type Recorded = Partial<Pick<StackState, 'databaseUrl' | 'temporal'>> & {
  process?: [name: keyof StackState['processes'], current: ProcessIdentity | null]
}

function recorder(home: string, lock: HeldLock | null) {
  const owner = identify(process.pid) ?? { pid: process.pid, startedAt: 'unknown' }
  const state: StackState = { owner, databaseUrl: null, temporal: null, processes: {} }
  return ({ process: changed, ...known }: Recorded) => {
    Object.assign(state, known)
    if (changed?.[1]) state.processes[changed[0]] = changed[1]
    else if (changed) delete state.processes[changed[0]]
    if (lock) writeStackState(home, state)
  }
}

async function startDatabase(
  options: LocalStackOptions,
  home: string,
  record: (change: Recorded) => void,
) {
  const { log, ports, postgresSettings } = options
  log('Starting PostgreSQL …')
  const postgres = await startPostgres({
    home,
    log,
    onChange: (current) => record({ process: ['postgres', current] }),
    ...(ports && { port: ports.postgres }),
    ...(postgresSettings && { settings: postgresSettings }),
  })
  log(`PostgreSQL answers at 127.0.0.1:${postgres.port}; its data is kept in ${home}.`)
  return postgres
}

async function startTemporal(
  options: LocalStackOptions,
  home: string,
  config: TemporalDevConfig,
  record: (change: Recorded) => void,
) {
  const { env, log, ports } = options
  log('Starting Temporal …')
  const binary = await findTemporalBinary({ env, log })
  const temporal = await startTemporalServer({
    home,
    binary,
    config,
    log,
    onChange: (current) => record({ process: ['temporal', current] }),
    ...(ports && { ports: { grpc: ports.temporal, ui: ports.temporalUi } }),
  })
  log(`Temporal answers at ${temporal.address}; its web UI is ${temporal.uiUrl}.`)
  return temporal
}

async function outsideDatabase(url: string) {
  return { url, stop: async () => {} }
}

async function outsideTemporal(
  env: NodeJS.ProcessEnv,
  config: TemporalDevConfig,
  notes: string[],
  log: Log,
) {
  log(`Connecting to Temporal at ${env.TEMPORAL_ADDRESS} …`)
  const { address, namespace, advice } = await connectToTemporal(env, config.searchAttributes)
  if (advice) {
    notes.push(advice)
    log(advice)
  }
  return { address, namespace, uiUrl: undefined, stop: async () => {} }
}
