import { mayAll } from '../commands/access.ts'
import { type ArcRow, findArc } from '../store/arc/arcs.ts'
import { readDescribedMap } from '../store/maps/rows.ts'
import { findMap, GraphRefusal, mapOfNode, type StoredMap } from '../store/maps/stored-map.ts'
import type { ToolContext } from './tool.ts'

/** The map, if it exists and the caller may see it; anything else is not found. */
export async function requireMap(context: ToolContext, mapId: string): Promise<StoredMap> {
  const { actor, db } = context
  const map = await findMap(db, mapId)
  if (map && (mayAll(actor) || map.learnerId === actor.learner.id)) return map
  throw new GraphRefusal('not-found', 'There is no such mind map.')
}

/** The map with its concepts and edges, under the same rule. */
export async function requireWholeMap(context: ToolContext, mapId: string) {
  const stored = await requireMap(context, mapId)
  const map = await readDescribedMap(context.db, mapId)
  if (map) return { ...stored, ...map }
  throw new GraphRefusal('not-found', 'There is no such mind map.')
}

/** The id of a node's map, under the same rule. */
export async function requireNode(context: ToolContext, nodeId: string): Promise<string> {
  const mapId = await mapOfNode(context.db, nodeId)
  if (mapId === null) throw new GraphRefusal('not-found', 'There is no such node.')
  return (await requireMap(context, mapId)).id
}

/** The map and the arc that teaches it. */
export async function requireFlow(context: ToolContext, mapId: string): Promise<ArcRow> {
  const map = await requireMap(context, mapId)
  const arc = map.arcId === null ? null : await findArc(context.db, map.arcId)
  if (arc) return arc
  throw new GraphRefusal('conflict', 'No teaching flow runs on this map.')
}

/**
 * A map that no arc owns: checked before the planner is asked, and again where the map is locked.
 * @throws GraphRefusal naming the arc
 */
export function requireUntaught({ arcId }: StoredMap): void {
  if (arcId === null) return
  throw new GraphRefusal(
    'conflict',
    `Arc ${arcId} teaches this map and alone changes it; talk to the arc instead.`,
  )
}
