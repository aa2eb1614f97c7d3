import { join } from 'node:path'
import { readHolder } from './pid-lock.mjs'

/** Where a local stack's servers answer. */
export interface StackState {
  databaseUrl: string
  temporal: { address: string; namespace: string; uiUrl?: string }
}

/** The lock that one running stack holds on its home; it tells where the stack answers. */
export function stackLockFile(home: string): string {
  return join(home, 'stack.lock')
}

/** What the stack of this home has told, also one that was killed; null when it has told nothing. */
export function readStackState(home: string): StackState | null {
  return (readHolder(stackLockFile(home))?.details?.servers as StackState | undefined) ?? null
}
