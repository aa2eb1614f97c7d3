import { sql } from 'kysely'
import type { Db } from '../database.ts'

/**
 * Seconds that the review waits that is due for longest without a question being asked, among topics that do nothing but
 * review; 0 where none does.
 */
export async function reviewLateness(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from now() - next_review_at)), 0)::float8 as seconds from arcs
    where phase = 'REVIEWING' and pending_question is null and not paused and blocked is null
      and next_review_at < now()`.execute(db)
  return rows[0]?.seconds ?? 0
}
