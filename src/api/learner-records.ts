import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import type { Dependencies } from '../commands/context.ts'
import { Activity, LearnerView } from '../contracts/learner.ts'
import { text } from '../contracts/text.ts'
import { reviewCalendar } from '../domain/agenda/calendar.ts'
import { ankiFile } from '../domain/anki/notes.ts'
import { readActivity } from '../store/arc/activity.ts'
import { readReviewDays } from '../store/arc/records.ts'
import { exportLearner, readAnkiNotes } from '../store/learner-export.ts'
import type { Api, Environment } from './environment.ts'
import { requireLearner } from './learners.ts'
import { json, onInvalid, problems } from './route-parts.ts'

const params = z.object({ id: text })

const Forecast = z.object({ forecast: z.array(z.object({ date: z.string(), count: z.int() })) })

const Export = z.object({
  exportedAt: z.string(),
  learner: LearnerView,
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})

/** `/api/learners/:id/…`: what is on record of a learner over all arcs, to look at or to take along. */
export function learnerRecordRoutes(dependencies: Dependencies): Api {
  const { db } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/forecast',
      summary: 'How many reviews fall on which day, over all topics',
      request: { params },
      responses: { 200: json(Forecast, 'By date of the learner’s zone'), ...problems(404) },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      const days = await readReviewDays(db, id, Date.now())
      const forecast = days.map(({ date, reviews }) => ({ date, count: reviews.length }))
      return c.json({ forecast }, 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/activity',
      summary: 'What was answered on which day, and what went wrong most',
      request: {
        params,
        query: z.object({ days: z.coerce.number().int().min(1).max(366).default(182) }),
      },
      responses: { 200: json(Activity, 'By date of the learner’s zone'), ...problems(404, 422) },
    }),
    async (c) => {
      const learner = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      return c.json(await readActivity(db, learner, c.req.valid('query').days), 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/calendar.ics',
      summary: 'The reviews as a calendar to subscribe to',
      request: { params },
      responses: {
        200: {
          description: 'iCalendar, an all-day event for each day with reviews',
          content: { 'text/calendar': { schema: z.string() } },
        },
        ...problems(404),
      },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      const now = Date.now()
      const calendar = reviewCalendar(await readReviewDays(db, id, now), id, now)
      return c.body(calendar, 200, {
        'content-type': 'text/calendar; charset=utf-8',
        'content-disposition': 'inline; filename="meno.ics"',
      })
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/anki',
      summary: 'The questions the learner has been through, as notes for Anki',
      request: { params },
      responses: {
        200: {
          description: 'A text file for Anki’s importer',
          content: { 'text/plain': { schema: z.string() } },
        },
        ...problems(404),
      },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      return c.text(ankiFile(await readAnkiNotes(db, id)), 200, {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': 'attachment; filename="meno-anki.txt"',
      })
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/export',
      summary: 'All that is kept of the learner, to take along',
      request: { params },
      responses: { 200: json(Export, 'Rows by table'), ...problems(404) },
    }),
    async (c) => {
      const learner = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      const tables = await exportLearner(db, learner.id)
      c.header('content-disposition', 'attachment; filename="meno-export.json"')
      return c.json({ exportedAt: new Date().toISOString(), learner, tables }, 200)
    },
  )
  return api
}
