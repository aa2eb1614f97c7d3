import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** A learner, and an address, have so many confirmation mails in an hour. */
const CONFIRMATIONS_AN_HOUR = 5
const HOUR = "interval '1 hour'"

/**
 * Notes that a mail to confirm an address is about to be sent, if there may be another one.
 * @returns null, or in how many seconds there may be
 */
export async function noteConfirmation(
  db: Db,
  learnerId: string,
  address: string,
): Promise<number | null> {
  const to = address.trim().toLowerCase()
  return db.transaction().execute(async (trx) => {
    // Two at once are one after the other, in whichever process.
    await sql`select pg_advisory_xact_lock(hashtext('confirmation mails'))`.execute(trx)
    await sql`delete from confirmation_mails where sent_at < now() - ${sql.raw(HOUR)}`.execute(trx)
    const { rows } = await sql<{ seconds: number | null }>`
      with full_up as (
        select sent_at from (
          select sent_at, row_number() over (order by sent_at desc) as place
          from confirmation_mails where learner_id = ${learnerId}::uuid) as by_learner
        where place = ${CONFIRMATIONS_AN_HOUR}
        union all
        select sent_at from (
          select sent_at, row_number() over (order by sent_at desc) as place
          from confirmation_mails where address = ${to}) as by_address
        where place = ${CONFIRMATIONS_AN_HOUR})
      select ceil(extract(epoch from max(sent_at) + ${sql.raw(HOUR)} - now()))::int as seconds
      from full_up`.execute(trx)
    const seconds = rows[0]?.seconds ?? null
    if (seconds !== null) return Math.max(1, seconds)
    await trx
      .insertInto('confirmation_mails')
      .values({ learner_id: learnerId, address: to })
      .execute()
    return null
  })
}
