import type { CompiledQuery } from 'kysely'
import {
  type Closing,
  type CourseUnit,
  closingOf,
  type GradedAnswer,
} from '../../domain/arc/closing.ts'
import type { DbOrTrx } from '../database.ts'
import { readMap } from '../maps/rows.ts'
import type { ArcRow } from './arcs.ts'

const answersOn = (db: DbOrTrx, mindMapId: string) =>
  db
    .selectFrom('quiz_responses')
    .select(['node_id as nodeId', 'quality', 'response_type as type'])
    .where('mind_map_id', '=', mindMapId)
    .orderBy('position')

/** The read of every graded answer of a map, oldest first. */
export const answersRead = (db: DbOrTrx, mindMapId: string): CompiledQuery<GradedAnswer> =>
  answersOn(db, mindMapId).compile()

/** What a learner has made of a topic that is completed; null while it is not. */
export async function readClosing(
  db: DbOrTrx,
  { phase, mind_map_id }: Pick<ArcRow, 'phase' | 'mind_map_id'>,
  units: readonly CourseUnit[],
): Promise<Closing | null> {
  if (phase !== 'COMPLETED') return null
  const [map, answers] = await Promise.all([
    readMap(db, mind_map_id),
    answersOn(db, mind_map_id).execute(),
  ])
  return map && closingOf(map.nodes, answers, units)
}
