import { workflowId } from '../../contracts/temporal.ts'
import type { AgendaInput } from '../../domain/agenda/state.ts'
import type { Db, DbOrTrx } from '../database.ts'
import { type EntityToWake, entityInsert } from '../spine/entities.ts'
import { storeInput } from '../spine/inbox.ts'

/** What wakes the agenda of a learner; its id is the learner's. */
export const agendaEntity = (learnerId: string): EntityToWake => ({
  id: learnerId,
  product: 'agenda',
  workflow_id: workflowId.agenda(learnerId),
  learner_id: learnerId,
  course_id: null,
})

/** The statement that makes a learner's agenda, unless there is one; it begins with its first input. */
export const agendaInsert = (db: DbOrTrx, learnerId: string) =>
  entityInsert(db, {
    id: learnerId,
    product: 'agenda',
    workflowId: workflowId.agenda(learnerId),
    learnerId,
    courseId: null,
    begins: 'with its first input',
  })

/**
 * Stores an input of a learner's agenda; the first one of an id stays.
 * @returns what is to be woken; null where the learner has no agenda
 */
export async function storeAgendaInput(
  db: Db,
  learnerId: string,
  { id, type, payload = {} }: { id: string; type: AgendaInput; payload?: Record<string, unknown> },
): Promise<EntityToWake | null> {
  const agenda = await db
    .selectFrom('entities')
    .select('id')
    .where('id', '=', learnerId)
    .where('product', '=', 'agenda')
    .executeTakeFirst()
  if (!agenda) return null
  await storeInput(db, { entityId: learnerId, id, type, payload })
  return agendaEntity(learnerId)
}
