import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { offsetStretches } from '../domain/analytics/local-clock.ts'
import type { DbOrTrx } from './database.ts'

const DAY_MS = 86_400_000

/** A map to be measured, and the IANA zone of its learner. */
export interface MeasuredMap {
  id: string
  zone: string
}

/**
 * Nodes of maps that struggle (as `strugglingReasons` says), with `map_id` and `node_id`, from a table of the maps'
 * responses: not mastered, and the last three responses all 2 or below, or the score lowered by each of the last three graded ones and now below 0.7. A score is
 * compared as the fraction of `gained` and `possible`, in integers.
 */
export const strugglingNodes = (responses: RawBuilder<unknown>) => sql`
  select map_id, node_id
  from (
    select map_id, node_id,
           count(*) filter (where back <= 3) as latest,
           max(quality) filter (where back <= 3) as best,
           count(*) filter (where graded_back <= 4) as graded,
           ${sql.join([0, 1, 2, 3].flatMap(scoreSkipping))}
    from (
      select response.mind_map_id as map_id, response.node_id, response.quality,
             row_number() over newest_first as back,
             case when response.response_type <> 'diagnostic' then
               count(*) filter (where response.response_type <> 'diagnostic') over newest_first
             end as graded_back
      from ${responses} response
      join mind_map_nodes node on node.id = response.node_id
      where node.mastery_status <> 'mastered'
      window newest_first as (partition by response.node_id order by response.position desc
                              rows unbounded preceding)
    ) as responses
    where back <= 3 or graded_back <= 8
    group by map_id, node_id
  ) as nodes
  where (latest = 3 and best <= 2)
     or (graded = 4 and gained_3 * possible_2 > gained_2 * possible_3
         and gained_2 * possible_1 > gained_1 * possible_2
         and gained_1 * possible_0 > gained_0 * possible_1
         and 10 * gained_0 < 7 * possible_0)`

/** The score as it was before the last so many graded responses: weights 16, 8, 4, 2, 1 from the newest back. */
function scoreSkipping(skipped: number): RawBuilder<unknown>[] {
  const weight = sql`(1 << (${sql.lit(skipped + 5)} - graded_back::int))`
  const counted = sql`graded_back between ${sql.lit(skipped + 1)} and ${sql.lit(skipped + 5)}`
  return [
    sql`sum(quality * ${weight}) filter (where ${counted}) as ${sql.ref(`gained_${skipped}`)}`,
    sql`sum(5 * ${weight}) filter (where ${counted}) as ${sql.ref(`possible_${skipped}`)}`,
  ]
}

/**
 * One statement that keeps the metrics of these maps at `now`, UTC ms, as the snapshots of that UTC date, in place of
 * earlier ones of the date. A ratio that is rounded is computed in decimals; zones are those of the runtime, as everywhere
 * in Meno, not those of the database.
 */
