import { continueAsNew } from '@temporalio/workflow'
import { Entity, type EntityInput, uncancelled } from './spine/entity.ts'
import { Signals } from './spine/signals.ts'

/**
 * The agenda of a learner over all topics: it sleeps until somebody may have to be nudged, or until arcs or the learner
 * say that something has changed. The rules are in `src/domain/agenda`, the place in the store. A cancellation changes
 * nothing: a learner who wants to hear nothing sets a holiday, or unlinks the channels.
 */
export async function studyAgenda(input: EntityInput): Promise<void> {
  const agenda = new Entity('agenda', input, new Signals([], [], null))
  return uncancelled(async () => {
    await agenda.advance()
    while (!agenda.isOver) {
      await agenda.wait('until there is something to nudge for')
      if (agenda.isQuiet) {
        await continueAsNew<typeof studyAgenda>({ id: agenda.id, shown: agenda.shown })
      } else await agenda.advance()
    }
  })
}
