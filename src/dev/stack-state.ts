import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, type ProcessIdentity, readHolder } from './pid-lock.mjs'

/** What `stack.json` in MENO_HOME says of a local stack: where it answers, and its processes. */
export interface StackState {
  owner: ProcessIdentity
  databaseUrl: string | null
  temporal: { address: string; namespace: string; uiUrl?: string } | null
  processes: { postgres?: ProcessIdentity; temporal?: ProcessIdentity }
}

/** The lock that one running stack holds on its home. */
export function stackLockFile(home: string): string {
  return join(home, 'stack.lock')
}

/** Writes `stack.json` in one step, readable by its owner alone: it holds the database's password. */
export function writeStackState(home: string, state: StackState): void {
  const file = stateFile(home)
  writeFileSync(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** The last state written, also of a stack that was killed; null when there is none to be read. */
export function readStackState(home: string): StackState | null {
  try {
    return JSON.parse(readFileSync(stateFile(home), 'utf8')) as StackState
  } catch {
    return null
  }
}

/** The local stack that runs on this home now, or null: what a second command can connect to. */
export function findRunningStack(home: string): StackState | null {
  const holder = readHolder(stackLockFile(home))
  const state = readStackState(home)
  if (!holder || !state || !isRunning(holder) || state.owner.pid !== holder.pid) return null
  return state
}

function stateFile(home: string): string {
  return join(home, 'stack.json')
}
