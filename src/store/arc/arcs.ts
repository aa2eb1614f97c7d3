import { randomUUID } from 'node:crypto'
import { type Insertable, type Selectable, sql } from 'kysely'
import type {
  ArcPhase,
  ArcSettings,
  ArcView,
  ChangeArc,
  PendingQuestion,
} from '../../contracts/arc.ts'
import { workflowId } from '../../contracts/temporal.ts'
import { shownOf } from '../../domain/answers/program.ts'
import { writtenKind } from '../../domain/answers/reading.ts'
import { isTerminal } from '../../domain/arc/phase.ts'
import { type Progress, progressOf } from '../../domain/mastery/band.ts'
import { labelKey } from '../../domain/mind-map/label.ts'
import { agendaInsert } from '../agenda/entity.ts'
import type { Db, DbOrTrx, Trx } from '../database.ts'
import { tellNewArc } from '../memory.ts'
import type { Database } from '../schema.ts'
import { type EntityToWake, entityInsert } from '../spine/entities.ts'
import { appendEvents } from '../spine/events.ts'
import { openPractice } from './asked.ts'

export type ArcRow = Selectable<Database['arcs']>

export interface NewArc {
  learnerId: string
  topic: string
  goal: string | null
  courseId: string | null
  goalUnitIds: string[]
  tutor: 'anthropic' | 'offline'
  settings: ArcSettings
  /** Where it is not made here: who begins it twice under one id begins it once. */
  id?: string
}

/** Creates the arc, its empty mind map and where they stand in one transaction. */
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
    return insertArc(trx, {
      mind_map_id: map.id,
      learner_id: arc.learnerId,
      topic: arc.topic,
      goal: arc.goal,
      course_id: arc.courseId,
      goal_unit_ids: JSON.stringify(arc.goalUnitIds),
      tutor: arc.tutor,
      settings: JSON.stringify(arc.settings),
      phase: 'PENDING',
      ...(arc.id === undefined ? {} : { id: arc.id }),
    })
  })
}

/** Stores an arc whose map is there, as an entity that has not begun yet; with the first one comes the learner's agenda. */
export async function insertArc(
  trx: Trx,
  values: Omit<Insertable<Database['arcs']>, 'id'> & { phase: ArcPhase; id?: string },
): Promise<ArcRow> {
  const { id = randomUUID(), learner_id: learnerId, course_id: courseId = null, phase } = values
  const workflow = workflowId.arc(id)
  await agendaInsert(trx, learnerId).execute()
  await entityInsert(trx, {
    id,
    product: 'arc',
    workflowId: workflow,
    learnerId,
    courseId,
  }).execute()
  const row = await trx
    .insertInto('arcs')
    .values({ ...values, id })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellNewArc(trx, row)
  await appendEvents(trx, id, [{ type: 'phase', data: { phase, subPhase: null } }])
  return row
}

