import { randomUUID } from 'node:crypto'
import type { AgendaInput } from '../../domain/agenda/state.ts'
import { agendaEntity } from '../../store/agenda/entity.ts'
import { storeInput } from '../../store/spine/inbox.ts'
import type { Dependencies } from '../context.ts'

/** Has the agenda of a learner look again, if there is one; what has changed it reads by itself. */
export async function tellAgenda(
  { db, wake, log }: Pick<Dependencies, 'db' | 'wake' | 'log'>,
  learnerId: string,
  type: AgendaInput,
): Promise<void> {
  const agenda = await db
    .selectFrom('entities')
    .select('id')
    .where('id', '=', learnerId)
    .where('product', '=', 'agenda')
    .executeTakeFirst()
  if (!agenda) return
  await storeInput(db, {
    entityId: learnerId,
    id: `${type}/${randomUUID()}`,
    type,
    payload: {},
  })
  await wake(agendaEntity(learnerId)).catch((error) =>
    log.warn({ err: error, learnerId }, 'the agenda will be woken later'),
  )
}