export function snapshotsUpsert(
  db: DbOrTrx,
  measured: readonly MeasuredMap[],
  now: number,
): CompiledQuery {
  const maps = sql`select id from measured`
  const since = (days: number) => sql`${new Date(now - days * DAY_MS)}::timestamptz`
  const until = sql`${new Date(now)}::timestamptz`
  const within = (time: string, days: number) =>
    sql`${sql.ref(time)} > ${since(days)} and ${sql.ref(time)} <= ${until}`
  const reviewed = (days: number) =>
    sql`response_type = 'review' and ${within('responded_at', days)}`
  const retention = (days: number) => sql`
    count(*) filter (where ${reviewed(days)} and quality >= 3)::float8
      / nullif(count(*) filter (where ${reviewed(days)}), 0)`
  return sql`
    with recursive measured as (
      select map.id, map.root_node_id, batch.zone
      from unnest(${measured.map(({ id }) => id)}::uuid[], ${measured.map(({ zone }) => zone)}::text[])
        as batch(id, zone)
      join mind_maps map using (id)
    ),
    nodes as (
      select mind_map_id as map_id, count(*) as total,
             count(*) filter (where mastery_status = 'mastered') as mastered,
             avg(ease_factor::numeric) as ease,
             count(*) filter (where mastery_status = 'mastered' and ${within('mastered_at', 28)}) as recent,
             count(*) filter (where mastery_status <> 'mastered'
                              and metadata -> 'optional' is distinct from 'true'
                              and metadata -> 'skipped' is distinct from 'true') as remaining
      from mind_map_nodes where mind_map_id in (${maps}) group by mind_map_id
    ),
    -- Read once; the index has it all.
    answers as materialized (
      select mind_map_id, node_id, quality, response_type, responded_at, position
      from quiz_responses where mind_map_id in (${maps})
    ),
    responses as (
      select mind_map_id as map_id, count(*) as total, avg(quality) as quality,
             ${retention(7)} as retention_7d, ${retention(30)} as retention_30d
      from answers group by mind_map_id
    ),
    clocks as (${clocksOf(measured, now)}),
    attended as (
      select distinct map.id as map_id, local.time::date as date,
             case when extract(hour from local.time) between 6 and 11 then 'morning'
                  when extract(hour from local.time) between 12 and 17 then 'afternoon'
                  else 'evening' end as part
      from measured map
      join answers response on response.mind_map_id = map.id
      join clocks on clocks.zone = map.zone
        and response.responded_at >= clocks.since and response.responded_at < clocks.until,
      lateral (select response.responded_at at time zone 'UTC' + clocks.ahead as time) as local
      where ${within('response.responded_at', 7)}
    ),
    sessions as (
      select map_id, count(distinct date) as dates,
             count(*) filter (where part = 'morning') as morning,
             count(*) filter (where part = 'afternoon') as afternoon,
             count(*) filter (where part = 'evening') as evening
      from attended group by map_id
    ),
    struggling as (
      select found.map_id, jsonb_agg(found.node_id order by node.sequence, node.label) as nodes
      from (${strugglingNodes(sql`answers`)}) as found join mind_map_nodes node on node.id = found.node_id
      group by found.map_id
    ),
    below as (
      select map.id as map_id, edge.child_node_id as top, edge.child_node_id as node_id
      from measured map join mind_map_edges edge on edge.parent_node_id = map.root_node_id
      where edge.edge_type = 'prerequisite'
      union
      select below.map_id, below.top, edge.child_node_id
      from below join mind_map_edges edge on edge.parent_node_id = below.node_id
      where edge.edge_type = 'prerequisite'
    ),
    subtrees as (
      select below.map_id, below.top, round(avg(node.mastery_score::numeric), 12) as score
      from below join mind_map_nodes node on node.id = below.node_id
      group by below.map_id, below.top
    ),
    strongest as (
      select distinct on (subtrees.map_id) subtrees.map_id, subtrees.top
      from subtrees join mind_map_nodes node on node.id = subtrees.top
      order by subtrees.map_id, subtrees.score desc, node.label collate "C"
    )
    insert into analytics_snapshots (mind_map_id, snapshot_date, metrics)
    select map.id, ${utcDate(now)}::date, jsonb_build_object(
      'total_nodes', coalesce(nodes.total, 0),
      'mastered_nodes', coalesce(nodes.mastered, 0),
      'mastery_pct', coalesce(round(nodes.mastered::numeric / nodes.total, 2), 0),
      'avg_ease_factor', round(nodes.ease, 2),
      'retention_rate_7d', responses.retention_7d,
      'retention_rate_30d', responses.retention_30d,
      'velocity_nodes_per_week', coalesce(nodes.recent, 0) / 4.0,
      'estimated_completion_days',
        nullif((nodes.remaining * 28 + nodes.recent - 1) / nullif(nodes.recent, 0), 0),
      'struggling_nodes', coalesce(struggling.nodes, '[]'),
      'strongest_subtree', strongest.top,
      'total_quiz_responses', coalesce(responses.total, 0),
      'avg_quality_score', round(responses.quality, 1),
      'sessions_this_period', coalesce(sessions.dates, 0),
      'time_of_day_distribution', jsonb_build_object(
        'morning', coalesce(sessions.morning, 0),
        'afternoon', coalesce(sessions.afternoon, 0),
        'evening', coalesce(sessions.evening, 0)))
    from measured map
    left join nodes on nodes.map_id = map.id
    left join responses on responses.map_id = map.id
    left join sessions on sessions.map_id = map.id
    left join struggling on struggling.map_id = map.id
    left join strongest on strongest.map_id = map.id
    on conflict (mind_map_id, snapshot_date)
    do update set metrics = excluded.metrics, created_at = now()
  `.compile(db)
}

/** How far local time is ahead of UTC in each zone, for each stretch of the last seven days. */
function clocksOf(measured: readonly MeasuredMap[], now: number): RawBuilder<unknown> {
  const zones = [...new Set(measured.map(({ zone }) => zone))]
  const stretches = zones.flatMap((zone) =>
    offsetStretches(zone, now - 7 * DAY_MS, now + 1).map((stretch) => ({ zone, ...stretch })),
  )
  return sql`
    select zone, since, until, make_interval(secs => seconds) as ahead
    from unnest(${stretches.map(({ zone }) => zone)}::text[],
                ${stretches.map(({ from }) => new Date(from).toISOString())}::timestamptz[],
                ${stretches.map(({ to }) => new Date(to).toISOString())}::timestamptz[],
                ${stretches.map(({ offset }) => offset / 1_000)}::float8[])
      as clock(zone, since, until, seconds)`
}

/** The UTC date of a moment in UTC ms. */
export const utcDate = (at: number): string => new Date(at).toISOString().slice(0, 10)
