import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { suppose } from '../commands/agenda/suppose.ts'
import type { Dependencies } from '../commands/context.ts'
import { Supposed } from '../contracts/forecast.ts'
import { LearnerView } from '../contracts/learner.ts'
import { text } from '../contracts/text.ts'
import { reviewCalendar } from '../domain/agenda/calendar.ts'
import { ankiFile } from '../domain/anki/notes.ts'
import {
  calibration,
  predictByFsrs,
  predictBySm2,
} from '../domain/spaced-repetition/calibration.ts'
import { dailyReviews, reviewLogCsv } from '../domain/spaced-repetition/review-log.ts'
import { readReviewDays } from '../store/arc/records.ts'
import { exportLearner, readAnkiNotes } from '../store/learner-export.ts'
import { readMemory, readReviewLog } from '../store/memory.ts'
import type { Api, Environment } from './environment.ts'
import { requireLearner } from './learners.ts'
import { json, onInvalid, problems } from './route-parts.ts'

const params = z.object({ id: text })

const Forecast = z.object({
  forecast: z.array(
    z.object({
      date: z.string(),
      count: z.int(),
      minutes: z.int().optional().openapi({ description: 'Of study; where something is supposed' }),
    }),
  ),
  finish: z
    .object({
      earliest: z.string(),
      likely: z.string(),
      latest: z.string().nullable().openapi({ description: 'Null: not within a year' }),
      reason: z.string().openapi({ description: 'What holds it back most, in a sentence' }),
    })
    .nullable()
    .optional()
    .openapi({ description: 'When everything is mastered; where something is supposed' }),
})

const Calibration = z.object({
  count: z.int().openapi({ description: 'Reviews but the first of each concept, one a day' }),
  logLoss: z.number().nullable(),
  rmseBins: z.number().nullable(),
  bins: z
    .array(z.object({ predicted: z.number(), recalled: z.number(), count: z.int() }))
    .openapi({ description: 'By chance foreseen: its mean, the share that was known, how many' }),
})

const Retention = z.object({
  sm2: Calibration,
  fsrs: Calibration.openapi({ description: 'With the default weights' }),
  fitted: Calibration.extend({
    weights: z.array(z.number()),
    fittedAt: z.string(),
    heldOut: z
      .object({
        count: z.int(),
        logLoss: z.number().nullable(),
        defaultLogLoss: z.number().nullable(),
      })
      .openapi({ description: 'On the latest reviews, which the fit has not seen' }),
  })
    .nullable()
    .openapi({ description: 'With weights fitted to these reviews, where they foresee better' }),
})

const Export = z.object({
  exportedAt: z.string(),
  learner: LearnerView,
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
})

/** `/api/learners/:id/…`: what is on record of a learner over all arcs, to look at or to take along. */
export function learnerRecordRoutes(dependencies: Dependencies): Api {
  const { db, config } = dependencies
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/forecast',
      summary: 'How many reviews fall on which day, over all topics',
      description:
        'Without a query: the reviews that have their date. With one: what becomes of the topics if the learner studies so, by the rules of the arcs and the learner’s own share of right answers, and when they are through.',
      request: { params, query: Supposed },
      responses: { 200: json(Forecast, 'By date of the learner’s zone'), ...problems(404, 422) },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      const supposed = c.req.valid('query')
      if (Object.values(supposed).some((value) => value !== undefined)) {
        return c.json(await suppose(db, id, supposed, config.dayMs, Date.now()), 200)
      }
      const days = await readReviewDays(db, id, Date.now())
      const forecast = days.map(({ date, reviews }) => ({ date, count: reviews.length }))
      return c.json({ forecast }, 200)
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
      path: '/{id}/reviews.csv',
      summary: 'Every graded answer, in the log format of open-spaced-repetition',
      request: { params },
      responses: {
        200: {
          description: 'card_id, review_time, review_rating, review_state, review_duration',
          content: { 'text/csv': { schema: z.string() } },
        },
        ...problems(404),
      },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      return c.body(reviewLogCsv(await readReviewLog(db, id)), 200, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="meno-reviews.csv"',
      })
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/retention',
      summary: 'What was known in reviews, against what the schedulers would have foreseen',
      request: { params },
      responses: { 200: json(Retention, 'By scheduler'), ...problems(404) },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      const [log, memory] = await Promise.all([readReviewLog(db, id), readMemory(db, id)])
      const series = dailyReviews(log, config.dayMs)
      const by = (weights?: number[]) => calibration(predictByFsrs(series, weights))
      return c.json(
        {
          sm2: calibration(predictBySm2(series)),
          fsrs: by(),
          fitted: memory?.weights
            ? {
                ...by(memory.weights),
                weights: memory.weights,
                fittedAt: memory.fitted_at.toISOString(),
                heldOut: {
                  count: memory.held_out,
                  logLoss: memory.log_loss,
                  defaultLogLoss: memory.default_log_loss,
                },
              }
            : null,
        },
        200,
      )
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
