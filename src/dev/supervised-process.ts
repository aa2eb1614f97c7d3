import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, stopProcess } from './processes.ts'
import type { Log } from './run-command.ts'

export interface Supervised {
  /** Ends the process for good. */
  stop(): Promise<void>
}

export interface SuperviseOptions {
  /** The program's name in sentences: "PostgreSQL". */
  name: string
  launch: () => ChildProcess
  /** Resolves once the program answers. Aborted when the program ends or supervision stops. */
  ready: (signal: AbortSignal, child: ChildProcess) => Promise<unknown>
  /** Sent one after the other until the process has ended: the gentlest first. */
  stopSignals: NodeJS.Signals[]
  log: Log
  /** Once it is aborted a start fails, and a process that ends is not started again. */
  signal?: AbortSignal | undefined
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
const READY_WITHIN_MS = 60_000

/**
 * Starts a program, waits until it answers, and from then on starts it again whenever it ends:
 * at once, then with pauses that double up to five seconds. Rejects if the first start fails.
 */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const { name, log } = options
  const end = new AbortController()
  const stopping = AbortSignal.any([end.signal, ...(options.signal ? [options.signal] : [])])
  let stop = async () => {}

  const start = async (): Promise<{ ended: Promise<Error> }> => {
    stopping.throwIfAborted()
    const child = options.launch()
    const process = identify(child.pid)
    stop = async () => {
      if (process) await stopProcess(process, options.stopSignals)
    }
    const ended = endOf(child, name)
    const over = new AbortController()
    const signal = AbortSignal.any([stopping, over.signal, AbortSignal.timeout(READY_WITHIN_MS)])
    const aborted = new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason)),
    )
    try {
      await Promise.race([options.ready(signal, child), aborted, ended.then(throwIt)])
    } catch (error) {
      over.abort()
      await stop()
      throw error
    }
    return { ended }
  }

  const startAgain = async () => {
    for (let pause = 0; ; pause = Math.min(pause * 2 || FIRST_PAUSE_MS, LONGEST_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: stopping }).catch(() => {})
      if (stopping.aborted) return null
      try {
        const run = await start()
        log(`${name} runs again`)
        return run
      } catch (error) {
        if (!stopping.aborted) log(`${name} did not start: ${error}`)
      }
    }
  }

  const keepRunning = async (first: { ended: Promise<Error> }) => {
    for (let run: typeof first | null = first; run; run = await startAgain()) {
      const reason = await run.ended
      if (!stopping.aborted) log(`${reason.message}; starting it again`)
    }
  }

  const supervision = keepRunning(await start())
  return {
    stop: async () => {
      end.abort()
      await stop()
      await supervision
    },
  }
}

function endOf(child: ChildProcess, name: string): Promise<Error> {
  return new Promise((resolve) => {
    child.once('error', resolve)
    child.once('exit', (code, signal) => resolve(new Error(`${name} ended (${signal ?? code})`)))
  })
}

function throwIt(error: Error): never {
  throw error
}
