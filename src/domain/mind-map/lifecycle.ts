import { isComplete } from './frontier.ts'
import { prerequisiteGraph } from './graph.ts'
import type { MapStatus, MindMap } from './mind-map.ts'

/** A map is asked for what its status does not allow; callers answer with a conflict. */
export class MapStatusError extends Error {
  readonly status: MapStatus

  constructor(status: MapStatus, action: string) {
    super(`A map that is ${status} cannot ${action}.`)
    this.name = 'MapStatusError'
    this.status = status
  }
}

/**
 * Only active maps are re-planned, reviewed and mastered (seed 001, syllabus lifecycle).
 * @throws MapStatusError naming the status and the action ("be re-planned")
 */
export function requireActive(map: Pick<MindMap, 'status'>, action: string): void {
  if (map.status !== 'active') throw new MapStatusError(map.status, action)
}

/**
 * Completed and abandoned maps change no more; a map in creation still may.
 * @throws MapStatusError naming the status and the action
 */
export function requireOpen(map: Pick<MindMap, 'status'>, action: string): void {
  if (map.status === 'completed' || map.status === 'abandoned') {
    throw new MapStatusError(map.status, action)
  }
}

/**
 * The map as it is stored: in creation its root is found, and an active one of which every node that counts is mastered
 * is completed by it (seed 001, syllabus lifecycle).
 */
export function settled(map: MindMap): MindMap {
  if (map.status === 'creation') return { ...map, rootNodeId: rootOf(map) }
  return map.status === 'active' && isComplete(map) ? { ...map, status: 'completed' } : map
}

/** While a map is built its root is the first node that needs nothing; a whole map has just one. */
function rootOf(map: MindMap): string | null {
  const { parents } = prerequisiteGraph(map)
  const needsNothing = (id: string | null) => id !== null && parents.get(id)?.length === 0
  if (needsNothing(map.rootNodeId)) return map.rootNodeId
  return map.nodes.find((node) => needsNothing(node.id))?.id ?? null
}
