import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessIdentity } from './pid-lock.mjs'
import { identify, stopProcess } from './processes.ts'
import type { Log } from './run-command.ts'

export interface Supervised {
  /** The process that runs now, or null between its end and the next start. */
  current(): ProcessIdentity | null
  /** Ends the process and stops restarting it. */
  stop(): Promise<void>
}

export interface SuperviseOptions {
  /** The program's name in sentences: "PostgreSQL". */
  name: string
  launch: () => ChildProcess
  /** Resolves once the program answers. Aborted when the program ends or supervision stops. */
  ready: (signal: AbortSignal) => Promise<void>
  /** Sent one after the other until the process has ended: the gentlest first. */
  stopSignals: NodeJS.Signals[]
  log: Log
  /** Told whenever another process takes the place of the last. */
  onChange?: (current: ProcessIdentity | null) => void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 5000
const READY_WITHIN_MS = 60_000

/**
 * Starts a program, waits until it answers, and from then on starts it again whenever it ends:
 * at once, then with pauses that double up to five seconds. Rejects if the first start fails.
 */
export async function supervise(options: SuperviseOptions): Promise<Supervised> {
  const stopping = new AbortController()
  let current: ProcessIdentity | null = null
  const change = (next: ProcessIdentity | null) => {
    current = next
    options.onChange?.(next)
  }

  const start = async () => {
    const child = options.launch()
    const ended = endOf(child, options.name)
    change(identify(child.pid))
    const over = new AbortController()
    const patience = AbortSignal.timeout(READY_WITHIN_MS)
    const signal = AbortSignal.any([stopping.signal, over.signal, patience])
    try {
      await Promise.race([options.ready(signal), ended.then(throwIt)])
    } catch (error) {
      over.abort()
      if (current) await stopProcess(current, options.stopSignals)
      throw error
    }
    return { ended }
  }

  const startAgain = async () => {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return null
      try {
        return await start()
      } catch (error) {
        if (!stopping.signal.aborted) options.log(`${options.name} did not start: ${error}`)
      }
    }
  }

  const keepRunning = async (first: { ended: Promise<Error> }) => {
    for (let run: typeof first | null = first; run; run = await startAgain()) {
      if (run !== first) options.log(`${options.name} runs again`)
      const reason = await run.ended
      change(null)
      if (!stopping.signal.aborted) options.log(`${reason.message}; starting it again`)
    }
  }

  const supervision = keepRunning(await start())
  return {
    current: () => current,
    stop: async () => {
      stopping.abort()
      if (current) await stopProcess(current, options.stopSignals)
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
