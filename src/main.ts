import { fork } from 'node:child_process'
import { once } from 'node:events'
import { flushCompileCache } from 'node:module'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError, cacheFolder, loadEnvFile, readConfig } from './config.ts'
import { openBrowser } from './dev/browser.ts'
import { claimPort, freePort, isPortFree } from './dev/free-port.ts'
import { StackAlreadyRunning, startLocalStack } from './dev/local-stack.ts'
import { supervise } from './dev/supervised-process.ts'
import { migrateToLatest, openDatabase } from './store/database.ts'

/** Where OpenTelemetry's Prometheus exporters are looked for. */
const WORKER_METRICS_PORT = 9464

/** So long a claimed port is waited for, and so often looked at. */
const PORT_PATIENCE_MS = 10_000
const PORT_PAUSE_MS = 100

const say = (line: string) => process.stderr.write(`${line}\n`)

/** Everything: database, Temporal, worker and API, each kept running until Ctrl-C. */
async function startAll(config: Config, asked: AbortSignal): Promise<void> {
  const started = { menoHome: config.home, env: process.env, log: say, signal: asked }
  const stack = await startLocalStack(started)
  const stops: (() => Promise<void> | void)[] = [() => stack.stop()]
  try {
    await migrate(stack.databaseUrl)
    const metrics = await claimPort(config.workerMetricsPort ?? WORKER_METRICS_PORT)
    const { port, release } = await claimPort(config.port, config.host)
    stops.unshift(release, metrics.release)
    if (config.port !== 0 && port !== config.port) {
      say(`Port ${config.port} is taken; Meno uses ${port}.`)
    }
    const env = {
      NODE_COMPILE_CACHE: path.join(cacheFolder(), 'node'),
      // Before the environment, which may name another way to it.
      ...(stack.temporal.uiUrl ? { MENO_TEMPORAL_UI_URL: stack.temporal.uiUrl } : {}),
      ...process.env,
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporal.address,
      TEMPORAL_NAMESPACE: stack.temporal.namespace,
      PORT: String(port),
      MENO_WORKER_METRICS_PORT: String(metrics.port),
    }
    let url = ''
    const onReady = (ready: string) => {
      url = ready
      stack.announce({ Meno: url })
    }
    const roles = await Promise.allSettled([
      superviseRole('api', env, asked, onReady),
      superviseRole('worker', env, asked),
    ])
    stops.unshift(async () => {
      const running = roles.filter((role) => role.status === 'fulfilled')
      await Promise.all(running.map((role) => role.value.stop()))
    })
    for (const role of roles) if (role.status === 'rejected') throw role.reason
    greet(config, url, stack.temporal.uiUrl ?? stack.temporal.address)
    openBrowser(url)
    await untilAborted(asked)
    say('Stopping …')
  } finally {
    for (const stop of stops) await Promise.resolve(stop()).catch((error) => say(String(error)))
  }
}

function greet(config: Config, url: string, temporal: string): void {
  const tutor = config.model
    ? `the model ${config.model.tutor}`
    : 'the offline tutor, from the installed courses (set ANTHROPIC_API_KEY for any topic)'
  say(`
  Meno is ready.        ${url}
  Every arc, inspected: ${temporal}
  Taught by ${tutor}.
  Ctrl-C stops everything; your place is kept.
`)
}

async function migrate(databaseUrl: string): Promise<void> {
  const { db } = openDatabase(databaseUrl, 1)
  try {
    const ran = await migrateToLatest(db)
    if (ran.length > 0) say(`Database migrated: ${ran.join(', ')}`)
  } finally {
    await db.destroy()
  }
}

/**
 * Runs one role in a process of its own, and again whenever it dies. The process is in no terminal's
 * group: whoever tells the group to end reaches us alone, and we end the roles before the servers.
 */
function superviseRole(
  role: 'api' | 'worker',
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  onReady: (url: string) => void = () => {},
) {
  return supervise({
    name: role === 'api' ? 'The API' : 'The worker',
    launch: () => fork(import.meta.filename, [role], { env, detached: true }),
    ready: async (_, child) => {
      const [{ url }] = await once(child, 'message')
      onReady(url)
    },
    stopSignals: ['SIGTERM', 'SIGKILL'],
    log: say,
    signal,
  })
}

/** One role alone, against the Temporal and PostgreSQL that the environment names. */
async function startRole(role: 'api' | 'worker', config: Config, asked: AbortSignal) {
  const { databaseUrl } = config
  if (databaseUrl === null || !process.env.TEMPORAL_ADDRESS) {
    throw new ConfigError(
      `npm run ${role} needs DATABASE_URL and TEMPORAL_ADDRESS; npm start brings its own.`,
    )
  }
  const running = await Promise.race([begin(role, config, databaseUrl), untilAborted(asked)])
  if (!running) return
  tellReady(running.url)
  // Whoever is killed would leave nothing to the next start.
  flushCompileCache()
  await Promise.race([untilAborted(asked), running.done])
  await running.stop()
}

async function begin(role: 'api' | 'worker', config: Config, databaseUrl: string) {
  // Where `npm start` runs the role it has done so before, and whoever waits for a worker's return need not wait for it.
  if (!process.send) await migrate(databaseUrl)
  if (role === 'worker') {
    const { startWorker } = await import('./worker.ts')
    return { url: '', ...(await startWorker(config, databaseUrl)) }
  }
  const { startApi } = await import('./api/server.ts')
  const api = await startApi({ ...config, port: await portOf(config) }, databaseUrl)
  return { ...api, done: new Promise<void>(() => {}) }
}

/**
 * The wanted port or, alone, the next free one. The one that `npm start` has claimed is waited for: a connection of
 * another program may hold it for a moment, and those who wait for an API that died look for it there.
 */
async function portOf({ port, host }: Config): Promise<number> {
  const deadline = Date.now() + (process.send ? PORT_PATIENCE_MS : 0)
  while (Date.now() < deadline) {
    if (await isPortFree(port, host)) return port
    await sleep(PORT_PAUSE_MS)
  }
  return freePort(port, host)
}

function tellReady(url: string): void {
  if (process.send) process.send({ url })
  else say(url ? `Meno answers at ${url}` : 'The worker is polling')
}

/** Aborted by the first signal to end, and when `npm start`, whose role this is, is no more. */
function askedToStop(): AbortSignal {
  const asked = new AbortController()
  // Every later signal is heard too, and changes nothing: unheard it would end us before the servers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => asked.abort())
  }
  if (process.connected) process.once('disconnect', () => asked.abort())
  else if (process.send) asked.abort()
  return asked.signal
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}

/** A terminal or a tee that is gone takes nothing along: what would be written is lost, no more. */
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})

const role = process.argv[2]
const asked = askedToStop()
try {
  loadEnvFile()
  const config = readConfig()
  if (role === 'api' || role === 'worker') await startRole(role, config, asked)
  else await startAll(config, asked)
  process.exit(0)
} catch (error) {
  if (asked.aborted) process.exit(0)
  const isExpected = error instanceof ConfigError || error instanceof StackAlreadyRunning
  say(isExpected ? error.message : String((error as Error)?.stack ?? error))
  process.exit(1)
}
