import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Config, ConfigError, loadEnvFile, readConfig } from './config.ts'
import { openBrowser } from './dev/browser.ts'
import { claimPort, freePort } from './dev/free-port.ts'
import { StackAlreadyRunning, startLocalStack } from './dev/local-stack.ts'
import { supervise } from './dev/supervised-process.ts'
import { migrateToLatest, openDatabase } from './store/database.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

/** Everything: database, Temporal, worker and API, each kept running until Ctrl-C. */
async function startAll(config: Config): Promise<void> {
  const stack = await startLocalStack({ menoHome: config.home, env: process.env, log: say })
  const ended = untilAskedToStop()
  const stops: (() => Promise<void>)[] = [() => stack.stop()]
  try {
    await migrate(stack.databaseUrl)
    const env = {
      ...process.env,
      DATABASE_URL: stack.databaseUrl,
      TEMPORAL_ADDRESS: stack.temporal.address,
      TEMPORAL_NAMESPACE: stack.temporal.namespace,
    }
    const { port, release } = await claimPort(config.port, config.host)
    stops.unshift(async () => release())
    if (config.port !== 0 && port !== config.port) {
      say(`Port ${config.port} is taken; Meno uses ${port}.`)
    }
    let url = ''
    const api = await superviseRole('api', { ...env, PORT: String(port) }, (ready) => {
      url = ready
      stack.announce({ Meno: url })
    })
    stops.unshift(() => api.stop())
    const worker = await superviseRole('worker', env)
    stops.unshift(() => worker.stop())
    greet(config, url, stack.temporal.uiUrl ?? stack.temporal.address)
    openBrowser(url)
    await ended
    say('Stopping …')
  } finally {
    for (const stop of stops) await stop().catch((error) => say(String(error)))
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

/** Runs one role in a process of its own, and again whenever it dies. */
async function superviseRole(
  role: 'api' | 'worker',
  env: NodeJS.ProcessEnv,
  onReady: (url: string) => void = () => {},
) {
  let child: ChildProcess
  return supervise({
    name: role === 'api' ? 'The API' : 'The worker',
    launch: () => {
      child = spawn(
        process.execPath,
        [
          '--import',
          pathToFileURL(path.join(import.meta.dirname, 'dev/parent-watch.mjs')).href,
          import.meta.filename,
          role,
        ],
        {
          env: { ...env, MENO_PARENT_FD: '3' },
          stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'ipc'],
        },
      )
      return child
    },
    ready: () =>
      new Promise((resolve) => {
        child.on('message', ({ url }: { url: string }) => {
          onReady(url)
          resolve()
        })
      }),
    stopSignals: ['SIGTERM', 'SIGKILL'],
    log: say,
  })
}

/** One role alone, against the Temporal and PostgreSQL that the environment names. */
async function startRole(role: 'api' | 'worker', config: Config): Promise<void> {
  const { databaseUrl } = config
  if (databaseUrl === null || !process.env.TEMPORAL_ADDRESS) {
    throw new ConfigError(
      `npm run ${role} needs DATABASE_URL and TEMPORAL_ADDRESS; npm start brings its own.`,
    )
  }
  const asked = untilAskedToStop()
  await migrate(databaseUrl)
  if (role === 'worker') {
    const { startWorker } = await import('./worker.ts')
    const worker = await startWorker(config, databaseUrl)
    tellReady('')
    await Promise.race([asked, worker.done])
    await worker.stop()
    return
  }
  const { startApi } = await import('./api/server.ts')
  const port = await freePort(config.port, config.host)
  const api = await startApi({ ...config, port }, databaseUrl)
  tellReady(api.url)
  await asked
  await api.stop()
}

function tellReady(url: string): void {
  if (process.send) process.send({ url })
  else say(url ? `Meno answers at ${url}` : 'The worker is polling')
}

function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.once(signal, () => resolve())
    }
  })
}

const role = process.argv[2]
try {
  loadEnvFile()
  const config = readConfig()
  if (role === 'api' || role === 'worker') await startRole(role, config)
  else await startAll(config)
  process.exit(0)
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof StackAlreadyRunning
  say(isExpected ? error.message : String((error as Error)?.stack ?? error))
  process.exit(1)
}
