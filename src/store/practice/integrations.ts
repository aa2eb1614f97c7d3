import { createHash, randomBytes } from 'node:crypto'
import type { DbOrTrx } from '../database.ts'

/** What the token of an integration begins with, so that it is told from other tokens. */
export const INTEGRATION_TOKEN = 'mni_'

export interface Integration {
  id: string
  name: string
  secret: string | null
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Makes an integration; its token is shown this once, only a hash of it is kept. */
export async function createIntegration(
  db: DbOrTrx,
  { name, secret }: { name: string; secret: string | null },
): Promise<{ id: string; name: string; token: string }> {
  const token = `${INTEGRATION_TOKEN}${randomBytes(24).toString('base64url')}`
  const { id } = await db
    .insertInto('integrations')
    .values({ name, secret, token_hash: hashOf(token) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, name, token }
}

/** The integration of a token, or null. */
export async function findIntegration(db: DbOrTrx, token: string): Promise<Integration | null> {
  const row = await db
    .selectFrom('integrations')
    .select(['id', 'name', 'secret'])
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst()
  return row ?? null
}
