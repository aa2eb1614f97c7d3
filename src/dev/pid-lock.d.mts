/** One process for ever: pids are used again, pid and start time together are not. */
export interface ProcessIdentity {
  pid: number
  startedAt: string
}

export interface LockHolder extends ProcessIdentity {
  details?: Record<string, unknown>
}

export interface HeldLock {
  /** Replaces what whoever finds the lock taken is told. */
  tell(details: Record<string, unknown>): void
  release(): void
}

export type LockResult =
  | { lock: HeldLock; holder?: undefined }
  | { holder: LockHolder; lock?: undefined }

export function startTimeOf(pid: number): string | null
export function isRunning(process: ProcessIdentity): boolean
export function tryLock(path: string, details?: Record<string, unknown>): LockResult
export function waitForLock(
  path: string,
  onWait?: (holder: LockHolder, waitedMs: number) => void,
): Promise<HeldLock>
export function readHolder(path: string): LockHolder | null
