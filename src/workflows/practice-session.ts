import { continueAsNew, defineSignal } from '@temporalio/workflow'
import { Entity, type EntityInput, uncancelled } from './spine/entity.ts'
import { Signals } from './spine/signals.ts'

export const complete = defineSignal<[payload?: unknown]>('complete')
export const deliverAgain = defineSignal<[payload?: unknown]>('deliverAgain')

/**
 * One practice session (seed 002): turns one at a time, the clock between them, the report and the outcome at the end.
 * The rules are in `src/domain/practice`, the place in the store.
 */
export async function practiceSession(input: EntityInput): Promise<void> {
  const signals = new Signals(
    [],
    [
      { signal: complete, type: 'complete', description: 'End the session and report' },
      {
        signal: deliverAgain,
        type: 'deliver-again',
        description: 'Send the report to the LMS once more',
      },
    ],
    { type: 'complete', payload: {} },
  )
  const session = new Entity('practice', input, signals)
  return uncancelled(async () => {
    await session.advance()
    while (!session.isOver) {
      await session.wait('until the clock matters')
      if (session.isOver) break
      if (session.isQuiet)
        await continueAsNew<typeof practiceSession>({ id: input.id, shown: session.shown })
      else await session.advance()
    }
  })
}
