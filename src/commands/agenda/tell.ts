import { randomUUID } from 'node:crypto'
import type { AgendaInput } from '../../domain/agenda/state.ts'
import { storeAgendaInput } from '../../store/agenda/entity.ts'
import type { Dependencies } from '../context.ts'

/** Has the agenda of a learner look again, if there is one; what has changed it reads by itself. */
export async function tellAgenda(
  { db, wake, log }: Pick<Dependencies, 'db' | 'wake' | 'log'>,
  learnerId: string,
  type: Exclude<AgendaInput, 'stale' | 'exam-open'>,
): Promise<void> {
  const agenda = await storeAgendaInput(db, learnerId, { id: `${type}/${randomUUID()}`, type })
  if (!agenda) return
  await wake(agenda).catch((error) =>
    log.warn({ err: error, learnerId }, 'the agenda will be woken later'),
  )
}
