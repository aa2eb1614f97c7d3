import { randomBytes } from 'node:crypto'
import type { DbOrTrx } from '../../store/database.ts'
import { installationKey } from '../../store/installation-keys.ts'

/** What links in mails are signed with. */
export async function mailLinkSecret(db: DbOrTrx): Promise<string> {
  const make = () => ({ secret: randomBytes(32).toString('base64') })
  return (await installationKey(db, 'mail-links', make)).secret
}
