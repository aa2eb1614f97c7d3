import { sql } from 'kysely'
import type { Activity } from '../../contracts/learner.ts'
import { readCommand } from '../../domain/talk/commands.ts'
import type { Db } from '../database.ts'

/** A question that was left open over lunch is no hour of work. */
const LONGEST_SECONDS = 600

const MOST_MISSED = 8

/** Answers of a learner, each once: a revived topic has a copy of what was answered in the closed one. */
const answersOf = (learnerId: string, days: number) => sql`
  select response.*, arcs.id as arc_id, coalesce(arcs.title, arcs.topic) as topic
  from quiz_responses response
  join arcs on arcs.mind_map_id = response.mind_map_id
  where arcs.learner_id = ${learnerId}
    and response.responded_at > now() - make_interval(days => ${days})
    and response.response_type <> 'diagnostic'
    and not exists (
      select from mind_maps later
      join arcs again on again.mind_map_id = later.id and again.learner_id = arcs.learner_id
      where later.metadata ->> 'revivedFrom' = response.mind_map_id::text)`

/** Whoever asked for the solution has given no answer. */
const withoutCommand = (missed: Activity['missed'][number]) => ({
  ...missed,
  answer: missed.answer === null || readCommand(missed.answer) ? null : missed.answer,
})

/** What a learner answered in the last days, by date of their zone, and the concepts missed most. */
export async function readActivity(
  db: Db,
  learner: { id: string; timeZone: string },
  days: number,
): Promise<Activity> {
  const answers = answersOf(learner.id, days)
  const [byDay, missed] = await Promise.all([
    sql<Activity['days'][number]>`
      select to_char(responded_at at time zone ${learner.timeZone}, 'YYYY-MM-DD') as date,
        count(*)::int as answers,
        count(*) filter (where response_type = 'review')::int as reviews,
        count(*) filter (where response_type = 'review' and quality >= 3)::int as recalled,
        coalesce(sum(least(time_taken_seconds, ${LONGEST_SECONDS}))
          filter (where time_taken_seconds is not null), 0)::int as seconds
      from (${answers}) answers
      group by 1 order by 1`.execute(db),
    sql<Activity['missed'][number]>`
      select answers.arc_id as "arcId", answers.topic, node.id as "nodeId", node.label,
        count(*)::int as misses,
        (array_agg(question_text order by position desc))[1] as question,
        (array_agg(user_answer order by position desc))[1] as answer
      from (${answers}) answers
      join mind_map_nodes node on node.id = answers.node_id
      where quality < 3
      group by 1, 2, 3, 4
      having count(*) > 1
      order by count(*) desc, max(position) desc
      limit ${MOST_MISSED}`.execute(db),
  ])
  return { days: byDay.rows, missed: missed.rows.map(withoutCommand) }
}
