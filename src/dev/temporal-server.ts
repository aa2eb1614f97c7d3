import { spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from '@temporalio/client'
import { ensureSearchAttributes } from '../search-attributes.ts'
import type { TemporalDevConfig } from '../temporal-dev-config.ts'
import { claimPort } from './free-port.ts'
import { openLogFile, tailOf } from './log-file.ts'
import type { ProcessIdentity } from './pid-lock.mjs'
import { findProcesses, stopProcess } from './processes.ts'
import type { Log } from './run-command.ts'
import { type Supervised, supervise } from './supervised-process.ts'

const STOP_SIGNALS: NodeJS.Signals[] = ['SIGTERM', 'SIGKILL']
const GIVE_UP_AFTER_MS = 60_000

export interface TemporalServerOptions {
  /** An existing folder; data and log are kept in it. Resolved, without symbolic links. */
  home: string
  /** Path of the `temporal` command. */
  binary: string
  config: TemporalDevConfig
  log: Log
  /** Wanted ports instead of the file's, the next free one if taken; 0 = any. */
  ports?: { grpc: number; ui: number } | undefined
  signal?: AbortSignal | undefined
}

export interface RunningTemporal extends Supervised {
  address: string
  namespace: string
  uiUrl: string
}

/**
 * Starts the development server as `temporal-dev.yml` says, waits until its namespace answers and
 * knows the search attributes, and keeps it running on the same ports until `stop`. The caller
 * holds the lock of `home` and has called `stopOrphanedTemporal`.
 */
export async function startTemporalServer(
  options: TemporalServerOptions,
): Promise<RunningTemporal> {
  const { config, home } = options
  const wanted = options.ports ?? config.ports
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS
  for (let attempt = 1; ; attempt++) {
    const grpc = await claimPort(wanted.grpc)
    const ui = await claimPort(wanted.ui)
    const release = () => {
      for (const claimed of [grpc, ui]) claimed.release()
    }
    const address = `127.0.0.1:${grpc.port}`
    try {
      const supervised = await supervise({
        name: 'Temporal',
        launch: () => launch(options, grpc.port, ui.port),
        ready: (signal) => untilServing(address, config, signal),
        stopSignals: STOP_SIGNALS,
        log: options.log,
        signal: options.signal,
      })
      return {
        stop: () => supervised.stop().finally(release),
        address,
        namespace: config.namespace,
        uiUrl: `http://127.0.0.1:${ui.port}`,
      }
    } catch (error) {
      release()
      options.signal?.throwIfAborted()
      if (attempt >= 3 || Date.now() > giveUpAt)
        throw new Error(`Temporal does not start: ${error}\n${tailOf(logFile(home))}`)
    }
  }
}

/** Stops a Temporal that an earlier run of this home left running; returns that as sentences. */
export async function stopOrphanedTemporal(home: string): Promise<string[]> {
  const orphans = findTemporal(home)
  for (const orphan of orphans) await stopProcess(orphan, STOP_SIGNALS)
  return orphans.map(
    ({ pid }) => `Stopped a Temporal (process ${pid}) that an earlier run had left behind.`,
  )
}

/** The Temporal that runs on the data of this home, whoever started it. */
export function findTemporal(home: string): ProcessIdentity[] {
  return findProcesses((args) =>
    Boolean(args[args.indexOf('--db-filename') + 1]?.startsWith(`${home}/`)),
  )
}

function launch(options: TemporalServerOptions, grpc: number, ui: number) {
  const { config, home } = options
  const pairs = (
    flag: string,
    values: Record<string, unknown>,
    text: (value: unknown) => string = String,
  ) => Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${text(value)}`])
  const args = [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', `${grpc}`, '--ui-port', `${ui}`],
    ...['--namespace', config.namespace, '--db-filename', join(home, config.dataFile)],
    ...['--log-level', config.logLevel],
    ...pairs('--search-attribute', config.searchAttributes),
    ...pairs('--dynamic-config-value', config.dynamicConfig, JSON.stringify),
    ...pairs('--sqlite-pragma', config.sqlitePragmas),
  ]
  const output = openLogFile(logFile(home))
  try {
    // A process group of its own: Ctrl-C reaches only us, and we stop the servers last.
    return spawn(options.binary, args, { detached: true, stdio: ['ignore', output, output] })
  } finally {
    closeSync(output)
  }
}

function logFile(home: string): string {
  return join(home, 'temporal.log')
}

async function untilServing(
  address: string,
  config: TemporalDevConfig,
  signal: AbortSignal,
): Promise<void> {
  await untilListening(address, signal)
  for (let failure: unknown; ; ) {
    if (signal.aborted) throw failure ?? signal.reason
    try {
      const connection = await Connection.connect({ address, connectTimeout: '2s' })
      try {
        await connection.withDeadline(Date.now() + 5000, () =>
          ensureSearchAttributes(connection, config.namespace, config.searchAttributes),
        )
        return
      } finally {
        await connection.close()
      }
    } catch (error) {
      failure = error
      await sleep(100)
    }
  }
}

async function untilListening(address: string, signal: AbortSignal): Promise<void> {
  const port = Number(address.split(':')[1])
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port }, () => resolve(socket.end() && true))
      socket.once('error', () => resolve(false))
    })
  while (!(await answers())) {
    signal.throwIfAborted()
    await sleep(50)
  }
}
