import type { Snooze } from '../../contracts/agenda.ts'
import { updateLearner } from '../../store/learners.ts'
import type { Dependencies } from '../context.ts'
import { Problem } from '../problem.ts'
import { tellAgenda } from './tell.ts'

const MINUTE_MS = 60_000
const AN_HOUR = 60
/** Who wants to hear nothing for longer takes a holiday. */
const LONGEST_MS = 30 * 24 * 60 * MINUTE_MS

/**
 * Has nothing sent to a learner for a while; what was sent is taken back.
 * @throws {Problem} 422 for a moment that is past, or more than 30 days away
 */
export async function snooze(
  dependencies: Dependencies,
  learnerId: string,
  { until, minutes = AN_HOUR }: Snooze,
): Promise<void> {
  const now = Date.now()
  const end = until === undefined ? now + minutes * MINUTE_MS : Date.parse(until)
  if (end <= now || end > now + LONGEST_MS) {
    throw new Problem(422, 'A snooze ends between now and 30 days from now.', {
      errors: [{ pointer: '/until', detail: 'not within the next 30 days' }],
    })
  }
  const snoozedUntil = new Date(end).toISOString()
  await updateLearner(dependencies.db, learnerId, { snoozedUntil })
  await tellAgenda(dependencies, learnerId, 'snooze')
}
