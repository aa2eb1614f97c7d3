import { continueAsNew } from '@temporalio/workflow'
import { Entity, type EntityInput, uncancelled } from './spine/entity.ts'
import { Signals } from './spine/signals.ts'

/**
 * Plans one map that no arc owns: its inventory, its concept graph, or additions to it. It ends when nothing is asked for;
 * the next request begins it anew. A cancellation changes nothing: a request ends by itself within a minute.
 */
export async function curriculumJob(input: EntityInput): Promise<void> {
  const curriculum = new Entity('curriculum', input, new Signals([], [], null))
  return uncancelled(async () => {
    await curriculum.advance()
    while (!curriculum.isOver) {
      await curriculum.wait('until the caller waits no longer')
      if (curriculum.isQuiet) {
        await continueAsNew<typeof curriculumJob>({ id: input.id, shown: curriculum.shown })
      } else await curriculum.advance()
    }
  })
}
