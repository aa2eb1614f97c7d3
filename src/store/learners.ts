import { sql } from 'kysely'
import type { Fact, LearnerPatch, LearnerView, Level } from '../contracts/learner.ts'
import type { DbOrTrx } from './database.ts'

/** The learner of that handle (`me` in local mode), made on first sight. */
export async function ensureLearner(
  db: DbOrTrx,
  handle: string,
): Promise<{ id: string; handle: string }> {
  const found = await db
    .selectFrom('learners')
    .select(['id', 'handle'])
    .where('handle', '=', handle)
    .executeTakeFirst()
  if (found) return found
  await db
    .insertInto('learners')
    .values({ handle })
    .onConflict((conflict) => conflict.column('handle').doNothing())
    .execute()
  return db
    .selectFrom('learners')
    .select(['id', 'handle'])
    .where('handle', '=', handle)
    .executeTakeFirstOrThrow()
}

/** A learner by uuid or handle, or null. */
export async function findLearner(
  db: DbOrTrx,
  idOrHandle: string,
): Promise<{ id: string; handle: string } | null> {
  const learner = await db
    .selectFrom('learners')
    .select(['id', 'handle'])
    .where((where) =>
      where.or([
        where(where.cast('id', 'text'), '=', idOrHandle),
        where('handle', '=', idOrHandle),
      ]),
    )
    .executeTakeFirst()
  return learner ?? null
}

/** The learner with their settings, as the API shows them; null if there is none. */
export async function readLearner(db: DbOrTrx, id: string): Promise<LearnerView | null> {
  const row = await db.selectFrom('learners').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    handle: row.handle,
    name: row.name,
    timeZone: row.time_zone,
    studyTime: row.study_time,
    quietHours: { from: row.quiet_from, to: row.quiet_to },
    dailyReviewCap: row.daily_review_cap,
    holidayUntil: row.holiday_until?.toISOString() ?? null,
    channels: row.channels,
    language: row.language,
    chosen: row.chosen,
  }
}

/** Changes what the patch names and nothing else. `snoozedUntil` is ISO 8601. */
export async function updateLearner(
  db: DbOrTrx,
  id: string,
  patch: LearnerPatch & { snoozedUntil?: string },
): Promise<void> {
  const changes = {
    ...(patch.name !== undefined && { name: patch.name }),
    ...(patch.timeZone !== undefined && { time_zone: patch.timeZone }),
    ...(patch.studyTime !== undefined && { study_time: patch.studyTime }),
    ...(patch.quietHours !== undefined && {
      quiet_from: patch.quietHours.from,
      quiet_to: patch.quietHours.to,
    }),
    ...(patch.dailyReviewCap !== undefined && { daily_review_cap: patch.dailyReviewCap }),
    ...(patch.holidayUntil !== undefined && { holiday_until: patch.holidayUntil }),
    ...(patch.snoozedUntil !== undefined && { snoozed_until: patch.snoozedUntil }),
    ...(patch.channels !== undefined && { channels: JSON.stringify(patch.channels) }),
    ...(patch.language !== undefined && { language: patch.language }),
  }
  if (Object.keys(changes).length === 0) return
  const named = Object.entries(patch).flatMap(([name, value]) => (value === undefined ? [] : name))
  await db
    .updateTable('learners')
    .set({
      ...changes,
      chosen: sql<string[]>`array(select distinct unnest(chosen || ${named}::text[]) order by 1)`,
    })
    .where('id', '=', id)
    .execute()
}

/** What is remembered of the learner and where it was noticed, newest first. */
export async function readFacts(db: DbOrTrx, learnerId: string): Promise<Fact[]> {
  const rows = await db
    .selectFrom('learner_facts as fact')
    .leftJoin('arcs', 'arcs.id', 'fact.arc_id')
    .select(['fact.id', 'fact.fact', 'fact.source', 'fact.created_at', 'fact.arc_id'])
    .select(sql<string | null>`coalesce(arcs.title, arcs.topic)`.as('topic'))
    .where('fact.learner_id', '=', learnerId)
    .orderBy('fact.created_at', 'desc')
    .execute()
  return rows.map(({ id, fact, source, topic, arc_id, created_at }) => ({
    ...{ id, fact, source, topic, arcId: arc_id, createdAt: created_at.toISOString() },
  }))
}

/** Corrects one fact, which is the learner's own word then; false if it was not there. */
export async function correctFact(
  db: DbOrTrx,
  learnerId: string,
  id: string,
  fact: string,
): Promise<boolean> {
  const changed = await db
    .updateTable('learner_facts')
    .set({ fact, source: 'learner' })
    .where('learner_id', '=', learnerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Where the learner stands in each open topic: what they said wins over what was measured. */
export async function readLevels(db: DbOrTrx, learnerId: string): Promise<Level[]> {
  const { rows } = await sql<Level>`
    select arcs.id as "arcId", coalesce(arcs.title, arcs.topic) as topic, level, source
    from arcs
    left join lateral (
      select learner_level from diagnostic_results
      where session_id = arcs.id and learner_level is not null
      order by "timestamp" desc limit 1) measured on true
    cross join lateral (values
      (case when arcs.settings ->> 'level' <> 'unknown' then arcs.settings ->> 'level'
       else measured.learner_level end,
       case when arcs.settings ->> 'level' <> 'unknown' then 'said' else 'checked' end))
      as stands (level, source)
    where arcs.learner_id = ${learnerId} and not arcs.archived and level is not null
    order by arcs.started_at desc
  `.execute(db)
  return rows
}

/** Forgets one fact; false if it was not there. */
export async function forgetFact(db: DbOrTrx, learnerId: string, id: string): Promise<boolean> {
  const gone = await db
    .deleteFrom('learner_facts')
    .where('learner_id', '=', learnerId)
    .where('id', '=', id)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}
