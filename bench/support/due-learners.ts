/**
 * SQL that makes learners out of nothing, each with an agenda that has not begun, and one topic with one concept that is
 * to be reviewed at a moment. `$1`: how many; `$2`: when, as a timestamp.
 */
export const DUE_LEARNERS = `
  with learner as (
    insert into learners (handle, quiet_from, quiet_to)
    select 'due-' || number, '00:00', '00:00' from generate_series(1, $1::int) as number returning id),
  agenda as (
    insert into entities (id, product, workflow_id, learner_id)
    select id, 'agenda', 'agenda-' || id, id from learner),
  map as (
    insert into mind_maps (title, learner_id) select 'a topic', id from learner returning id, learner_id),
  node as (
    insert into mind_map_nodes (mind_map_id, label, mastery_status, next_review_at)
    select id, 'a concept', 'reviewing', $2::timestamptz from map),
  asleep as (select gen_random_uuid() as id, id as map_id, learner_id from map),
  arc_entity as (
    insert into entities (id, product, workflow_id, learner_id)
    select id, 'arc', 'arc-' || id, learner_id from asleep),
  arc as (
    insert into arcs (id, mind_map_id, learner_id, topic, tutor, settings, phase)
    select id, map_id, learner_id, 'a topic', 'offline', '{}', 'REVIEWING' from asleep)
  insert into inbox (entity_id, id, type) select id, 'begin', 'settings' from learner`
