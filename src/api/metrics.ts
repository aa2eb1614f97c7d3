import { Hono } from 'hono'
import { sql } from 'kysely'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Dependencies } from '../commands/context.ts'

/** `/metrics` for Prometheus: the process, and how the arcs stand in the store at the moment of asking. */
export function metricsRoutes({ db }: Dependencies) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const arcs = gauge('meno_arcs', 'Arcs by phase', ['phase'])
  const blocked = gauge('meno_arcs_blocked', 'Arcs held up by something outside')
  const waiting = gauge('meno_messages_waiting', 'Learner messages that no turn has taken up')
  const steps = gauge('meno_model_steps', 'Model steps kept, by model', ['model'])
  const tokens = gauge('meno_model_tokens', 'Tokens paid for, by model and direction', [
    'model',
    'direction',
  ])
  return new Hono().get('/metrics', async (c) => {
    await measure()
    return c.text(await registry.metrics(), 200, { 'content-type': registry.contentType })
  })

  async function measure(): Promise<void> {
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
      .selectFrom('arc_messages')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('role', '=', 'learner')
      .where('taken_at', 'is', null)
      .executeTakeFirstOrThrow()
    waiting.set(untaken.count)
    const models = await db
      .selectFrom('model_steps')
      .select([
        'model',
        sql<number>`count(*)::int`.as('count'),
        sql<number>`sum(input_tokens)::float8`.as('input'),
        sql<number>`sum(output_tokens)::float8`.as('output'),
      ])
      .groupBy('model')
      .execute()
    for (const { model, count, input, output } of models) {
      steps.set({ model }, count)
      tokens.set({ model, direction: 'input' }, input)
      tokens.set({ model, direction: 'output' }, output)
    }
  }
}
