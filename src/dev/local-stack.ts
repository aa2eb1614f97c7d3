import { mkdirSync, realpathSync } from 'node:fs'
import { loadTemporalDevConfig, type TemporalDevConfig } from '../temporal-dev-config.ts'
import { type HeldLock, type LockHolder, tryLock } from './pid-lock.mjs'
import { startPostgres, stopOrphanedPostgres } from './postgres.ts'
import type { Log } from './run-command.ts'
import { type StackState, stackLockFile } from './stack-state.ts'
import type { Supervised } from './supervised-process.ts'
import { findTemporalBinary } from './temporal-binary.ts'
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
  /** When it is aborted, a start that is under way ends and stops what it has begun. */
  signal?: AbortSignal
}

export interface LocalStack extends StackState {
  /** What was cleaned up after an earlier run, as sentences. */
  notes: string[]
  /** Tells a second start of the same home where this one answers: `{ Meno: 'http://…' }`. */
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
    notes.push(...(await stopOrphanedPostgres(home)), ...(await stopOrphanedTemporal(home)))
    notes.forEach(log)
  }
  const [database, temporal] = await Promise.allSettled([
    env.DATABASE_URL
      ? { url: env.DATABASE_URL, stop: async () => {} }
      : startDatabase(options, home),
    env.TEMPORAL_ADDRESS ? outsideTemporal(env) : startTemporal(options, home, config),
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
  const { stop: _, ...answering } = temporal.value
  const servers: StackState = { databaseUrl: database.value.url, temporal: answering }
  let told: Record<string, unknown> = {}
  const tell = (more: Record<string, unknown>) => {
    told = { ...told, ...more }
    lock?.tell(told)
  }
  tell({ Temporal: servers.temporal.uiUrl ?? servers.temporal.address, servers })
  let stopped: Promise<void> | undefined
  return {
    ...servers,
    notes,
    announce: tell,
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
  const addresses = Object.entries(details)
    .filter(([, address]) => typeof address === 'string')
    .map(([name, address]) => `\n  ${name}: ${address}`)
  const where = addresses.length > 0 ? `:${addresses.join('')}` : ', and is just starting.'
  return (
    `Meno is already running on ${home} (process ${pid})${where}\n` +
    `Stop it with: kill ${pid}\nor start a second one on other data: MENO_HOME=<folder> npm start`
  )
}

async function startDatabase(options: LocalStackOptions, home: string) {
  const { log, ports, postgresSettings, signal } = options
  log('Starting PostgreSQL …')
  const port = ports?.postgres
  const postgres = await startPostgres({ home, log, port, settings: postgresSettings, signal })
  log(`PostgreSQL answers at 127.0.0.1:${postgres.port}; its data is kept in ${home}.`)
  return postgres
}

async function startTemporal(options: LocalStackOptions, home: string, config: TemporalDevConfig) {
  const { env, log, ports, signal } = options
  log('Starting Temporal …')
  const aborted = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason)),
  )
  const binary = await Promise.race([findTemporalBinary({ env, log }), aborted])
  const wanted = ports && { grpc: ports.temporal, ui: ports.temporalUi }
  const temporal = await startTemporalServer({ home, binary, config, log, ports: wanted, signal })
  log(`Temporal answers at ${temporal.address}; its web UI is ${temporal.uiUrl}.`)
  return temporal
}

function outsideTemporal(env: NodeJS.ProcessEnv): StackState['temporal'] & Supervised {
  const { TEMPORAL_ADDRESS: address = '', TEMPORAL_NAMESPACE: namespace } = env
  return { address, namespace: namespace || 'default', stop: async () => {} }
}
