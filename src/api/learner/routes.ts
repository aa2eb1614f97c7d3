import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { mayAll } from '../../commands/access.ts'
import { tellAgenda } from '../../commands/agenda/tell.ts'
import type { Actor, Dependencies } from '../../commands/context.ts'
import { notFound, Problem } from '../../commands/problem.ts'
import { Fact, FactPatch, LearnerPatch, LearnerView, Level } from '../../contracts/learner.ts'
import { text } from '../../contracts/text.ts'
import type { Db } from '../../store/database.ts'
import {
  correctFact,
  findLearner,
  forgetFact,
  readFacts,
  readLearner,
  readLevels,
  updateLearner,
} from '../../store/learners.ts'
import type { Api, Environment } from '../http/environment.ts'
import { body, json, onInvalid, problems } from '../http/route-parts.ts'

const params = z.object({ id: text })
const factParams = params.extend({ factId: z.uuid() })

const Memory = z.object({ items: z.array(Fact), levels: z.array(Level) })

/**
 * The learner of an id or handle, if the actor may see them; `me` is the actor.
 * @throws {Problem} 404
 */
export async function requireLearner(
  db: Db,
  actor: Actor,
  idOrHandle: string,
): Promise<LearnerView> {
  const found = idOrHandle === 'me' ? actor.learner : await findLearner(db, idOrHandle)
  const learner =
    found && (mayAll(actor) || found.id === actor.learner.id) && (await readLearner(db, found.id))
  if (!learner) throw notFound('learner')
  return learner
}

/**
 * The learner of an id or handle, for what is theirs alone to do; an admin may do it for them.
 * @throws {Problem} 404, 403 for a teacher
 */
export async function requireSelf(db: Db, actor: Actor, idOrHandle: string): Promise<LearnerView> {
  const learner = await requireLearner(db, actor, idOrHandle)
  if (learner.id !== actor.learner.id && !actor.roles.includes('admin')) {
    throw new Problem(403, 'Only the learner and an admin may do that.')
  }
  return learner
}

/** `/api/learners`: settings, and what is remembered. A learner sees themselves; teachers and admins see all. */
export function learnerRoutes(dependencies: Dependencies): Api {
  const { db } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}',
      summary: 'A learner and their settings',
      request: { params },
      responses: { 200: json(LearnerView, 'The learner'), ...problems(404) },
    }),
    async (c) => c.json(await requireLearner(db, c.var.actor, c.req.valid('param').id), 200),
  )
  api.openapi(
    createRoute({
      method: 'patch',
      path: '/{id}',
      summary: 'Change settings',
      request: { params, body: body(LearnerPatch) },
      responses: { 200: json(LearnerView, 'As they are now'), ...problems(404, 422) },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      await updateLearner(db, id, c.req.valid('json'))
      await tellAgenda(dependencies, id, 'settings')
      return c.json(await requireLearner(db, c.var.actor, id), 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/memory',
      summary: 'What is remembered of the learner',
      request: { params },
      responses: { 200: json(Memory, 'Facts, newest first, and levels'), ...problems(404) },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      return c.json({ items: await readFacts(db, id), levels: await readLevels(db, id) }, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'patch',
      path: '/{id}/memory/{factId}',
      summary: 'Correct one fact',
      request: { params: factParams, body: body(FactPatch) },
      responses: { 200: json(Fact, 'As it is now'), ...problems(404, 422) },
    }),
    async (c) => {
      const { id: wanted, factId } = c.req.valid('param')
      const { id } = await requireLearner(db, c.var.actor, wanted)
      await correctFact(db, id, factId, c.req.valid('json').fact)
      const fact = (await readFacts(db, id)).find((one) => one.id === factId)
      if (!fact) throw notFound('fact')
      return c.json(fact, 200)
    },
  )
  api.openapi(
    createRoute({
      method: 'delete',
      path: '/{id}/memory/{factId}',
      summary: 'Forget one fact',
      request: { params: factParams },
      responses: { 204: { description: 'Forgotten' }, ...problems(404) },
    }),
    async (c) => {
      const { id: wanted, factId } = c.req.valid('param')
      const { id } = await requireLearner(db, c.var.actor, wanted)
      if (!(await forgetFact(db, id, factId))) throw notFound('fact')
      return c.body(null, 204)
    },
  )
  return api
}
