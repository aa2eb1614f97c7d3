import { type Selectable, sql } from 'kysely'
import type { UnlockAt } from '../../domain/mind-map/mind-map.ts'
import type { DbOrTrx } from '../database.ts'
import type { Database } from '../schema.ts'

export type NodeRow = Selectable<Database['mind_map_nodes']>

/** UTF-8 sorts by code point as bytes, whatever the database's locale. */
const byDepthEffortLabel = sql`n.depth, n.effort_minutes nulls last, n.label collate "C"`

const isFrontier = (mapId: string, unlockAt: UnlockAt) => sql`
  n.mind_map_id = ${mapId}
  and n.mastery_status in ('unseen', 'diagnosed', 'learning')
  and not n.metadata @> '{"skipped": true}'
  and not exists (
    select 1 from mind_map_edges e join mind_map_nodes p on p.id = e.parent_node_id
    where e.child_node_id = n.id and e.edge_type = 'prerequisite'
      and p.mastery_status <> 'mastered'
      and not (p.mastery_status = 'reviewing' and ${unlockAt} = 'reviewing')
      and not p.metadata @> '{"skipped": true}'
  )`

/**
 * The concepts that can be learned now (seed 000 D1): every prerequisite meets `unlockAt`, by
 * depth, then effort, then label.
 */
export async function frontierRows(
  db: DbOrTrx,
  mapId: string,
  unlockAt: UnlockAt,
): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select n.* from mind_map_nodes n
    where ${isFrontier(mapId, unlockAt)} order by ${byDepthEffortLabel}
  `.execute(db)
  return rows
}

/** The frontier node of lowest sequence; null when there is none or the map is not active. */
export async function nextNodeRow(
  db: DbOrTrx,
  mapId: string,
  unlockAt: UnlockAt,
): Promise<NodeRow | null> {
  const { rows } = await sql<NodeRow>`
    select n.* from mind_map_nodes n
    where (select status from mind_maps where id = ${mapId}) = 'active'
      and ${isFrontier(mapId, unlockAt)}
    order by n.sequence nulls last, ${byDepthEffortLabel} limit 1
  `.execute(db)
  return rows[0] ?? null
}

/** Everything that builds on a node, itself not included, by depth, then effort, then label. */
export async function subtreeRows(db: DbOrTrx, nodeId: string): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    with recursive below (id) as (
      select child_node_id from mind_map_edges
      where parent_node_id = ${nodeId} and edge_type = 'prerequisite'
      union
      select e.child_node_id from mind_map_edges e join below on e.parent_node_id = below.id
      where e.edge_type = 'prerequisite'
    )
    select n.* from mind_map_nodes n join below using (id) order by ${byDepthEffortLabel}
  `.execute(db)
  return rows
}

/** The nodes of a map in learning order; those without a place come last, by depth and effort. */
export async function nodeRows(db: DbOrTrx, mapId: string): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select n.* from mind_map_nodes n where n.mind_map_id = ${mapId}
    order by n.sequence nulls last, ${byDepthEffortLabel}
  `.execute(db)
  return rows
}

/** One node, or null. */
export async function findNode(db: DbOrTrx, nodeId: string): Promise<NodeRow | null> {
  const row = await db
    .selectFrom('mind_map_nodes')
    .selectAll()
    .where('id', '=', nodeId)
    .executeTakeFirst()
  return row ?? null
}

/** How many nodes and edges a map has. */
export async function mapSize(
  db: DbOrTrx,
  mapId: string,
): Promise<{ nodeCount: number; edgeCount: number }> {
  const { rows } = await sql<{ nodeCount: number; edgeCount: number }>`
    select (select count(*)::int from mind_map_nodes where mind_map_id = ${mapId}) as "nodeCount",
           (select count(*)::int from mind_map_edges where mind_map_id = ${mapId}) as "edgeCount"
  `.execute(db)
  return rows[0] ?? { nodeCount: 0, edgeCount: 0 }
}
