import { sql } from 'kysely'
import type { ArcPhase } from '../contracts/arc.ts'
import type {
  FailedDelivery,
  HeldEntity,
  ModelPrice,
  OperatorArc,
  OperatorOverview,
  TokenUse,
} from '../contracts/operator.ts'
import { workflowId } from '../contracts/temporal.ts'
import type { Db } from './database.ts'
import { countLate, isLate } from './spine/reconciling.ts'

/** Where the Temporal UI shows a workflow; null where its address is not known. */
export type WorkflowUrl = (workflowId: string) => string | null

const MOST_HELD = 100

/** How many arcs there are in each phase, and what does not go on as it should. */
export async function readOverview(db: Db): Promise<Omit<OperatorOverview, 'temporalViews'>> {
  const [phases, blocked, held, waiting, failed] = await Promise.all([
    db
      .selectFrom('arcs')
      .select(['phase', sql<number>`count(*)::int`.as('count')])
      .groupBy('phase')
      .execute(),
    db
      .selectFrom('arcs')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('blocked', 'is not', null)
      .executeTakeFirstOrThrow(),
    countLate(db),
    db
      .selectFrom('inbox')
      .select([
        sql<number>`count(*)::int`.as('count'),
        sql<Date | null>`min(received_at)`.as('since'),
      ])
      .where('taken_at', 'is', null)
      .where('withdrawn_at', 'is', null)
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('nudge_deliveries')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('status', 'in', ['failed', 'uncertain'])
      .executeTakeFirstOrThrow(),
  ])
  return {
    phases: phases.map(({ phase, count }) => ({ phase: phase as ArcPhase, count })),
    blocked: blocked.count,
    held: held.map(({ product, blocked: faults, late }) => ({ product, faults, late })),
    waiting: { count: waiting.count, since: waiting.since?.toISOString() ?? null },
    deliveriesFailed: failed.count,
  }
}

/** What a fault holds up or whose date is past, of all products, the longest first. */
export async function readHeld(db: Db, urlOf: WorkflowUrl): Promise<HeldEntity[]> {
  const rows = await db
    .selectFrom('entities')
    .leftJoin('arcs', 'arcs.id', 'entities.id')
    .select(['entities.id', 'product', 'workflow_id', 'wake_at', 'fault', 'topic', 'title'])
    .where((where) => where.or([where('fault', 'is not', null), isLate]))
    .orderBy(sql`coalesce((fault ->> 'since')::timestamptz, wake_at)`)
    .limit(MOST_HELD)
    .execute()
  return rows.map(({ id, product, workflow_id: workflow, wake_at, fault, topic, title }) => ({
    ...{ id, product, workflowId: workflow, temporalUrl: urlOf(workflow) },
    title: title ?? topic,
    why: fault ? 'fault' : 'late',
    since: new Date(fault?.since ?? wake_at ?? 0).toISOString(),
    message: fault?.message ?? null,
  }))
}

export interface OperatorFilter {
  phase?: ArcPhase
  held?: 'blocked' | 'late' | 'fault' | 'any'
  /** A piece of the learner's name or handle, or of what the topic is called. */
  search?: string
  limit: number
  /** The last arc of the page before. */
  cursor?: string
}

