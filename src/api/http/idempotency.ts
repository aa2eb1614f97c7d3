import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMiddleware } from 'hono/factory'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Dependencies } from '../../commands/context.ts'
import { Problem } from '../../commands/problem.ts'
import type { Environment } from './environment.ts'

const IN_PROGRESS = 0
const WAIT_MS = 10_000
const ABANDONED_MS = 30_000

/** A student's requests in a course are rows with an id of their own, made of this key. */
const KEPT_ELSEWHERE = /^(?:\/api\/tutor)?\/threads\/[^/]+\/(?:turn|drill|exam)\b/
/** An import that comes twice changes nothing, and is too large to be held here. */
const IMPORT = /^\/api\/learners\/[^/]+\/import$/

/** With `Idempotency-Key`, the same request is carried out once and its answer given again, but for a refusal: nothing was done. Messages have their own ids. */
export function idempotency({ db }: Dependencies) {
  return createMiddleware<Environment>(async (c, next) => {
    const key = c.req.header('Idempotency-Key')
    if (c.req.method !== 'POST' || key === undefined) return next()
    if (key === '' || key.length > 200) {
      throw new Problem(422, 'An Idempotency-Key has 1 to 200 characters.')
    }
    if (KEPT_ELSEWHERE.test(c.req.path) || IMPORT.test(c.req.path)) return next()
    const scope = `${c.var.actor.learner.id} ${c.req.path}`
    const hash = createHash('sha256')
      .update(await c.req.text())
      .digest('hex')
    const stored = await claim(scope, key, hash)
    if (stored) {
      c.header('Idempotent-Replay', 'true')
      return c.body(JSON.stringify(stored.response), stored.status as ContentfulStatusCode, {
        'content-type': 'application/json',
      })
    }
    await next()
    const { status } = c.res
    if (status >= 400) await forget(scope, key)
    else await keep(scope, key, status, await c.res.clone().text())
    return
  })

  async function claim(scope: string, key: string, hash: string) {
    const deadline = Date.now() + WAIT_MS
    for (;;) {
      const claimed = await db
        .insertInto('idempotency_keys')
        .values({ scope, key, request_hash: hash, status: IN_PROGRESS, response: 'null' })
        .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
        .returning('key')
        .executeTakeFirst()
      if (claimed) return null
      const row = await db
        .selectFrom('idempotency_keys')
        .selectAll()
        .where('scope', '=', scope)
        .where('key', '=', key)
        .executeTakeFirst()
      if (!row) continue
      if (row.request_hash !== hash) {
        throw new Problem(422, 'This Idempotency-Key was used for another request.')
      }
      if (row.status !== IN_PROGRESS) return row
      if (Date.now() - row.created_at.getTime() > ABANDONED_MS) await forget(scope, key)
      else if (Date.now() > deadline) {
        throw new Problem(409, 'The same request is still being carried out.', {}, 2)
      } else await sleep(50)
    }
  }

  async function forget(scope: string, key: string) {
    await db
      .deleteFrom('idempotency_keys')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .execute()
  }

  async function keep(scope: string, key: string, status: number, response: string) {
    await db
      .updateTable('idempotency_keys')
      .set({ status, response })
      .where('scope', '=', scope)
      .where('key', '=', key)
      .execute()
  }
}
