import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { type ArcRow, insertArc } from './arcs.ts'

/**
 * Copies the map of a closed arc with its history into a new active map under a new arc, which begins where reviews
 * and lessons are chosen. One transaction.
 */
export async function reviveArc(db: Db, closed: ArcRow): Promise<ArcRow> {
  return db.transaction().execute(async (trx) => {
    const { rows: maps } = await sql<{ id: string }>`
      insert into mind_maps (title, status, metadata)
      select title, 'active', metadata || jsonb_build_object('revivedFrom', id)
      from mind_maps where id = ${closed.mind_map_id}
      returning id
    `.execute(trx)
    const mapId = maps[0]?.id ?? ''
    await sql`
      create temporary table revived_nodes on commit drop as
      select id as old_id, gen_random_uuid() as new_id
      from mind_map_nodes where mind_map_id = ${closed.mind_map_id}
    `.execute(trx)
    await sql`
      insert into mind_map_nodes (id, mind_map_id, label, description, depth, sequence, mastery_score,
        mastery_status, inferred, ease_factor, repetitions, interval_days, next_review_at,
        last_reviewed_at, mastered_at, effort_minutes, unit_id, metadata)
      select r.new_id, ${mapId}::uuid, label, description, depth, sequence, mastery_score,
        mastery_status, inferred, ease_factor, repetitions, interval_days, next_review_at,
        last_reviewed_at, mastered_at, effort_minutes, unit_id, metadata
      from mind_map_nodes n join revived_nodes r on r.old_id = n.id
    `.execute(trx)
    await sql`
      insert into mind_map_edges (mind_map_id, parent_node_id, child_node_id, edge_type)
      select ${mapId}::uuid, parent.new_id, child.new_id, edge_type
      from mind_map_edges e
      join revived_nodes parent on parent.old_id = e.parent_node_id
      join revived_nodes child on child.old_id = e.child_node_id
    `.execute(trx)
    await sql`
      insert into quiz_responses (node_id, mind_map_id, question_text, user_answer, quality,
        response_type, session_id, attempt_number, time_taken_seconds, evaluator_notes, responded_at)
      select r.new_id, ${mapId}::uuid, question_text, user_answer, quality, response_type,
        session_id, attempt_number, time_taken_seconds, evaluator_notes, responded_at
      from quiz_responses q join revived_nodes r on r.old_id = q.node_id
      order by q.position
    `.execute(trx)
    await sql`
      update mind_maps set root_node_id = (
        select new_id from revived_nodes where old_id = (
          select root_node_id from mind_maps where id = ${closed.mind_map_id}))
      where id = ${mapId}
    `.execute(trx)
    const learned = await trx
      .selectFrom('mind_map_nodes')
      .select('id')
      .where('mind_map_id', '=', mapId)
      .where('mastery_status', 'in', ['reviewing', 'mastered'])
      .executeTakeFirst()
    return insertArc(trx, {
      mind_map_id: mapId,
      learner_id: closed.learner_id,
      topic: closed.topic,
      title: closed.title,
      goal: closed.goal,
      course_id: closed.course_id,
      goal_unit_ids: JSON.stringify(closed.goal_unit_ids),
      tutor: closed.tutor,
      settings: JSON.stringify(closed.settings),
      phase: learned ? 'REVIEWING' : 'TEACHING',
      revived_from: closed.id,
    })
  })
}
