import { workflowId } from '../../contracts/temporal.ts'
import type { EntityToWake } from '../spine/entities.ts'

/** What wakes the agenda of a learner; its id is the learner's. */
export const agendaEntity = (learnerId: string): EntityToWake => ({
  id: learnerId,
  product: 'agenda',
  workflow_id: workflowId.agenda(learnerId),
  learner_id: learnerId,
  course_id: null,
})
