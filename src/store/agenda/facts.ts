import { type CompiledQuery, type Selectable, sql } from 'kysely'
import type { ChannelName } from '../../contracts/channel.ts'
import type { Review } from '../../domain/agenda/due.ts'
import type { AgendaFacts } from '../../domain/agenda/facts.ts'
import { languageOfTag } from '../../domain/language/written-language.ts'
import type { Db } from '../database.ts'
import type { Database } from '../schema.ts'
import { lastSeen } from './awaiting.ts'

/** Of so many of the newest reviews the median time is taken. */
const TIMED_REVIEWS = 100
/** Before the learner's last message, so far back lies the beginning of its day. */
const LONGEST_DAY = "interval '26 hours'"

interface Sums {
  last_seen: Date | null
  seconds_each: number | null
  language: string | null
}

/** The rows that tell a learner's agenda what waits and who they are, in the order of `agendaFacts`. */
export function factReads(db: Db, learnerId: string): CompiledQuery[] {
  return [
    db.selectFrom('learners').selectAll().where('id', '=', learnerId).compile(),
    reviewsRead(db, learnerId),
    sumsRead(db, learnerId),
    reviewedRead(db, learnerId),
    db
      .selectFrom('learner_channels')
      .select(['id', 'channel'])
      .where('learner_id', '=', learnerId)
      .where('status', '=', 'linked')
      .orderBy('created_at')
      .orderBy('id')
      .compile(),
  ]
}

/** Arcs report to no agenda: what falls due is read from their maps. */
const reviewsRead = (db: Db, learnerId: string): CompiledQuery =>
  sql`
    select arcs.id as arc_id, coalesce(arcs.title, arcs.topic) as topic, node.id as node_id, node.label,
      node.next_review_at as due_at
    from arcs join mind_map_nodes as node on node.mind_map_id = arcs.mind_map_id
    where arcs.learner_id = ${learnerId}::uuid and arcs.phase not in ('COMPLETED', 'ABANDONED')
      and not arcs.paused and not arcs.archived
      and node.next_review_at is not null and not coalesce((node.metadata ->> 'skipped')::boolean, false)
    order by node.next_review_at, node.id`.compile(db)

const sumsRead = (db: Db, learnerId: string): CompiledQuery =>
  sql`
    select
      ${lastSeen(learnerId)} as last_seen,
      (select percentile_cont(0.5) within group (order by seconds) from (
        select response.time_taken_seconds as seconds
        from quiz_responses as response join arcs on arcs.mind_map_id = response.mind_map_id
        where arcs.learner_id = ${learnerId}::uuid and response.response_type = 'review'
          and response.time_taken_seconds is not null
        order by response.responded_at desc limit ${TIMED_REVIEWS}) as timed) as seconds_each,
      (select coalesce(arcs.settings ->> 'language', entities.state ->> 'language')
       from arcs left join entities using (id)
       where arcs.learner_id = ${learnerId}::uuid
       order by arcs.last_session_at desc nulls last, arcs.started_at desc limit 1) as language`.compile(
    db,
  )

/** What was reviewed on the day of the learner's last message, and somewhat more. */
const reviewedRead = (db: Db, learnerId: string): CompiledQuery =>
  sql`
    select response.responded_at from quiz_responses as response
    join arcs on arcs.mind_map_id = response.mind_map_id
    where arcs.learner_id = ${learnerId}::uuid and response.response_type = 'review'
      and response.responded_at > (
        select max(last_session_at) - ${sql.raw(LONGEST_DAY)} from arcs where learner_id = ${learnerId}::uuid)
    order by response.responded_at desc`.compile(db)

/** What those rows say; null: there is no such learner. */
export function agendaFacts(rows: readonly unknown[][]): AgendaFacts | null {
  const [[learner], reviews, [sums], reviewed, channels] = rows as [
    Selectable<Database['learners']>[],
    (Omit<Review, 'arcId' | 'nodeId' | 'dueAt'> & {
      arc_id: string
      node_id: string
      due_at: Date
    })[],
    Sums[],
    { responded_at: Date }[],
    { id: string; channel: ChannelName }[],
  ]
  if (!learner) return null
  return {
    learnerId: learner.id,
    times: {
      timeZone: learner.time_zone,
      studyTime: learner.study_time,
      quietFrom: learner.quiet_from,
      quietTo: learner.quiet_to,
    },
    cap: learner.daily_review_cap,
    holidayUntil: learner.holiday_until?.getTime() ?? null,
    snoozedUntil: learner.snoozed_until?.getTime() ?? null,
    wishes: learner.channels,
    language: languageOfTag(sums?.language ?? learner.language),
    reviews: reviews.map(({ arc_id, topic, node_id, label, due_at }) => ({
      arcId: arc_id,
      topic,
      nodeId: node_id,
      label,
      dueAt: due_at.getTime(),
    })),
    reviewedAt: reviewed.map(({ responded_at }) => responded_at.getTime()),
    lastSeenAt: sums?.last_seen?.getTime() ?? null,
    secondsEach: sums?.seconds_each ?? null,
    channels,
  }
}
