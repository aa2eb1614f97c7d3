import type { Db } from '../../src/store/database.ts'

const UNANSWERED = { expires_at: null, answered_at: null, withdrawn_at: null }

/** A nudge for reviews that the learner of an arc has not answered yet; returns the learner's id. */
export async function openNudge(db: Db, arcId: string): Promise<string> {
  const { learner_id } = await db
    .selectFrom('arcs')
    .select('learner_id')
    .where('id', '=', arcId)
    .executeTakeFirstOrThrow()
  const nudge = { learner_id, date: '2026-01-05', kind: 'reviews' as const, created_at: new Date() }
  const notice = JSON.stringify({ kind: 'reviews', title: '', text: '', links: [] })
  await db
    .insertInto('nudges')
    .values({ id: crypto.randomUUID(), ...nudge, ...UNANSWERED, notice })
    .execute()
  return learner_id
}

/** What the learner's agenda was told since. */
export const toldToAgenda = async (db: Db, learnerId: string): Promise<string[]> =>
  (await db.selectFrom('inbox').select('type').where('entity_id', '=', learnerId).execute()).map(
    ({ type }) => type,
  )
