import { continueAsNew, defineQuery, defineSignal, setHandler } from '@temporalio/workflow'
import { Entity, type EntityInput, uncancelled } from '../../src/workflows/spine/entity.ts'
import { Signals } from '../../src/workflows/spine/signals.ts'

const add = defineSignal<[payload?: unknown]>('add')
const end = defineSignal<[payload?: unknown]>('end')

/** The workflow of a counter, under the name that sessions of practice are started by. */
export async function practiceSession(input: EntityInput): Promise<void> {
  const signals = new Signals(
    [],
    [
      { signal: add, type: 'add', description: 'Counts' },
      { signal: end, type: 'end', urgent: true, description: 'Ends it' },
    ],
    { type: 'end', payload: { by: 'cancel' } },
  )
  const counter = new Entity('practice', input, signals)
  setHandler(defineQuery('count'), () => counter.query)
  return uncancelled(async () => {
    await counter.advance()
    while (!counter.isOver) {
      await counter.wait('until it is time')
      if (counter.isQuiet)
        await continueAsNew<typeof practiceSession>({ id: input.id, shown: counter.shown })
      else await counter.advance()
    }
  })
}
