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
