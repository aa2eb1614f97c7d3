import { type CompiledQuery, type Expression, type Selectable, sql } from 'kysely'
import { emptyHistory, type NodeHistory, recordMark } from '../../domain/mastery/status.ts'
import type { MindMap, MindMapEdge, MindMapNode } from '../../domain/mind-map/mind-map.ts'
import type { DbOrTrx } from '../database.ts'
import type { Database } from '../schema.ts'

const ms = (time: Date | null): number | null => (time === null ? null : time.getTime())
const date = (time: number | null): Date | null => (time === null ? null : new Date(time))

/** The map with its nodes (by sequence, then label) and edges, or null. */
export async function readMap(db: DbOrTrx, mindMapId: string): Promise<MindMap | null> {
  const [map, nodes, edges] = mapReads(db, mindMapId)
  return mapOf(...(await Promise.all([map.execute(), nodes.execute(), edges.execute()])))
}

/** A concept with what is said of it; `inferred` is the chance that it was known, null if unknown. */
export interface DescribedNode extends MindMapNode {
  description: string
  inferred: number | null
}

export interface DescribedMap extends MindMap {
  nodes: DescribedNode[]
}

/** As `readMap`, with the texts of its nodes. */
export async function readDescribedMap(
  db: DbOrTrx,
  mindMapId: string,
): Promise<DescribedMap | null> {
  const [map, nodes, edges] = mapReads(db, mindMapId)
  const rows = await Promise.all([map.execute(), nodes.execute(), edges.execute()])
  const read = mapOf(...rows)
  if (!read) return null
  const texts = rows[1].map(({ description, inferred }) => ({
    description: description ?? '',
    inferred,
  }))
  const described = read.nodes.map((node, index) => ({
    ...node,
    ...(texts[index] ?? { description: '', inferred: null }),
  }))
  return { ...read, nodes: described }
}

/** What is read of a map: the map, its nodes, its edges. */
export function mapReads(db: DbOrTrx, mindMapId: string | Expression<string>) {
  return [
    db.selectFrom('mind_maps').select(['id', 'status', 'root_node_id']).where('id', '=', mindMapId),
    db
      .selectFrom('mind_map_nodes')
      .selectAll()
      .where('mind_map_id', '=', mindMapId)
      .orderBy('sequence')
      .orderBy('label'),
    db
      .selectFrom('mind_map_edges')
      .select(['parent_node_id', 'child_node_id', 'edge_type'])
      .where('mind_map_id', '=', mindMapId)
      .orderBy('parent_node_id')
      .orderBy('child_node_id'),
  ] as const
}

type MapRow = Pick<Selectable<Database['mind_maps']>, 'id' | 'status' | 'root_node_id'>
type NodeRow = Selectable<Database['mind_map_nodes']>
type EdgeRow = Pick<
  Selectable<Database['mind_map_edges']>,
  'parent_node_id' | 'child_node_id' | 'edge_type'
>

/** The map of the rows that `mapReads` found, or null. */
export function mapOf(
  [map]: readonly MapRow[],
  nodes: readonly NodeRow[],
  edges: readonly EdgeRow[],
): MindMap | null {
  if (!map) return null
  return {
    id: map.id,
    status: map.status,
    rootNodeId: map.root_node_id,
    nodes: nodes.map(
      (row): MindMapNode => ({
        id: row.id,
        label: row.label,
        unitId: row.unit_id,
        depth: row.depth,
        sequence: row.sequence,
        effortMinutes: row.effort_minutes ?? 1,
        masteryStatus: row.mastery_status,
        masteryScore: row.mastery_score,
        easeFactor: row.ease_factor,
        repetitions: row.repetitions,
        intervalDays: row.interval_days,
        nextReviewAt: ms(row.next_review_at),
        lastReviewedAt: ms(row.last_reviewed_at),
        masteredAt: ms(row.mastered_at),
        metadata: row.metadata,
      }),
    ),
    edges: edges.map((row) => ({
      parentNodeId: row.parent_node_id,
      childNodeId: row.child_node_id,
      edgeType: row.edge_type,
    })),
  }
}

