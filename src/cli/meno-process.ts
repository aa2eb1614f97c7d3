import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Config } from '../config.ts'
import { freePort } from '../dev/free-port.ts'
import { openLogFile, tailOf } from '../dev/log-file.ts'
import { isRunning, readHolder } from '../dev/pid-lock.mjs'
import { stackLockFile } from '../dev/stack-state.ts'
import { oneLine } from './terminal-text.ts'

/** Meno cannot be reached or started; the message says why, and what helps. */
export class NoMeno extends Error {
  override readonly name = 'NoMeno'
}

export interface ReachedMeno {
  /** Where it answers now; null between its end and its next start. */
  address: () => string | null
  /** Ends it if it was started here; calling it again changes nothing. */
  stop: () => Promise<void>
  wasStarted: boolean
}

/** Told what is being waited for, again and again. */
export type OnWait = (what: string) => void

const LOOK_MS = 150
const OUTSIDE_PATIENCE_MS = 30_000
const RUNNING_PATIENCE_MS = 120_000

/**
 * The Meno at `MENO_URL`, or the one that runs on this home, or else one started for the time of the chat. Returns when
 * it can take a message.
 * @throws {NoMeno} and the signal's reason once it is aborted
 */
export async function reachMeno(
  config: Config,
  env: NodeJS.ProcessEnv,
  onWait: OnWait,
  signal: AbortSignal,
): Promise<ReachedMeno> {
  const outside = env.MENO_URL?.replace(/\/+$/, '')
  if (outside) {
    if (!/^https?:\/\/[^/]/.test(outside)) {
      throw new NoMeno(`MENO_URL is the address of a running Meno, as http://…, not ${outside}.`)
    }
    const onLook = () => onWait(`Connecting to Meno at ${outside}`)
    await untilReady(() => outside, { patienceMs: OUTSIDE_PATIENCE_MS, onLook, signal })
    return { address: () => outside, stop: async () => {}, wasStarted: false }
  }
  const address = () => announcedAddress(config.home)
  if (isHomeTaken(config.home)) {
    const onLook = () => onWait('Waiting for Meno to be ready')
    await untilReady(address, { patienceMs: RUNNING_PATIENCE_MS, onLook, signal })
    return { address, stop: async () => {}, wasStarted: false }
  }
  return startMeno(config, env, onWait, signal)
}

function holderOf(home: string) {
  const holder = readHolder(stackLockFile(home))
  return holder && isRunning(holder) ? holder : null
}

const isHomeTaken = (home: string): boolean => holderOf(home) !== null

/** Where the Meno that runs on this home says it answers; null when there is none, or not yet. */
function announcedAddress(home: string): string | null {
  const url = holderOf(home)?.details?.Meno
  return typeof url === 'string' ? url : null
}

interface Patience {
  patienceMs: number
  onLook: () => void
  signal: AbortSignal
}

async function untilReady(
  address: () => string | null,
  { patienceMs, onLook, signal }: Patience,
): Promise<void> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const url = address()
    const missing = url === null ? 'it is still starting' : await whatIsMissing(url)
    if (missing === null) return
    if (Date.now() > deadline) {
      throw new NoMeno(`Meno ${url ? `at ${url} ` : ''}is not ready: ${missing}.`)
    }
    onLook()
    await sleep(LOOK_MS)
    signal.throwIfAborted()
  }
}

/** Null when it can take a message, else what is missing. */
async function whatIsMissing(url: string): Promise<string | null> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) })
    if (response.status === 200) return null
    const { checks = {} } = (await response.json()) as { checks?: Record<string, string> }
    const missing = Object.values(checks).filter((check) => check !== 'ok')
    return missing.join(', ') || `it answered with status ${response.status}`
  } catch {
    return 'nothing answers there'
  }
}

/** Starts the product as `npm start` does, without a browser; what it says goes to `meno.log` in its home. */
async function startMeno(
  config: Config,
  env: NodeJS.ProcessEnv,
  onWait: OnWait,
  signal: AbortSignal,
): Promise<ReachedMeno> {
  mkdirSync(config.home, { recursive: true })
  const logFile = path.join(config.home, 'meno.log')
  const port = await freePort(config.port, config.host)
  const log = openLogFile(logFile)
  const logStart = statSync(logFile).size
  const source = path.resolve(import.meta.dirname, '..')
  const watch = pathToFileURL(path.join(source, 'dev/parent-watch.mjs')).href
  const flags = ['--disable-warning=ExperimentalWarning', '--import', watch]
  const child = spawn(process.execPath, [...flags, path.join(source, 'main.ts')], {
    // In a group of its own, so that Ctrl-C in the terminal reaches the chat alone.
    detached: true,
    env: { ...env, BROWSER: 'none', PORT: String(port), MENO_PARENT_FD: '3' },
    stdio: ['ignore', log, log, 'pipe'],
  })
  closeSync(log)
  const stop = () => stopChild(child)
  const fallback = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  const address = () => announcedAddress(config.home) ?? (embedsNothing(env) ? fallback : null)
  const onLook = () => {
    // Another chat may have been the first to start it.
    if (hasEnded(child) && !isHomeTaken(config.home)) throw new NoMeno(whyNot(logFile))
    onWait(`Starting Meno: ${lastNews(logFile, logStart)}`)
  }
  try {
    await untilReady(address, { patienceMs: Number.POSITIVE_INFINITY, onLook, signal })
  } catch (error) {
    await stop()
    throw error
  }
  return { address, stop, wasStarted: true }
}

/** Against outside servers no home is held, so that nothing is announced there. */
const embedsNothing = (env: NodeJS.ProcessEnv): boolean =>
  Boolean(env.DATABASE_URL && env.TEMPORAL_ADDRESS)

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child) || child.pid === undefined) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}

const whyNot = (logFile: string): string =>
  `Meno did not start. Its log, ${logFile}, ends with:\n\n${tailOf(logFile)}`

/** The last sentence it wrote since it was started; JSON and stack traces are for operators. */
function lastNews(logFile: string, from: number): string {
  const lines = readFileSync(logFile).subarray(from).toString('utf8').split('\n')
  const said = lines.map(oneLine).filter((line) => line !== '' && !/^(?:\{|at |file:)/.test(line))
  return (said.at(-1) ?? 'one moment').replace(/(?:; .*|[.…\s]+)$/, '')
}
