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
