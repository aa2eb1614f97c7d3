import { type CompiledQuery, sql } from 'kysely'
import type { TopicWeek, Week } from '../../domain/agenda/digest.ts'
import type { Db } from '../database.ts'

const WEEK = "interval '7 days'"

type TopicRow = Omit<TopicWeek, 'masteryBefore' | 'masteryAfter'> & {
  mastery_before: number | null
  mastery_after: number | null
}

/** The rows of a learner's week that ends at a moment in UTC ms, in the order of `weekOf`. */
export function weekReads(db: Db, learnerId: string, end: number): CompiledQuery[] {
  const to = sql`${new Date(end)}::timestamptz`
  const from = sql`${new Date(end)}::timestamptz - ${sql.raw(WEEK)}`
  return [
    sql`
      select count(*)::int as answers,
        count(*) filter (where response_type = 'review')::int as reviews,
        count(*) filter (where response_type = 'review' and quality >= 3)::int as kept,
        count(distinct (responded_at at time zone learner.time_zone)::date)::int as days
      from quiz_responses as response
      join arcs on arcs.mind_map_id = response.mind_map_id
      join learners as learner on learner.id = arcs.learner_id
      where arcs.learner_id = ${learnerId}::uuid and responded_at > ${from} and responded_at <= ${to}
        and (arcs.revived_from is null or responded_at >= arcs.started_at)`.compile(db),
    // The last seven snapshots of each map, and what became of its concepts.
    sql`
      with own as (
        select arcs.id, arcs.mind_map_id, coalesce(title, topic) as topic, phase, started_at from arcs
        where learner_id = ${learnerId}::uuid and not archived
          and (phase not in ('COMPLETED', 'ABANDONED') or updated_at > ${from})),
      week as (
        select own.mind_map_id, snapshot_date, metrics,
          row_number() over (partition by own.mind_map_id order by snapshot_date) as first,
          row_number() over (partition by own.mind_map_id order by snapshot_date desc) as last
        from own join analytics_snapshots as snapshot on snapshot.mind_map_id = own.mind_map_id
        where snapshot_date > (${from})::date and snapshot_date <= (${to})::date)
      select own.topic,
        (select (metrics ->> 'mastery_pct')::float8 from week where week.mind_map_id = own.mind_map_id and first = 1)
          as mastery_before,
        (select (metrics ->> 'mastery_pct')::float8 from week where week.mind_map_id = own.mind_map_id and last = 1)
          as mastery_after,
        (select (metrics ->> 'retention_rate_7d')::float8 from week
         where week.mind_map_id = own.mind_map_id and last = 1) as retention,
        array(select label from mind_map_nodes as node where node.mind_map_id = own.mind_map_id
          and mastered_at > ${from} and mastered_at <= ${to} and mastered_at >= own.started_at
          order by mastered_at) as mastered,
        array(select label from mind_map_nodes as node where node.mind_map_id = own.mind_map_id
          and id::text in (
            select jsonb_array_elements_text(metrics -> 'struggling_nodes') from week
            where week.mind_map_id = own.mind_map_id and last = 1)
          order by label) as struggling,
        (select count(*)::int from mind_map_nodes as node where node.mind_map_id = own.mind_map_id
          and own.phase not in ('COMPLETED', 'ABANDONED')
          and next_review_at <= ${to} + ${sql.raw(WEEK)}) as due
      from own order by own.started_at`.compile(db),
  ]
}

/** What those rows say. */
export function weekOf(rows: readonly unknown[][]): Week {
  const [[sums], topics] = rows as [Omit<Week, 'topics'>[], TopicRow[]]
  const { answers = 0, reviews = 0, kept = 0, days = 0 } = sums ?? {}
  return {
    ...{ answers, reviews, kept, days },
    topics: topics.map(({ mastery_before, mastery_after, ...topic }) => ({
      ...topic,
      masteryBefore: mastery_before,
      masteryAfter: mastery_after,
    })),
  }
}
