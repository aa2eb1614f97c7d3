import type { Logger } from 'pino'
import type { Db } from '../store/database.ts'
import type { EntityToWake } from '../store/spine/entities.ts'
import { forgottenEntities } from '../store/spine/reconciling.ts'

const EVERY_MS = 15_000

export interface ReconcilerDependencies {
  db: Db
  wake: (entity: EntityToWake) => Promise<void>
  log: Pick<Logger, 'debug'>
}

/**
 * Wakes every entity that something was forgotten of between the store and Temporal; doing it twice changes nothing. One
 * that cannot be woken now is found again later.
 */
export async function wakeForgotten({ db, wake, log }: ReconcilerDependencies): Promise<number> {
  const forgotten = await forgottenEntities(db)
  const woken = await Promise.allSettled(forgotten.map((entity) => wake(entity)))
  const failed = woken.filter((each) => each.status === 'rejected')
  if (failed[0]) log.debug({ err: failed[0].reason, count: failed.length }, 'not woken')
  return forgotten.length
}

/**
 * Looks for what was forgotten, for as long as the process lives; several processes may.
 * @returns a function that ends it
 */
export function startReconciler(dependencies: ReconcilerDependencies): () => void {
  let running = false
  const timer = setInterval(() => {
    if (running) return
    running = true
    wakeForgotten(dependencies)
      .catch((error) => dependencies.log.debug({ err: error }, 'the reconciler tries again later'))
      .finally(() => {
        running = false
      })
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
