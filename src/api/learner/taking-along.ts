import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../../commands/context.ts'
import { importLearner } from '../../commands/learner/import.ts'
import { readExport } from '../../commands/learner/read-export.ts'
import { Problem } from '../../commands/problem.ts'
import { ImportOutcome, LearnerExport } from '../../contracts/taking-along.ts'
import { text } from '../../contracts/text.ts'
import { eraseLearner } from '../../store/learner/erase.ts'
import { exportLearner } from '../../store/learner/export.ts'
import type { Api, Environment } from '../http/environment.ts'
import { body, json, onInvalid, problems } from '../http/route-parts.ts'
import { requireLearner, requireSelf } from './routes.ts'

const params = z.object({ id: text })

/** `/api/learners/:id`: all that is kept of a learner, taken along, brought here, or erased. */
export function takingAlongRoutes(dependencies: Dependencies): Api {
  const { db, wake, log } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/export',
      summary: 'All that is kept of the learner, to take along',
      description:
        'The rows of all tables, with their names and columns, as they were at one moment. Another installation goes on with it: see import. Keys of questions that are not answered yet, secrets of channels and the private address of the calendar stay here.',
      request: { params },
      responses: { 200: json(LearnerExport, 'Rows by table'), ...problems(404) },
    }),
    async (c) => {
      const learner = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      const rows = exportLearner(db, learner, Date.now())
      // Anything that cannot begin is answered as a problem; what breaks off later ends the answer without its end.
      const first = await rows.next()
      const encoder = new TextEncoder()
      const stream = new ReadableStream<Uint8Array>(
        {
          start: (controller) => controller.enqueue(encoder.encode(first.value ?? '')),
          async pull(controller) {
            const { done, value } = await rows.next()
            if (done) controller.close()
            else controller.enqueue(encoder.encode(value))
          },
          async cancel() {
            await rows.return(undefined)
          },
        },
        { highWaterMark: 1 },
      )
      return c.body(stream, 200, {
        'content-type': 'application/json; charset=utf-8',
        'content-disposition': 'attachment; filename="meno-export.json"',
      }) as never
    },
  )

  // Described, and not read by the framework: a file is larger than what may be in memory.
  const importing = createRoute({
    method: 'post',
    path: '/{id}/import',
    summary: 'Bring here what was exported elsewhere',
    description:
      'Takes what export gave, up to 1 GB and 64 MB of rows that are brought here (the record of events is read over), whole or not at all. Topics, maps and courses that are here already stay as they are, so that doing it twice changes nothing. Everything gets ids of its own here. Topics go on where they were; a question whose key is not known here is replaced by another one. Channels are linked anew.',
    request: { params, body: body(LearnerExport) },
    responses: {
      200: json(ImportOutcome, 'What it has brought'),
      ...problems(400, 403, 404, 413, 422, 429),
    },
  })
  api.openAPIRegistry.registerPath(importing)
  api.post('/:id/import', async (c) => {
    const learner = await requireSelf(db, c.var.actor, params.parse(c.req.param()).id)
    const pieces = c.req.raw.body
    if (!pieces) throw new Problem(400, 'The body is not valid JSON: it is empty.')
    return c.json(await importLearner(dependencies, learner, () => readExport(pieces)), 200)
  })

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/{id}',
      summary: 'Erase the learner',
      description:
        'Everything that is kept of the person goes, in one transaction: topics, answers, courses, practice sessions that name them, channels, what is remembered. What runs ends by itself. There is no way back but an export.',
      request: { params },
      responses: {
        204: { description: 'Nothing is kept of them any more' },
        ...problems(403, 404),
      },
    }),
    async (c) => {
      const learner = await requireSelf(db, c.var.actor, c.req.valid('param').id)
      const alive = await eraseLearner(db, learner)
      // A workflow that is not told ends at its next date.
      await Promise.allSettled(
        alive.map((entity) =>
          wake(entity).catch((error) =>
            log.warn({ err: error, entity: entity.id }, 'an erased entity could not be told'),
          ),
        ),
      )
      return c.body(null, 204)
    },
  )
  return api
}
