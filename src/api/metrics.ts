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
  let measuring = null as Promise<boolean> | null
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

  /** Whoever asks while it is counted waits for that count: two at once would count a turn twice. */
  function measure(): Promise<boolean> {
    measuring ??= count().finally(() => {
      measuring = null
    })
    return measuring
  }

  async function count(): Promise<boolean> {
    const gauges = [arcs, blocked, waiting, faulty, late, steps, tokens, reviews, nudges]
    const counts = await read().catch((error: unknown) => {
      log.warn({ error }, 'the store cannot be measured')
      return null
    })
    for (const gauge of gauges) gauge.reset()
    if (counts) show(counts)
    return counts !== null
  }

  /** Reads all there is before anything of it is shown: what is half shown would be scraped. */
  async function read() {
    const counts = {
      phases: await db
        .selectFrom('arcs')
        .select(['phase', sql<number>`count(*)::int`.as('count')])
        .groupBy('phase')
        .execute(),
      blocked: await db
        .selectFrom('arcs')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('blocked', 'is not', null)
        .executeTakeFirstOrThrow(),
      untaken: await db
        .selectFrom('inbox')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('taken_at', 'is', null)
        .where('withdrawn_at', 'is', null)
        .executeTakeFirstOrThrow(),
      behind: await countLate(db),
      lateness: await reviewLateness(db),
      deliveries: await countDeliveries(db),
      models: await db
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
        .execute(),
    }
    begin ??= await beginOfTurns(db)
    const { answered, seen } = await answeredTurns(db, begin)
    begin = seen
    return { ...counts, answered }
  }

  function show(counts: Awaited<ReturnType<typeof read>>): void {
    for (const { product, seconds } of counts.answered) turns.observe({ product }, seconds)
    for (const { phase, count } of counts.phases) arcs.set({ phase }, count)
    blocked.set(counts.blocked.count)
    waiting.set(counts.untaken.count)
    for (const entities of counts.behind) {
      faulty.set({ product: entities.product }, entities.blocked)
      late.set({ product: entities.product }, entities.late)
    }
    reviews.set(counts.lateness)
    for (const { channel, status, count } of counts.deliveries) {
      nudges.set({ channel, status }, count)
    }
    for (const { model, count, input, output, cacheRead, cacheWritten } of counts.models) {
      steps.set({ model }, count)
      tokens.set({ model, direction: 'input' }, input)
      tokens.set({ model, direction: 'output' }, output)
      tokens.set({ model, direction: 'cache_read' }, cacheRead)
      tokens.set({ model, direction: 'cache_write' }, cacheWritten)
    }
  }
}
