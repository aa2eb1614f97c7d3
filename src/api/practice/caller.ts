import { createMiddleware } from 'hono/factory'
import { isSignedWith } from '../../channels/lms-webhook.ts'
import type { Actor, Dependencies } from '../../commands/context.ts'
import { Problem } from '../../commands/problem.ts'
import { findIntegration, INTEGRATION_TOKEN } from '../../store/practice/integrations.ts'
import type { Environment } from '../http/environment.ts'

/** What a learning platform may reach: practice, and how it is described. */
const OF_PLATFORMS = /^\/(?:webhook\/tutor|question-sets|sessions|docs|openapi\.json)(?:\/|$)/

/**
 * Tells who calls by the token of an integration; with a secret, every request of it has to be signed. What is a
 * learner's, a teacher's or an operator's is not a platform's.
 */
export function practiceCaller({ db }: Dependencies) {
  return createMiddleware<Environment>(async (c, next) => {
    const [, token] = /^Bearer\s+(\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? []
    if (!token?.startsWith(INTEGRATION_TOKEN)) return next()
    const integration = await findIntegration(db, token)
    if (!integration) throw new Problem(401, 'This token belongs to no integration.')
    if (!OF_PLATFORMS.test(c.req.path)) {
      throw new Problem(403, 'With the token of an integration only practice can be reached.')
    }
    if (integration.secret !== null) {
      const header = c.req.header('X-Meno-Signature')
      if (!isSignedWith(integration.secret, await c.req.text(), header, Date.now())) {
        throw new Problem(401, 'X-Meno-Signature is missing, wrong, or older than five minutes.')
      }
    }
    const learner = { id: integration.id, handle: integration.name }
    c.set('actor', { learner, roles: ['integration'], integrationId: integration.id })
    return next()
  })
}

/** Lets only those roles through. */
export function onlyFor(...roles: Actor['roles'][number][]) {
  return createMiddleware<Environment>(async (c, next) => {
    if (!roles.some((role) => c.var.actor.roles.includes(role))) {
      throw new Problem(403, `This is for ${roles.join(' and ')} only.`)
    }
    await next()
  })
}

/** Whether the caller may look inside a turn. */
export const mayDebug = (actor: Actor): boolean =>
  actor.roles.some((role) => role === 'integration' || role === 'teacher' || role === 'admin')
