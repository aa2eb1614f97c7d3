import type { DbOrTrx } from './database.ts'

/**
 * The installation's own key of a name, made by `make` at the first call and kept for good; of several who call at once
 * all get the one that was kept.
 */
export async function installationKey<T extends Record<string, unknown>>(
  db: DbOrTrx,
  name: string,
  make: () => T,
): Promise<T> {
  const kept = await readKey<T>(db, name)
  if (kept) return kept
  await db
    .insertInto('installation_keys')
    .values({ name, value: JSON.stringify(make()) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const made = await readKey<T>(db, name)
  if (!made) throw new Error(`the key ${name} could not be kept`)
  return made
}

async function readKey<T>(db: DbOrTrx, name: string): Promise<T | null> {
  const row = await db
    .selectFrom('installation_keys')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row ? (row.value as T) : null
}
