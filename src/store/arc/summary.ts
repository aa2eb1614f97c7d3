import type { CompiledQuery } from 'kysely'
import type { GradedAnswer } from '../../domain/arc/closing.ts'
import { type Said, type Summary, summaryOf } from '../../domain/arc/summary.ts'
import type { MindMap } from '../../domain/mind-map/mind-map.ts'
import type { Db, DbOrTrx } from '../database.ts'
import { readMap } from '../maps/rows.ts'
import type { ArcRow } from './arcs.ts'

/** An arc looked back upon, with its map; null before there is one. */
export async function readSummary(
  db: Db,
  { id, mind_map_id }: ArcRow,
): Promise<{ map: MindMap; summary: Summary } | null> {
  const [map, answers, said] = await Promise.all([
    readMap(db, mind_map_id),
    answersOn(db, mind_map_id).execute(),
    readSaid(db, id),
  ])
  return map && { map, summary: summaryOf(map.nodes, answers, said) }
}

const answersOn = (db: DbOrTrx, mindMapId: string) =>
  db
    .selectFrom('quiz_responses')
    .select(['node_id as nodeId', 'quality', 'response_type as type'])
    .where('mind_map_id', '=', mindMapId)
    .orderBy('position')

/** The read of every graded answer of a map, oldest first. */
export const answersRead = (db: DbOrTrx, mindMapId: string): CompiledQuery<GradedAnswer> =>
  answersOn(db, mindMapId).compile()

async function readSaid(db: Db, arcId: string): Promise<Said[]> {
  const rows = await db
    .selectFrom('arc_messages as message')
    .leftJoin('arc_questions as question', 'question.id', 'message.question_id')
    .select(['message.role', 'message.node_id', 'message.created_at'])
    .select('question.node_id as asked_of')
    .where('message.arc_id', '=', arcId)
    .orderBy('message.position')
    .execute()
  return rows.map(({ role, node_id, asked_of, created_at }) => ({
    isLearner: role === 'learner',
    nodeId: asked_of ?? node_id,
    at: created_at.getTime(),
  }))
}

/** The courses that a learner has begun. */
export async function begunCourses(db: Db, learnerId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('arcs')
    .select('course_id')
    .distinct()
    .where('learner_id', '=', learnerId)
    .where('course_id', 'is not', null)
    .execute()
  return new Set(rows.flatMap(({ course_id }) => course_id ?? []))
}
