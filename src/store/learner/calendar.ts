import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { reviewCalendar } from '../../domain/agenda/calendar.ts'
import { studyDays } from '../../domain/agenda/forecast.ts'
import { readDueReviews } from '../arc/records.ts'
import type { Db } from '../database.ts'

/** What a review takes as long as nothing is known of the learner. */
const USUAL_SECONDS = 60
/** Of so many answers the learner's own time is the median. */
const NEWEST_ANSWERS = 50

/**
 * The learner's reviews as an iCalendar document.
 * @param url where the reviews are done
 * @param now UTC ms
 */
export async function readCalendar(
  db: Db,
  learnerId: string,
  url: string,
  now: number,
): Promise<string> {
  const learner = await db
    .selectFrom('learners')
    .select(['time_zone', 'study_time', 'daily_review_cap', 'holiday_until'])
    .where('id', '=', learnerId)
    .executeTakeFirstOrThrow()
  const plan = {
    timeZone: learner.time_zone,
    dailyCap: learner.daily_review_cap,
    holidayUntil: learner.holiday_until?.getTime() ?? null,
  }
  const days = studyDays(await readDueReviews(db, learnerId), plan, now)
  const owner = {
    id: learnerId,
    timeZone: learner.time_zone,
    studyTime: learner.study_time,
    secondsPerReview: await readPace(db, learnerId),
    url,
  }
  return reviewCalendar(days, owner, now)
}

/** How long the learner has taken for an answer, in seconds: the median of the newest. */
async function readPace(db: Db, learnerId: string): Promise<number> {
  const { rows } = await sql<{ seconds: number | null }>`
    select percentile_cont(0.5) within group (order by seconds) as seconds from (
      select least(response.time_taken_seconds, 600) as seconds
      from quiz_responses response join arcs on arcs.mind_map_id = response.mind_map_id
      where arcs.learner_id = ${learnerId} and response.time_taken_seconds > 0
      order by response.position desc limit ${NEWEST_ANSWERS}) newest
  `.execute(db)
  return rows[0]?.seconds ?? USUAL_SECONDS
}

const digest = (token: string) => createHash('sha256').update(token).digest('hex')

/** A new private address of the learner's calendar: its last part, which nobody can guess. The old one ends. */
export async function renewFeed(db: Db, learnerId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const values = { token_hash: digest(token), created_at: new Date() }
  await db
    .insertInto('calendar_feeds')
    .values({ learner_id: learnerId, ...values })
    .onConflict((conflict) => conflict.column('learner_id').doUpdateSet(values))
    .execute()
  return token
}

/** Since when the learner's calendar has a private address; null: it has none. */
export async function feedSince(db: Db, learnerId: string): Promise<Date | null> {
  const feed = await db
    .selectFrom('calendar_feeds')
    .select('created_at')
    .where('learner_id', '=', learnerId)
    .executeTakeFirst()
  return feed?.created_at ?? null
}

/** Ends the private address, where there is one. */
export async function revokeFeed(db: Db, learnerId: string): Promise<void> {
  await db.deleteFrom('calendar_feeds').where('learner_id', '=', learnerId).execute()
}

/** Whose calendar a private address leads to; null: nobody's. */
export async function learnerOfFeed(db: Db, token: string): Promise<string | null> {
  const feed = await db
    .selectFrom('calendar_feeds')
    .select('learner_id')
    .where('token_hash', '=', digest(token))
    .executeTakeFirst()
  return feed?.learner_id ?? null
}
