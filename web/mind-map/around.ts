import type { MindMapView } from '../../src/contracts/arc.ts'
import { type Concept, neighbours } from './concept.ts'

/** A concept, with some of what it needs and some of what it opens. */
export interface Around {
  before: Concept[]
  centre: Concept
  after: Concept[]
}

/** So many stand side by side in the panel and can still be read. */
const BESIDE = 2

/**
 * The concept in hand, else the next one, else the goal, with its nearest neighbours; of what it opens first what lies on
 * the way to the goal. Null in an empty map.
 */
export function conceptsAround(map: MindMapView, concepts: readonly Concept[]): Around | null {
  const centre =
    concepts.find(({ isCurrent }) => isCurrent) ??
    concepts.find(({ access }) => access === 'next') ??
    concepts.find(({ isGoal }) => isGoal) ??
    concepts[0]
  if (!centre) return null
  const { before, after } = neighbours(map, centre.id)
  const among = (ids: readonly string[]) => concepts.filter(({ id }) => ids.includes(id))
  const opened = among(after).sort((a, b) => Number(b.isOnPath) - Number(a.isOnPath))
  return { before: among(before).slice(-BESIDE), centre, after: opened.slice(0, BESIDE) }
}