/** Changes what the learner calls the arc, whether it is out of the way, and what comes after mastery. */
export async function changeArc(
  db: Db,
  arcId: string,
  { title, archived, onMastered }: ChangeArc,
): Promise<ArcRow> {
  return db
    .updateTable('arcs')
    .set({
      updated_at: new Date(),
      ...(title === undefined ? {} : { title }),
      ...(archived === undefined ? {} : { archived }),
      ...(onMastered === undefined
        ? {}
        : { settings: sql`settings || jsonb_build_object('onMastered', ${onMastered}::text)` }),
    })
    .where('id', '=', arcId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** What wakes the workflow of an arc. */
export const arcToWake = ({ id, learner_id, course_id }: ArcRow): EntityToWake => ({
  id,
  product: 'arc',
  workflow_id: workflowId.arc(id),
  learner_id,
  course_id,
})

export async function findArc(db: DbOrTrx, arcId: string): Promise<ArcRow | null> {
  return (await arcById(db, arcId).executeTakeFirst()) ?? null
}

/** The read of one arc. */
export const arcById = (db: DbOrTrx, arcId: string) =>
  db.selectFrom('arcs').selectAll().where('id', '=', arcId)

/** The open question as the learner sees it, without its key. */
export async function readPendingQuestion(
  db: DbOrTrx,
  questionId: string | null,
): Promise<PendingQuestion | null> {
  if (questionId === null) return null
  const row = await db
    .selectFrom('arc_questions')
    .select(['id', 'kind', 'text', 'format', 'options', 'answer_key', 'node_id'])
    .select(['attempt', 'hints', 'hints_given'])
    .where('id', '=', questionId)
    .executeTakeFirst()
  return row ? pendingQuestionView(row) : null
}

/** Whether a learner's message is still being answered: until then nothing is asked. */
export async function isAnswering(db: DbOrTrx, arcId: string): Promise<boolean> {
  const message = await db
    .selectFrom('inbox')
    .select('id')
    .where('entity_id', '=', arcId)
    .where('type', '=', 'message')
    .where('answered_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return message !== undefined
}

/** Whether the learner ended the sitting, and has not begun another. */
async function isResting(db: DbOrTrx, arcId: string): Promise<boolean> {
  const entity = await db
    .selectFrom('entities')
    .select(
      sql<boolean>`coalesce((state -> 'sitting' ->> 'resting')::boolean, false)`.as('resting'),
    )
    .where('id', '=', arcId)
    .executeTakeFirst()
  return entity?.resting ?? false
}

/** A question as its view is made of it: of the key, only the examples of a program are shown. */
export type AskedRow = Pick<
  Selectable<Database['arc_questions']>,
  | 'id'
  | 'kind'
  | 'text'
  | 'format'
  | 'options'
  | 'answer_key'
  | 'node_id'
  | 'attempt'
  | 'hints'
  | 'hints_given'
>

/** A question as the learner sees it. */
export const pendingQuestionView = ({
  id,
  kind,
  text,
  format,
  options,
  answer_key,
  node_id,
  attempt,
  hints,
  hints_given,
}: AskedRow): PendingQuestion => ({
  id,
  kind,
  text,
  format,
  attempt: attempt === 2 ? 2 : 1,
  hintsLeft: hintsLeft(kind, hints.length, hints_given),
  ...(options ? { options } : {}),
  ...shownOf(answer_key),
  ...writtenKind(answer_key),
  ...(node_id ? { nodeId: node_id } : {}),
})

/** How many hints a question still has; those that only locate the learner have none. */
const hintsLeft = (kind: string, hints: number, given: number): number =>
  kind === 'diagnostic' || kind === 'choice' ? 0 : Math.max(0, hints - given)

const NOTHING: Progress = { learned: 0, inMemory: 0, mastered: 0, total: 0 }

async function readProgress(db: DbOrTrx, mindMapIds: string[]): Promise<Map<string, Progress>> {
  if (mindMapIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('mind_map_nodes')
    .select(['mind_map_id', 'mastery_status as masteryStatus', 'repetitions'])
    .select(sql<boolean>`coalesce((metadata ->> 'placed')::boolean, false)`.as('placed'))
    .select(sql<number>`count(*)::int`.as('count'))
    .where('mind_map_id', 'in', mindMapIds)
    .groupBy(['mind_map_id', 'mastery_status', 'repetitions', 'placed'])
    .execute()
  const byMap = Map.groupBy(rows, ({ mind_map_id }) => mind_map_id)
  return new Map([...byMap].map(([id, groups]) => [id, progressOf(groups)]))
}

/** Arcs as the API shows them, in the order of the rows. */
export async function arcViews(db: DbOrTrx, rows: readonly ArcRow[]): Promise<ArcView[]> {
  const progress = await readProgress(
    db,
    rows.map((row) => row.mind_map_id),
  )
  return Promise.all(rows.map((row) => arcView(db, row, progress.get(row.mind_map_id) ?? NOTHING)))
}

async function arcView(db: DbOrTrx, row: ArcRow, progress: Progress): Promise<ArcView> {
  const { mastered, total } = progress
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
  const practice = isTerminal(row.phase as ArcPhase)
    ? null
    : await openPractice(db, row.id).select('external_session_id').executeTakeFirst()
  const nodeByLabel = new Map(nodes.map((n) => [labelKey(n.label), n.id]))
  return {
    arcId: row.id,
    mindMapId: row.mind_map_id,
    topic: row.topic,
    title: row.title,
    archived: row.archived,
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
    progress,
    workflowId: workflowId.arc(row.id),
    pendingQuestion: (await isAnswering(db, row.id))
      ? null
      : await readPendingQuestion(db, row.pending_question),
    blocked: row.blocked,
    paused: row.paused,
    resting: await isResting(db, row.id),
    ...(practice ? { practiceSessionId: practice.external_session_id } : {}),
    diagnosticResults: (diagnosis?.probes ?? []).map((probe) => {
      const nodeId = nodeByLabel.get(labelKey(probe.label))
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
