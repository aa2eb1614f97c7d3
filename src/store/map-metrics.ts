import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import { offsetStretches } from '../domain/analytics/local-clock.ts'
import type { DbOrTrx } from './database.ts'

const DAY_MS = 86_400_000

/** A map to be measured, and the IANA zone of its learner. */
export interface MeasuredMap {
  id: string
  zone: string
}

/** Of how many of a node's latest graded answers its scores, and those before each of the last three, are made. */
const SCORED = 8

/**
 * What was answered to each node of maps: `map_id`, `node_id`, how many answers (`answered`), the sum of their
 * qualities, the qualities of the last three (`latest`) and of the last eight graded ones (`graded`), newest first, and
 * what else is counted. Grouped map by map, which spares sorting the answers of all.
 * @param maps a table of maps with `id`
 */
const answeredNodes = (maps: RawBuilder<unknown>, counted = sql``) => sql`
  select map.id as map_id, answers.*
  from ${maps} map,
  lateral (
    select node_id, count(*) as answered, sum(quality) as quality,
           (array_agg(quality order by position desc))[:3] as latest,
           (array_agg(quality order by position desc) filter (where response_type <> 'diagnostic'))[:${sql.lit(SCORED)}]
             as graded
           ${counted}
    from quiz_responses where mind_map_id = map.id group by node_id
  ) as answers`

/**
 * Whether a node struggles (as `strugglingReasons` says): not mastered, and the last three responses all 2 or below, or
 * the score lowered by each of the last three graded ones and now below 0.7.
 * @param node a row of `mind_map_nodes` joined with its row of `answeredNodes`
 */
const struggles = (node: string, answers: string) => {
  const latest = sql.ref(`${answers}.latest`)
  return sql`
    ${sql.ref(`${node}.mastery_status`)} <> 'mastered'
    and (cardinality(${latest}) = 3 and greatest(${latest}[1], ${latest}[2], ${latest}[3]) <= 2
      or cardinality(${sql.ref(`${answers}.graded`)}) >= 4
        and ${[0, 1, 2]
          .map((skipped) =>
            isLower(scoreSkipping(answers, skipped), scoreSkipping(answers, skipped + 1)),
          )
          .reduce((all, each) => sql`${all} and ${each}`)}
        and 10 * (${scoreSkipping(answers, 0).gained}) < 7 * (${scoreSkipping(answers, 0).possible}))`
}

/** A score is compared as the fraction of what was gained and what was possible, in integers. */
interface Fraction {
  gained: RawBuilder<unknown>
  possible: RawBuilder<unknown>
}

const isLower = (one: Fraction, other: Fraction) =>
  sql`(${one.gained}) * (${other.possible}) < (${other.gained}) * (${one.possible})`

/** The score as it was before the last so many graded responses: weights 16, 8, 4, 2, 1 from the newest back. */
function scoreSkipping(answers: string, skipped: number): Fraction {
  const weighted = [16, 8, 4, 2, 1].map((weight, back) => ({
    weight: sql.lit(weight),
    quality: sql`${sql.ref(`${answers}.graded`)}[${sql.lit(skipped + back + 1)}]`,
  }))
  const plus = (parts: RawBuilder<unknown>[]) => sql.join(parts, sql` + `)
  return {
    gained: plus(weighted.map(({ weight, quality }) => sql`coalesce(${quality}, 0) * ${weight}`)),
    possible: plus(
      weighted.map(({ weight, quality }) => sql`(${quality} is not null)::int * 5 * ${weight}`),
    ),
  }
}

/** Of the maps with these ids, each node that struggles, as `map_id` and `node_id`. */
export const strugglingNodes = (mapIds: readonly string[]) => sql`
  select answers.map_id, answers.node_id
  from (${answeredNodes(sql`(select unnest(${mapIds}::uuid[]) as id)`)}) as answers
  join mind_map_nodes node on node.id = answers.node_id
  where ${struggles('node', 'answers')}`

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
  const counted = sql`,
    count(*) filter (where ${reviewed(7)}) as reviewed_7d,
    count(*) filter (where ${reviewed(7)} and quality >= 3) as recalled_7d,
    count(*) filter (where ${reviewed(30)}) as reviewed_30d,
    count(*) filter (where ${reviewed(30)} and quality >= 3) as recalled_30d`
  return sql`
    with recursive measured as (
      select map.id, map.root_node_id, batch.zone
      from unnest(${measured.map(({ id }) => id)}::uuid[], ${measured.map(({ zone }) => zone)}::text[])
        as batch(id, zone)
      join mind_maps map using (id)
    ),
    -- Nodes, prerequisites and answers are each read once.
    concepts as materialized (
      select id, mind_map_id, label, sequence, mastery_status, mastery_score::numeric, ease_factor::numeric, mastered_at,
             metadata
      from mind_map_nodes where mind_map_id in (${maps})
    ),
    needs as materialized (
      select parent_node_id, child_node_id
      from mind_map_edges where mind_map_id in (${maps}) and edge_type = 'prerequisite'
    ),
    answers as materialized (${answeredNodes(sql`measured`, counted)}),
    nodes as (
      select mind_map_id as map_id, count(*) as total,
             count(*) filter (where mastery_status = 'mastered') as mastered,
             avg(ease_factor) as ease,
             count(*) filter (where mastery_status = 'mastered' and ${within('mastered_at', 28)}) as recent,
             count(*) filter (where mastery_status <> 'mastered'
                              and metadata -> 'optional' is distinct from 'true'
                              and metadata -> 'skipped' is distinct from 'true') as remaining
      from concepts group by mind_map_id
    ),
    responses as (
      select map_id, sum(answered) as total, sum(quality) / sum(answered) as quality,
             sum(recalled_7d)::float8 / nullif(sum(reviewed_7d), 0) as retention_7d,
             sum(recalled_30d)::float8 / nullif(sum(reviewed_30d), 0) as retention_30d
      from answers group by map_id
    ),
    clocks as (${clocksOf(measured, now)}),
    attended as (
      select distinct map.id as map_id, local.time::date as date,
             case when extract(hour from local.time) between 6 and 11 then 'morning'
                  when extract(hour from local.time) between 12 and 17 then 'afternoon'
                  else 'evening' end as part
      from measured map
      join quiz_responses response on response.mind_map_id = map.id
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
      select answers.map_id, jsonb_agg(node.id order by node.sequence, node.label) as nodes
      from answers join concepts node on node.id = answers.node_id
      where ${struggles('node', 'answers')}
      group by answers.map_id
    ),
    below as (
      select map.id as map_id, edge.child_node_id as top, edge.child_node_id as node_id
      from measured map join needs edge on edge.parent_node_id = map.root_node_id
      union
      select below.map_id, below.top, edge.child_node_id
      from below join needs edge on edge.parent_node_id = below.node_id
    ),
    subtrees as (
      select below.map_id, below.top, round(avg(node.mastery_score), 12) as score
      from below join concepts node on node.id = below.node_id
      group by below.map_id, below.top
    ),
    strongest as (
      select distinct on (subtrees.map_id) subtrees.map_id, subtrees.top
      from subtrees join concepts node on node.id = subtrees.top
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
