import type { EntityToWake } from '../store/spine/entities.ts'
import type { Dependencies } from './context.ts'

/** However it is announced, the store is looked at so often: an announcement may be lost with its connection. */
const LOOK_EVERY_MS = 1_000

export interface Sending<Outcome> {
  /** The entity that the input is for, and the input's id. */
  entityId: string
  inputId: string
  /**
   * Stores the input, unless it is stored already.
   * @returns the entity to wake; null where there is nothing to wait for but what is stored
   */
  store(): Promise<EntityToWake | null>
  /** What became of the input; null as long as its turn is not done. */
  read(): Promise<Outcome | null>
  /** How long the caller waits for it, in milliseconds; 0: not at all. */
  waitMs: number
}

/**
 * The one way in, for all products and channels: the input is stored as a row, the workflow is woken, and the answer is
 * read from the store as soon as it is announced there. A wake that is lost is made good by the reconciler.
 * @returns the outcome; null when the time is up before it is there
 * @throws what `store` throws
 */
export async function sendAndWait<Outcome>(
  { events, wake, log }: Pick<Dependencies, 'events' | 'wake' | 'log'>,
  { entityId, inputId, store, read, waitMs }: Sending<Outcome>,
): Promise<Outcome | null> {
  const deadline = Date.now() + waitMs
  // Listened for before it is stored: its answer cannot come unheard.
  const answer = events.listenForAnswer(entityId, inputId)
  try {
    const entity = await store()
    const woken = entity
      ? wake(entity).catch((error) =>
          log.warn({ err: error }, 'an input is stored; its workflow will be woken later'),
        )
      : Promise.resolve()
    if (waitMs === 0) {
      await woken
      return null
    }
    if (!entity) {
      const outcome = await read()
      if (outcome) return outcome
    }
    for (;;) {
      const left = deadline - Date.now()
      await answer.within(Math.max(0, Math.min(LOOK_EVERY_MS, left)))
      const outcome = await read()
      if (outcome || left <= 0) return outcome
    }
  } finally {
    answer.end()
  }
}