/** Arcs of all learners, newest first. */
export async function readOperatorArcs(
  db: Db,
  { phase, held, search, limit, cursor }: OperatorFilter,
  urlOf: WorkflowUrl,
): Promise<OperatorArc[]> {
  let query = db
    .selectFrom('arcs')
    .innerJoin('entities', 'entities.id', 'arcs.id')
    .innerJoin('learners', 'learners.id', 'arcs.learner_id')
    .select(['arcs.id', 'arcs.topic', 'arcs.title', 'arcs.phase', 'arcs.paused', 'arcs.blocked'])
    .select(['arcs.started_at', 'arcs.last_session_at', 'arcs.next_review_at'])
    .select(['learners.id as learner_id', 'learners.handle', 'learners.name'])
    .select(['entities.fault', 'entities.wake_at', isLate.as('is_late')])
    .orderBy('arcs.started_at', 'desc')
    .orderBy('arcs.id', 'desc')
    .limit(limit)
  if (phase) query = query.where('arcs.phase', '=', phase)
  if (held === 'blocked') query = query.where('arcs.blocked', 'is not', null)
  if (held === 'fault') query = query.where('entities.fault', 'is not', null)
  if (held === 'late') query = query.where(isLate)
  if (held === 'any') {
    query = query.where((where) =>
      where.or([
        where('arcs.blocked', 'is not', null),
        where('entities.fault', 'is not', null),
        isLate,
      ]),
    )
  }
  if (search) {
    const piece = `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
    query = query.where((where) =>
      where.or([
        where('learners.handle', 'ilike', piece),
        where('learners.name', 'ilike', piece),
        where('arcs.topic', 'ilike', piece),
        where('arcs.title', 'ilike', piece),
        where(where.cast('arcs.id', 'text'), '=', search),
      ]),
    )
  }
  if (cursor) {
    query = query.where(
      sql<boolean>`(arcs.started_at, arcs.id) < (select started_at, id from arcs where id = ${cursor})`,
    )
  }
  return (await query.execute()).map((row) => {
    const workflow = workflowId.arc(row.id)
    const { fault } = row
    return {
      arcId: row.id,
      title: row.title ?? row.topic,
      learner: { id: row.learner_id, handle: row.handle, name: row.name },
      phase: row.phase as ArcPhase,
      paused: row.paused,
      blocked: row.blocked,
      late: row.is_late && row.wake_at ? { since: row.wake_at.toISOString() } : null,
      fault: fault ? { message: fault.message, since: fault.since } : null,
      startedAt: row.started_at.toISOString(),
      lastSessionAt: row.last_session_at?.toISOString() ?? null,
      nextReviewAt: row.next_review_at?.toISOString() ?? null,
      workflowId: workflow,
      temporalUrl: urlOf(workflow),
    }
  })
}

/** What model steps used on each of the last days (UTC), by model, the latest day first. */
export async function readTokenUse(
  db: Db,
  days: number,
  prices: Readonly<Record<string, ModelPrice>>,
): Promise<TokenUse[]> {
  const day = sql<string>`to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')`
  const sum = (column: string) => sql<number>`sum(${sql.ref(column)})::float8`
  const rows = await db
    .selectFrom('model_steps')
    .select([day.as('day'), 'model', sql<number>`count(*)::int`.as('steps')])
    .select([sum('input_tokens').as('input'), sum('output_tokens').as('output')])
    .select([sum('cache_read_tokens').as('cacheRead'), sum('cache_write_tokens').as('cacheWrite')])
    .where('created_at', '>', sql<Date>`now() - make_interval(days => ${days})`)
    .groupBy([day, 'model'])
    .orderBy(sql`1`, 'desc')
    .orderBy('model')
    .execute()
  return rows.map((row) => ({ ...row, cost: costOf(row, prices[row.model]) }))
}

const MILLION = 1_000_000

/** In US dollars; null without a price. The cached part of the input has prices of its own. */
function costOf(
  { input, output, cacheRead, cacheWrite }: Omit<TokenUse, 'cost'>,
  price: ModelPrice | undefined,
): number | null {
  if (!price) return null
  const fresh = Math.max(0, input - cacheRead - cacheWrite)
  return (
    (fresh * price.input +
      cacheRead * (price.cacheRead ?? price.input) +
      cacheWrite * (price.cacheWrite ?? price.input) +
      output * price.output) /
    MILLION
  )
}

/** Nudges that did not arrive, or of which that is not known, the latest first. */
export async function readFailedDeliveries(db: Db, limit: number): Promise<FailedDelivery[]> {
  const rows = await db
    .selectFrom('nudge_deliveries as delivery')
    .innerJoin('nudges', 'nudges.id', 'delivery.nudge_id')
    .innerJoin('learners', 'learners.id', 'nudges.learner_id')
    .select(['delivery.nudge_id', 'delivery.channel', 'delivery.status', 'delivery.attempts'])
    .select(['delivery.failure', 'delivery.sending_at', 'nudges.created_at', 'nudges.kind'])
    .select(['learners.id', 'learners.handle', 'learners.name'])
    .where('delivery.status', 'in', ['failed', 'uncertain'])
    .orderBy(sql`coalesce(delivery.sending_at, nudges.created_at)`, 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, handle, name, ...row }) => ({
    nudgeId: row.nudge_id,
    learner: { id, handle, name },
    channel: row.channel,
    kind: row.kind,
    status: row.status as FailedDelivery['status'],
    attempts: row.attempts,
    at: (row.sending_at ?? row.created_at).toISOString(),
    failure: row.failure,
  }))
}
