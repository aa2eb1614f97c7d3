import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, type ProcessIdentity, startTimeOf } from './pid-lock.mjs'

/** The identity of a running process, or null when there is none under that pid. */
export function identify(pid: number | undefined): ProcessIdentity | null {
  if (pid === undefined) return null
  const startedAt = startTimeOf(pid)
  return startedAt === null ? null : { pid, startedAt }
}

/** Every running process of this machine whose command line satisfies the test. */
export function findProcesses(matches: (args: string[]) => boolean): ProcessIdentity[] {
  return runningPids().flatMap(({ pid, args }) => {
    if (pid === process.pid || !matches(args())) return []
    return identify(pid) ?? []
  })
}

/** Every running process whose working folder is `folder`. Linux only; elsewhere none are found. */
export function processesIn(folder: string): ProcessIdentity[] {
  if (process.platform !== 'linux') return []
  return runningPids().flatMap(({ pid }) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === folder ? (identify(pid) ?? []) : []
    } catch {
      return []
    }
  })
}

/**
 * Ends one process: sends each signal in turn, waits up to `patienceMs` after each, and returns
 * once the process is gone. Only this pid is touched, and only while it is still the same process.
 */
export async function stopProcess(
  target: ProcessIdentity,
  signals: NodeJS.Signals[],
  patienceMs = 10_000,
): Promise<void> {
  for (const signal of signals) {
    try {
      if (isRunning(target)) process.kill(target.pid, signal)
    } catch {
      // it ended between the look and the signal
    }
    const deadline = Date.now() + patienceMs
    while (isRunning(target) && Date.now() < deadline) await sleep(25)
    if (!isRunning(target)) return
  }
  throw new Error(`Process ${target.pid} does not end. Try: kill -9 ${target.pid}`)
}

function runningPids(): { pid: number; args: () => string[] }[] {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), args: () => argumentsOf(name) }))
  }
  if (process.platform === 'win32') return []
  const table = execFileSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
  return table.split('\n').flatMap((line) => {
    const [pid, ...args] = line.trim().split(/\s+/)
    return pid ? [{ pid: Number(pid), args: () => args }] : []
  })
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
