import { type Selectable, sql } from 'kysely'
import type { ArcPhase, ArcSettings, ArcView, PendingQuestion } from '../contracts/arc.ts'
import { workflowId } from '../contracts/temporal.ts'
import { type ArcFlow, newFlow } from '../domain/arc/flow.ts'
import type { LoadedArc } from '../domain/arc/loaded-arc.ts'
import { isTerminal } from '../domain/arc/phase.ts'
import { openPracticeOf } from './arc-practice.ts'
import type { Db, DbOrTrx } from './database.ts'
import { appendEvents } from './events.ts'
import { readHistories, readMap } from './maps/rows.ts'
import type { Database } from './schema.ts'

export type ArcRow = Selectable<Database['arcs']>

export interface NewArc {
  learnerId: string
  topic: string
  goal: string | null
  courseId: string | null
  goalUnitIds: string[]
  tutor: 'anthropic' | 'offline'
  settings: ArcSettings
}

/** Creates the arc and its empty mind map in one transaction. */
export async function createArc(db: Db, arc: NewArc): Promise<ArcRow> {
  return db.transaction().execute(async (trx) => {
    const map = await trx
      .insertInto('mind_maps')
      .values({
        title: arc.topic,
        status: 'creation',
        metadata: JSON.stringify(arc.goal ? { goal: arc.goal } : {}),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const row = await trx
      .insertInto('arcs')
      .values({
        mind_map_id: map.id,
        learner_id: arc.learnerId,
        topic: arc.topic,
        goal: arc.goal,
        course_id: arc.courseId,
        goal_unit_ids: JSON.stringify(arc.goalUnitIds),
        tutor: arc.tutor,
        settings: JSON.stringify(arc.settings),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await appendEvents(trx, row.id, [{ type: 'phase', data: { phase: 'PENDING', subPhase: null } }])
    return row
  })
}

export async function findArc(db: DbOrTrx, arcId: string): Promise<ArcRow | null> {
  return (await arcById(db, arcId).executeTakeFirst()) ?? null
}

/** The read of one arc. */
export const arcById = (db: DbOrTrx, arcId: string) =>
  db.selectFrom('arcs').selectAll().where('id', '=', arcId)

/** The arc as its workflow begins it: the last committed flow, or a new one; null if there is none. */
export async function loadArc(db: Db, arcId: string, dayMs: number): Promise<LoadedArc | null> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (trx) => {
      const row = await findArc(trx, arcId)
      if (!row) return null
      const map = await readMap(trx, row.mind_map_id)
      if (!map) return null
      return {
        arcId,
        mindMapId: row.mind_map_id,
        learnerId: row.learner_id,
        topic: row.topic,
        goal: row.goal,
        courseId: row.course_id,
        tutor: row.tutor as LoadedArc['tutor'],
        rules: row.settings as unknown as LoadedArc['rules'],
        dayMs,
        generation: row.generation,
        flow: (row.snapshot as ArcFlow | null) ?? firstFlow(row),
        map,
        histories: await readHistories(trx, row.mind_map_id),
      }
    })
}

/** A revived arc has its map already: it begins where reviews and lessons are chosen. */
function firstFlow(row: ArcRow): ArcFlow {
  const flow = newFlow(row.started_at.getTime())
  return row.revived_from ? { ...flow, phase: row.phase as ArcPhase, diagnosed: true } : flow
}

/** The open question as the learner sees it, without its key. */
export async function readPendingQuestion(
  db: DbOrTrx,
  questionId: string | null,
): Promise<PendingQuestion | null> {
  if (questionId === null) return null
  const row = await db
    .selectFrom('arc_questions')
    .select(['id', 'kind', 'text', 'format', 'options', 'node_id'])
    .where('id', '=', questionId)
    .executeTakeFirst()
  return row ? pendingQuestionView(row) : null
}

/** Whether a learner's message is still being answered: until then nothing is asked. */
async function isAnswering(db: DbOrTrx, arcId: string): Promise<boolean> {
  const message = await db
    .selectFrom('arc_messages')
    .select('id')
    .where('arc_id', '=', arcId)
    .where('role', '=', 'learner')
    .where('taken_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return message !== undefined
}

/** The parts of a question that its learner may see. */
export type AskedRow = Pick<
  Selectable<Database['arc_questions']>,
  'id' | 'kind' | 'text' | 'format' | 'options' | 'node_id'
>

/** A question as the learner sees it. */
export const pendingQuestionView = ({
  id,
  kind,
  text,
  format,
  options,
  node_id,
}: AskedRow): PendingQuestion => ({
  id,
  kind,
  text,
  format,
  ...(options ? { options } : {}),
  ...(node_id ? { nodeId: node_id } : {}),
})

interface Counted {
  mind_map_id: string
  mastered: number
  total: number
}

async function countMastery(db: DbOrTrx, mindMapIds: string[]): Promise<Map<string, Counted>> {
  if (mindMapIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('mind_map_nodes')
    .select([
      'mind_map_id',
      sql<number>`count(*) filter (where mastery_status = 'mastered')::int`.as('mastered'),
      sql<number>`count(*)::int`.as('total'),
    ])
    .where('mind_map_id', 'in', mindMapIds)
    .groupBy('mind_map_id')
    .execute()
  return new Map(rows.map((row) => [row.mind_map_id, row]))
}

/** Arcs as the API shows them, in the order of the rows. */
export async function arcViews(db: DbOrTrx, rows: readonly ArcRow[]): Promise<ArcView[]> {
  const counts = await countMastery(
    db,
    rows.map((row) => row.mind_map_id),
  )
  return Promise.all(rows.map((row) => arcView(db, row, counts.get(row.mind_map_id))))
}

async function arcView(db: DbOrTrx, row: ArcRow, counted: Counted | undefined): Promise<ArcView> {
  const mastered = counted?.mastered ?? 0
  const total = counted?.total ?? 0
  const node = row.current_node_id
    ? await db
        .selectFrom('mind_map_nodes')
        .select(['id', 'label'])
        .where('id', '=', row.current_node_id)
        .executeTakeFirst()
    : undefined
  const diagnosis = await db
    .selectFrom('diagnostic_results')
    .select('probes')
    .where('session_id', '=', row.id)
    .executeTakeFirst()
  const nodes = diagnosis
    ? await db
        .selectFrom('mind_map_nodes')
        .select(['id', 'label'])
        .where('mind_map_id', '=', row.mind_map_id)
        .execute()
    : []
  const practice = isTerminal(row.phase as ArcPhase) ? null : await openPracticeOf(db, row.id)
  const nodeByLabel = new Map(nodes.map((n) => [n.label.trim().toLowerCase(), n.id]))
  return {
    arcId: row.id,
    mindMapId: row.mind_map_id,
    topic: row.topic,
    goal: row.goal,
    courseId: row.course_id,
    tutor: row.tutor as ArcView['tutor'],
    phase: row.phase as ArcPhase,
    subPhase: row.sub_phase as ArcView['subPhase'],
    currentNode: node ?? null,
    sessionCount: row.session_count,
    startedAt: row.started_at.toISOString(),
    lastSessionAt: row.last_session_at?.toISOString() ?? null,
    nextReviewAt: row.next_review_at?.toISOString() ?? null,
    mastery: { mastered, total, pct: total === 0 ? 0 : Math.round((mastered / total) * 100) / 100 },
    workflowId: workflowId.arc(row.id),
    pendingQuestion: (await isAnswering(db, row.id))
      ? null
      : await readPendingQuestion(db, row.pending_question),
    blocked: row.blocked,
    paused: row.paused,
    ...(practice ? { practiceSessionId: practice.external_session_id } : {}),
    diagnosticResults: (diagnosis?.probes ?? []).map((probe) => {
      const nodeId = nodeByLabel.get(probe.label.trim().toLowerCase())
      return {
        label: probe.label,
        ...(nodeId ? { nodeId } : {}),
        quality: probe.quality,
        inferredMastery: probe.inferred,
      }
    }),
    settings: row.settings as unknown as ArcSettings,
  }
}

/** Arcs newest first; `cursor` is the last one of the page before. */
export async function listArcs(
  db: DbOrTrx,
  filter: { phase?: string; learnerId?: string; limit: number; cursor?: string },
): Promise<ArcRow[]> {
  let query = db
    .selectFrom('arcs')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
  if (filter.phase) query = query.where('phase', '=', filter.phase)
  if (filter.learnerId) query = query.where('learner_id', '=', filter.learnerId)
  if (filter.cursor) {
    query = query.where(
      sql<boolean>`(started_at, id) < (select started_at, id from arcs where id = ${filter.cursor})`,
    )
  }
  return query.execute()
}
