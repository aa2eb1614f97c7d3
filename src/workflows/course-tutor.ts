import { continueAsNew } from '@temporalio/workflow'
import { Entity, type EntityInput, uncancelled } from './spine/entity.ts'
import { Signals } from './spine/signals.ts'

/**
 * A student's way through a course, however many threads are open: requests are taken up one at a time, and between
 * them it sleeps until the lock of an exam question ends, to call the student back. The rules are in
 * `src/domain/course`, the place in the store. Seed 004 EPIC D to F.
 */
export async function courseTutor(input: EntityInput): Promise<void> {
  const course = new Entity('course', input, new Signals([], [], null))
  return uncancelled(async () => {
    await course.advance()
    while (!course.isOver) {
      await course.wait('until a locked exam question opens, or a step is late')
      if (course.isQuiet) {
        await continueAsNew<typeof courseTutor>({ id: course.id, shown: course.shown })
      } else await course.advance()
    }
  })
}
