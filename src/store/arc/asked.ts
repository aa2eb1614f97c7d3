import { type Expression, sql } from 'kysely'
import type { DbOrTrx } from '../database.ts'

/** Questions asked before on a concept, oldest first: by node, or by label where the map was not there yet. */
export function askedOn(
  db: DbOrTrx,
  arcId: string,
  nodeId: string | Expression<string>,
  label: string | null = null,
) {
  return db
    .selectFrom('arc_questions')
    .select(['id', 'source', 'text', 'quality'])
    .where('arc_id', '=', arcId)
    .where((where) =>
      where.or([
        where('node_id', '=', nodeId),
        where('concept', '=', label),
        where('concept', 'in', (nodes) =>
          nodes.selectFrom('mind_map_nodes').select('label').where('id', '=', nodeId),
        ),
      ]),
    )
    .orderBy('opened_at')
}

/** The problems of practice sessions on a concept so far; a course's question keeps its id as the problem's. */
export function practisedOn(db: DbOrTrx, arcId: string, nodeId: string | Expression<string>) {
  return db
    .selectFrom('problem_attempts as problem')
    .innerJoin('tutoring_sessions as session', 'session.session_id', 'problem.session_id')
    .select(['problem_id as id', 'problem_id as source', 'problem_text as text'])
    .select(sql<null>`null`.as('quality'))
    .where('session.arc_id', '=', arcId)
    .where('problem.node_id', '=', nodeId)
    .orderBy('problem.id')
}

/** The practice session that an arc has open, one at the most. */
export const openPractice = (db: DbOrTrx, arcId: string) =>
  db
    .selectFrom('tutoring_sessions')
    .where('arc_id', '=', arcId)
    .where('status', '<>', 'completed')
    .orderBy('created_at', 'desc')
    .limit(1)
