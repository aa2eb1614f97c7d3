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

/** Wakes every entity that something was forgotten of between the store and Temporal; doing it twice changes nothing. */
export async function wakeForgotten({ db, wake }: ReconcilerDependencies): Promise<number> {
  const forgotten = await forgottenEntities(db)
  for (const entity of forgotten) await wake(entity)
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
