import { sql } from 'kysely'
import { type Study, studyOf } from '../../domain/agenda/study.ts'
import type { QualityCounts } from '../../domain/agenda/what-if.ts'
import type { ArcRow } from '../arc/arcs.ts'
import { arcAsStored } from '../arc/load.ts'
import type { DbOrTrx } from '../database.ts'
import { readHistories, readMap } from '../maps/rows.ts'

/** What a learner studies: every open arc that has its map and is not paused, in the order in which they were begun. */
export async function readStudies(db: DbOrTrx, learnerId: string, dayMs: number): Promise<Study[]> {
  const { rows } = await sql<ArcRow & { state: unknown }>`
    select arc.*, entity.state
    from arcs arc
    join mind_maps map on map.id = arc.mind_map_id and map.status = 'active'
    left join entities entity on entity.id = arc.id
    where arc.learner_id = ${learnerId} and not arc.paused
      and arc.phase not in ('PENDING', 'DIAGNOSING', 'PLANNING', 'COMPLETED', 'ABANDONED')
    order by arc.started_at, arc.id
  `.execute(db)
  const studies = await Promise.all(
    rows.map(async (row) => {
      const [map, histories] = await Promise.all([
        readMap(db, row.mind_map_id),
        readHistories(db, row.mind_map_id),
      ])
      return map ? [studyOf({ ...arcAsStored(row, row.state, null), map, histories, dayMs })] : []
    }),
  )
  return studies.flat()
}

/** How a learner studies, from what they did lately. */
export interface Pace {
  timeZone: string
  studyTime: string | null
  language: string
  /** A day, over the last four weeks or since they began in them; null if they were not there. */
  minutesPerDay: number | null
  /** The median of the latest questions; null without any. */
  minutesPerQuestion: number | null
  /** By quality from 0 to 5, in the last half year. */
  reviews: QualityCounts
  quizzes: QualityCounts
}

/** The pace of a learner as of `now`, UTC ms. */
export async function readPace(db: DbOrTrx, learnerId: string, now: number): Promise<Pace> {
  const at = sql`${new Date(now)}::timestamptz`
  const counts = (type: string) => sql`
    (select array_agg((select count(*)::int from answers
                       where response_type = ${type} and answers.quality = grade) order by grade)
     from generate_series(0, 5) grade)`
  const { rows } = await sql<Pace>`
    with own as (select id, mind_map_id from arcs where learner_id = ${learnerId}),
    answers as materialized (
      select quality, response_type from quiz_responses
      where mind_map_id in (select mind_map_id from own)
        and responded_at > ${at} - interval '180 days'
    ),
    said as (
      select created_at, created_at - lag(created_at) over (order by created_at) as gap
      from arc_messages
      where arc_id in (select id from own) and role = 'learner'
        and created_at > ${at} - interval '28 days'
    ),
    asked as (
      select extract(epoch from closed_at - opened_at) / 60 as minutes
      from arc_questions
      where arc_id in (select id from own) and kind in ('quiz', 'review') and quality is not null
        and closed_at - opened_at between interval '1 second' and interval '15 minutes'
      order by opened_at desc limit 500
    )
    select time_zone as "timeZone", study_time as "studyTime", language,
           (select (extract(epoch from sum(gap) filter (where gap < interval '30 minutes')) / 60
                    / greatest(1, ceil(extract(epoch from ${at} - min(created_at)) / 86400)))::float8
            from said) as "minutesPerDay",
           (select percentile_cont(0.5) within group (order by minutes::float8) from asked)
             as "minutesPerQuestion",
           ${counts('review')} as reviews, ${counts('teach')} as quizzes
    from learners where id = ${learnerId}
  `.execute(db)
  const [pace] = rows
  if (!pace) throw new Error(`there is no learner ${learnerId}`)
  return pace
}
