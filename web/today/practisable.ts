import type { ArcView } from '../../src/contracts/arc.ts'
import { isEnded } from '../topics/names.ts'

const BEFORE_A_PLAN = ['PENDING', 'DIAGNOSING', 'PLANNING']

/** Whether a topic has anything to practise yet. */
export const practisable = (arc: ArcView): boolean =>
  !isEnded(arc) && !arc.archived && !BEFORE_A_PLAN.includes(arc.phase)
