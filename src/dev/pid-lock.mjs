import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * One process for ever: pids are used again, pid and start time together are not.
 * @typedef {{ pid: number, startedAt: string }} ProcessIdentity
 * @typedef {ProcessIdentity & { details?: Record<string, unknown> }} LockHolder
 * @typedef {object} HeldLock
 * @property {(details: Record<string, unknown>) => void} tell what whoever finds the lock taken is told
 * @property {() => void} release
 */

/** What a holder tells may be a secret. */
const PRIVATE = { mode: 0o600 }

/**
 * When a process started, in the machine's own words: clock ticks since boot on Linux, a date
 * elsewhere. Together with the pid it names one process for ever, although pids are used again.
 * Null when no such process runs (a zombie does not run).
 * @param {number} pid
 * @returns {string | null}
 */
export function startTimeOf(pid) {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
    }
    if (process.platform === 'win32') {
      process.kill(pid, 0)
      return 'running'
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
}

/** @param {ProcessIdentity} process whether it still runs */
export function isRunning({ pid, startedAt }) {
  return startTimeOf(pid) === startedAt
}

/**
 * Takes the lock file at `path`, or says who holds it. A lock whose holder is dead, or that is
 * not readable as one, is taken over. Nothing has to be cleaned up after `kill -9`.
 * @param {string} path
 * @param {Record<string, unknown>} [details] told to whoever finds the lock taken
 * @returns {{ lock: HeldLock, holder?: undefined } | { holder: LockHolder, lock?: undefined }}
 */
export function tryLock(path, details = {}) {
  mkdirSync(dirname(path), { recursive: true })
  const self = { pid: process.pid, startedAt: startTimeOf(process.pid) ?? 'unknown' }
  while (true) {
    if (linkNew(path, { ...self, details })) return { lock: heldLock(path, self) }
    const holder = readHolder(path)
    if (holder && isRunning(holder)) return { holder }
    removeStale(path, self)
  }
}

/**
 * Takes the lock file at `path`, waiting as long as another running process holds it.
 * @param {string} path
 * @param {(holder: LockHolder, waitedMs: number) => void} [onWait]
 * @returns {Promise<HeldLock>}
 */
export async function waitForLock(path, onWait = () => {}) {
  const since = Date.now()
  while (true) {
    const result = tryLock(path)
    if (result.lock) return result.lock
    onWait(result.holder, Date.now() - since)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/**
 * @param {string} path
 * @returns {LockHolder | null}
 */
export function readHolder(path) {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8'))
    return Number.isInteger(holder?.pid) && typeof holder.startedAt === 'string' ? holder : null
  } catch {
    return null
  }
}

function heldLock(path, self) {
  const isOurs = () => {
    const holder = readHolder(path)
    return holder?.pid === self.pid && holder.startedAt === self.startedAt
  }
  return {
    tell(details) {
      if (!isOurs()) return
      const draft = `${path}.${process.pid}.new`
      writeFileSync(draft, JSON.stringify({ ...self, details }), PRIVATE)
      renameSync(draft, path)
    },
    release() {
      if (isOurs()) rmSync(path, { force: true })
    },
  }
}

/** Creates the file with its content in one step: a reader never sees it half written. */
function linkNew(path, content) {
  const draft = `${path}.${process.pid}.new`
  writeFileSync(draft, JSON.stringify(content), PRIVATE)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Only one process at a time may judge a lock stale, else the second removes the first's new one. */
function removeStale(path, self) {
  const guard = `${path}.takeover`
  if (!linkNew(guard, self)) {
    const other = readHolder(guard)
    if (!other || !isRunning(other)) rmSync(guard, { force: true })
    return
  }
  try {
    const holder = readHolder(path)
    if (!holder || !isRunning(holder)) rmSync(path, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}
