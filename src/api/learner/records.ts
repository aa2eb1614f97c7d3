import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi'
import { suppose } from '../../commands/agenda/suppose.ts'
import type { Dependencies } from '../../commands/context.ts'
import { notFound } from '../../commands/problem.ts'
import { Supposed } from '../../contracts/forecast.ts'
import { Activity } from '../../contracts/learner.ts'
import { text } from '../../contracts/text.ts'
import { ankiNotes, ankiText } from '../../domain/anki/notes.ts'
import {
  calibration,
  predictByFsrs,
  predictBySm2,
} from '../../domain/spaced-repetition/calibration.ts'
import { dailyReviews, reviewLogCsv } from '../../domain/spaced-repetition/review-log.ts'
import { readActivity } from '../../store/arc/activity.ts'
import { readReviewDays } from '../../store/arc/records.ts'
import { readAnkiQuestions } from '../../store/learner/anki.ts'
import {
  feedSince,
  learnerOfFeed,
  readCalendar,
  renewFeed,
  revokeFeed,
} from '../../store/learner/calendar.ts'
import { readMemory, readReviewLog } from '../../store/memory.ts'
import type { Api, Environment } from '../http/environment.ts'
import { json, onInvalid, problems } from '../http/route-parts.ts'
import { ankiPackage } from './anki-package.ts'
import { requireLearner, requireSelf } from './routes.ts'

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

const CALENDAR = {
  description: 'iCalendar (RFC 5545)',
  content: { 'text/calendar': { schema: z.string() } },
}

const CALENDAR_HEADERS = {
  'content-type': 'text/calendar; charset=utf-8',
  'content-disposition': 'inline; filename="meno.ics"',
}

/** `/calendar/:token.ics`: what a calendar subscribes to. It cannot log in: the address is the secret. */
export function calendarFeedRoutes({ db, config }: Dependencies): Api {
  const api = new OpenAPIHono<Environment>({ defaultHook: onInvalid })
  api.openapi(
    createRoute({
      method: 'get',
      path: '/calendar/{file}',
      summary: 'The calendar behind a private address',
      security: [],
      request: { params: z.object({ file: z.string() }) },
      responses: { 200: CALENDAR, ...problems(404) },
    }),
    async (c) => {
      const token = /^([\w-]{43})\.ics$/.exec(c.req.valid('param').file)?.[1]
      const learnerId = token ? await learnerOfFeed(db, token) : null
      if (learnerId === null) throw notFound('calendar')
      const calendar = await readCalendar(db, learnerId, config.pageUrl, Date.now())
      return c.body(calendar, 200, { ...CALENDAR_HEADERS, 'cache-control': 'private, no-store' })
    },
  )
  return api
}

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
      summary: 'The reviews as a calendar',
      description:
        'One event for each day with reviews, at the study time where one is set, else all day; at most the daily cap, the rest on the day after. For a calendar to subscribe to see calendar-feed.',
      request: { params },
      responses: { 200: CALENDAR, ...problems(404) },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      return c.body(await readCalendar(db, id, config.pageUrl, Date.now()), 200, CALENDAR_HEADERS)
    },
  )

  api.openapi(
    createRoute({
      method: 'get',
      path: '/{id}/calendar-feed',
      summary: 'Whether the calendar has a private address',
      request: { params },
      responses: {
        200: json(
          z.object({ since: z.iso.datetime().nullable() }),
          'Since when; the address itself is kept by nobody',
        ),
        ...problems(403, 404),
      },
    }),
    async (c) => {
      const { id } = await requireSelf(db, c.var.actor, c.req.valid('param').id)
      return c.json({ since: (await feedSince(db, id))?.toISOString() ?? null }, 200)
    },
  )

  api.openapi(
    createRoute({
      method: 'post',
      path: '/{id}/calendar-feed',
      summary: 'Make or renew the private address of the calendar',
      description:
        'The address needs no log-in and is told once. An older one ends. Whoever knows it sees topics and concepts, nothing else.',
      request: { params },
      responses: {
        201: json(z.object({ url: z.url() }), 'What a calendar subscribes to'),
        ...problems(403, 404),
      },
    }),
    async (c) => {
      const { id } = await requireSelf(db, c.var.actor, c.req.valid('param').id)
      const token = await renewFeed(db, id)
      return c.json({ url: `${config.pageUrl}/calendar/${token}.ics` }, 201)
    },
  )

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/{id}/calendar-feed',
      summary: 'End the private address of the calendar',
      request: { params },
      responses: { 204: { description: 'No address leads there any more' }, ...problems(403, 404) },
    }),
    async (c) => {
      const { id } = await requireSelf(db, c.var.actor, c.req.valid('param').id)
      await revokeFeed(db, id)
      return c.body(null, 204)
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
      summary: 'The questions the learner has been through, as a deck for Anki',
      description:
        'With options, answer and solution, in sub-decks by topic, tagged by topic, concept and unit. Importing again updates the notes that are there. Anki schedules them anew. Open questions are left out.',
      request: { params, query: z.object({ format: z.enum(['apkg', 'text']).default('apkg') }) },
      responses: {
        200: {
          description: 'A deck to import, or with format=text tab-separated text',
          content: {
            'application/octet-stream': { schema: z.string() },
            'text/plain': { schema: z.string() },
          },
        },
        ...problems(404, 422),
      },
    }),
    async (c) => {
      const { id } = await requireLearner(db, c.var.actor, c.req.valid('param').id)
      const notes = ankiNotes(await readAnkiQuestions(db, id))
      if (c.req.valid('query').format === 'text') {
        return c.text(ankiText(notes), 200, {
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': 'attachment; filename="meno-anki.txt"',
        })
      }
      return c.body(Buffer.from(await ankiPackage(notes, Date.now())), 200, {
        'content-type': 'application/octet-stream',
        'content-disposition': 'attachment; filename="meno.apkg"',
      })
    },
  )

  return api
}
