import { Hono } from 'hono'
import { sql } from 'kysely'
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client'
import type { Dependencies } from '../commands/context.ts'
import { reviewLateness } from '../store/agenda/measures.ts'
import { countDeliveries } from '../store/agenda/outbox.ts'
import { answeredTurns, beginOfTurns, type TurnsSeen } from '../store/spine/answered-turns.ts'
import { countLate } from '../store/spine/reconciling.ts'

const PATIENCE_MS = 2_000

/**
 * `/metrics` for Prometheus: the process, how the arcs stand in the store at the moment of asking, and
 * what the worker of `MENO_WORKER_METRICS_PORT` tells of itself. What does not answer is 0 in a gauge.
 */
export function metricsRoutes({ config, db, log }: Dependencies, registry: Registry) {
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const arcs = gauge('meno_arcs', 'Arcs by phase', ['phase'])
  const blocked = gauge('meno_arcs_blocked', 'Arcs held up by something outside')
  const waiting = gauge('meno_messages_waiting', 'Learner messages that no turn has taken up')
  const faulty = gauge('meno_entities_faulty', 'Entities that a fault of Meno holds up', [
    'product',
  ])
  const late = gauge('meno_entities_late', 'Entities past the date they wait for', ['product'])
  const steps = gauge('meno_model_steps', 'Model steps kept, by model', ['model'])
  const tokens = gauge(
    'meno_model_tokens',
    'Tokens by model and direction; the cached ones are input too',
    ['model', 'direction'],
  )
  const reviews = gauge(
    'meno_reviews_late_seconds',
    'Seconds that the review waits that is due for longest and nobody was asked, of topics that only review',
  )
  const nudges = gauge(
    'meno_nudge_deliveries',
    'Nudges by channel and outcome; of uncertain ones nobody knows whether they were taken',
    ['channel', 'status'],
  )
  const turns = new Histogram({
    name: 'meno_turn_duration_seconds',
    help: 'Seconds from taking a message to the end of its turn, by product',
    labelNames: ['product'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300],
    registers: [registry],
  })
  let begin = null as TurnsSeen | null
  const store = gauge('meno_store_up', 'Whether PostgreSQL answered')
  const port = config.workerMetricsPort
  const worker =
    port === null ? null : gauge('meno_worker_up', 'Whether the worker told its metrics')
  return new Hono().get('/metrics', async (c) => {
    const [counted, workersOwn] = await Promise.all([measure(), workerMetrics()])
    store.set(counted ? 1 : 0)
    worker?.set(workersOwn === null ? 0 : 1)
    const text = `${await registry.metrics()}${workersOwn ?? ''}`
    return c.text(text, 200, { 'content-type': registry.contentType })
  })

  /** The worker's own text; null where it does not answer, or no port of it is known. */
  async function workerMetrics(): Promise<string | null> {
    if (port === null) return null
    try {
      const url = `http://127.0.0.1:${port}/metrics`
      const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) })
      return response.ok ? await response.text() : null
    } catch {
      return null
    }
  }

  async function measure(): Promise<boolean> {
    try {
      await count()
      return true
    } catch (error) {
      const stale = [arcs, blocked, waiting, faulty, late, steps, tokens, reviews, nudges]
      for (const gauge of stale) gauge.reset()
      log.warn({ error }, 'the store cannot be measured')
      return false
    }
  }

  async function count(): Promise<void> {
    const phases = await db
      .selectFrom('arcs')
      .select(['phase', sql<number>`count(*)::int`.as('count')])
      .groupBy('phase')
      .execute()
    arcs.reset()
    for (const { phase, count } of phases) arcs.set({ phase }, count)
    const held = await db
      .selectFrom('arcs')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('blocked', 'is not', null)
      .executeTakeFirstOrThrow()
    blocked.set(held.count)
    const untaken = await db
      .selectFrom('inbox')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('taken_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .executeTakeFirstOrThrow()
    waiting.set(untaken.count)
    const behind = await countLate(db)
    for (const gauge of [faulty, late]) gauge.reset()
    for (const entities of behind) {
      faulty.set({ product: entities.product }, entities.blocked)
      late.set({ product: entities.product }, entities.late)
    }
    reviews.set(await reviewLateness(db))
    nudges.reset()
    for (const { channel, status, count } of await countDeliveries(db)) {
      nudges.set({ channel, status }, count)
    }
    begin ??= await beginOfTurns(db)
    const { answered, seen } = await answeredTurns(db, begin)
    begin = seen
    for (const { product, seconds } of answered) turns.observe({ product }, seconds)
    const models = await db
      .selectFrom('model_steps')
      .select([
        'model',
        sql<number>`count(*)::int`.as('count'),
        sql<number>`sum(input_tokens)::float8`.as('input'),
        sql<number>`sum(output_tokens)::float8`.as('output'),
        sql<number>`sum(cache_read_tokens)::float8`.as('cacheRead'),
        sql<number>`sum(cache_write_tokens)::float8`.as('cacheWritten'),
      ])
      .groupBy('model')
      .execute()
    for (const { model, count, input, output, cacheRead, cacheWritten } of models) {
      steps.set({ model }, count)
      tokens.set({ model, direction: 'input' }, input)
      tokens.set({ model, direction: 'output' }, output)
      tokens.set({ model, direction: 'cache_read' }, cacheRead)
      tokens.set({ model, direction: 'cache_write' }, cacheWritten)
    }
  }
}