const nodeRow = (mindMapId: string, node: MindMapNode) => ({
  id: node.id,
  mind_map_id: mindMapId,
  label: node.label,
  unit_id: node.unitId,
  depth: node.depth,
  sequence: node.sequence,
  effort_minutes: node.effortMinutes,
  mastery_status: node.masteryStatus,
  mastery_score: node.masteryScore,
  ease_factor: node.easeFactor,
  repetitions: node.repetitions,
  interval_days: node.intervalDays,
  next_review_at: date(node.nextReviewAt),
  last_reviewed_at: date(node.lastReviewedAt),
  mastered_at: date(node.masteredAt),
  metadata: JSON.stringify(node.metadata),
})

interface NodeTexts {
  descriptions?: Map<string, string>
  inferred?: Map<string, number>
}

/**
 * Writes nodes as they are now, new ones included, in one statement; there must be nodes.
 * `texts` gives descriptions (and inferred mastery) of new nodes by id.
 */
export function nodesUpsert(
  db: DbOrTrx,
  mindMapId: string,
  nodes: readonly MindMapNode[],
  texts: NodeTexts = {},
) {
  return db
    .insertInto('mind_map_nodes')
    .values(
      nodes.map((node) => ({
        ...nodeRow(mindMapId, node),
        description: texts.descriptions?.get(node.id) ?? null,
        inferred: texts.inferred?.get(node.id) ?? null,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((row) => ({
        depth: row.ref('excluded.depth'),
        sequence: row.ref('excluded.sequence'),
        mastery_status: row.ref('excluded.mastery_status'),
        mastery_score: row.ref('excluded.mastery_score'),
        ease_factor: row.ref('excluded.ease_factor'),
        repetitions: row.ref('excluded.repetitions'),
        interval_days: row.ref('excluded.interval_days'),
        next_review_at: row.ref('excluded.next_review_at'),
        last_reviewed_at: row.ref('excluded.last_reviewed_at'),
        mastered_at: row.ref('excluded.mastered_at'),
        metadata: row.ref('excluded.metadata'),
        updated_at: sql<Date>`now()`,
      })),
    )
}

/** Adds edges, of which there must be some; a relation may become a prerequisite, a prerequisite never becomes a relation. */
export function edgesInsert(db: DbOrTrx, mindMapId: string, edges: readonly MindMapEdge[]) {
  return db
    .insertInto('mind_map_edges')
    .values(
      edges.map((edge) => ({
        mind_map_id: mindMapId,
        parent_node_id: edge.parentNodeId,
        child_node_id: edge.childNodeId,
        edge_type: edge.edgeType,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['parent_node_id', 'child_node_id'])
        .doUpdateSet({ edge_type: 'prerequisite' })
        .where('excluded.edge_type', '=', 'prerequisite'),
    )
}

interface ResponseRow {
  node_id: string
  quality: number
  response_type: 'diagnostic' | 'teach' | 'review'
}

/** The read of what mastery remembers of those nodes: their latest responses, oldest first. */
export const historiesRead = (db: DbOrTrx, nodes: Expression<string>): CompiledQuery<ResponseRow> =>
  sql<ResponseRow>`
  select node_id, quality, response_type
  from (
    select node_id, quality, response_type, position,
           row_number() over (partition by node_id order by position desc) as newest,
           row_number() over (partition by node_id, response_type order by position desc) as newest_of_type
    from quiz_responses
    where node_id in (${nodes})
  ) as responses
  where newest <= 8 or newest_of_type <= 8
  order by position
`.compile(db)

/** What mastery remembers of each node, rebuilt from the rows that `historiesRead` found. */
export function historiesOf(rows: readonly ResponseRow[]): Record<string, NodeHistory> {
  const histories: Record<string, NodeHistory> = {}
  for (const { node_id, quality, response_type: type } of rows) {
    histories[node_id] = recordMark(histories[node_id] ?? emptyHistory(), { quality, type })
  }
  return histories
}

/** What mastery remembers of each node of a map. */
export async function readHistories(
  db: DbOrTrx,
  mindMapId: string,
): Promise<Record<string, NodeHistory>> {
  const nodes = sql<string>`select id from mind_map_nodes where mind_map_id = ${mindMapId}`
  return historiesOf((await db.executeQuery(historiesRead(db, nodes))).rows)
}
