import { setTimeout as pause } from 'node:timers/promises'
import type { WorkflowHandle } from '@temporalio/client'
import type { House } from './house.ts'

/** Older entities than these have long come to rest. */
const MOST = 4
/** gRPC's code. */
const NOT_FOUND = 5

/**
 * Waits until no workflow task is on its way. The time-skipping server loses a run whose timer fires, or that is
 * terminated, while a worker has a task of it (temporalio/sdk-java#3088), and its clock stands still from then on.
 */
export async function calm({ db, env }: Pick<House, 'db' | 'env'>): Promise<void> {
  if (!env.supportsTimeSkipping) return
  const entities = await db
    .selectFrom('entities')
    .select('workflow_id')
    .orderBy('created_at', 'desc')
    .limit(MOST)
    .execute()
  const { workflow } = env.client
  await Promise.all(
    entities.map(async (entity) => {
      const rest = atRest(workflow.getHandle(entity.workflow_id))
      // An agenda runs from the first time on that an arc has something to tell it.
      await rest.catch((error) => {
        if (error.code !== NOT_FOUND) throw error
      })
    }),
  )
}

/** Waits until a run is at rest: nothing has been added since its last workflow task was completed, or it has ended. */
export async function atRest(handle: WorkflowHandle): Promise<void> {
  for (let last = -1, same = 0; same < 2; ) {
    const { events } = await handle.fetchHistory()
    const tail = events?.at(-1)
    const isBusy =
      tail?.workflowTaskScheduledEventAttributes || tail?.workflowTaskStartedEventAttributes
    const length = events?.length ?? 0
    same = !isBusy && length === last ? same + 1 : 0
    last = length
    await pause(10)
  }
}
