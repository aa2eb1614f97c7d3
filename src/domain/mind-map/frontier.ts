import { type MapOf, prerequisiteGraph } from './graph.ts'
import { isSkipped, type MindMap, type MindMapNode, type UnlockAt } from './mind-map.ts'
import { byDepthEffortLabel, bySequence } from './node-order.ts'

/** Whether a prerequisite lets its dependants through: known far enough, placed by the diagnosis, or skipped. */
export function isMet(node: MindMapNode, unlockAt: UnlockAt): boolean {
  if (isSkipped(node) || node.masteryStatus === 'mastered') return true
  return unlockAt === 'reviewing' && (node.masteryStatus === 'reviewing' || isPlaced(node))
}

/** Whether the diagnosis says that the concept is known, and no check has said otherwise yet. */
export function isPlaced({ metadata, masteryStatus }: MindMapNode): boolean {
  const isOver = masteryStatus === 'reviewing' || masteryStatus === 'mastered'
  return metadata.placed === true && !isOver
}

/**
 * The concepts that can be learned now (seed 000 D1): not yet at reviewing, not skipped, every
 * prerequisite met; by depth, then effort, then label.
 */
export function frontier<N extends MindMapNode>(map: MapOf<N>, unlockAt: UnlockAt): N[] {
  const { parents } = prerequisiteGraph(map)
  const met = new Set(map.nodes.filter((node) => isMet(node, unlockAt)).map((node) => node.id))
  return map.nodes
    .filter((node) => isOpen(node) && (parents.get(node.id) ?? []).every((id) => met.has(id)))
    .sort(byDepthEffortLabel)
}

function isOpen(node: MindMapNode): boolean {
  if (isSkipped(node)) return false
  const { masteryStatus } = node
  return masteryStatus === 'unseen' || masteryStatus === 'diagnosed' || masteryStatus === 'learning'
}

/**
 * The frontier node of lowest sequence that is not placed, else the first placed one; one without a sequence last. Null
 * when the frontier is empty or the map is not active (seed 001, next-node selection).
 */
export function nextNode<N extends MindMapNode>(
  map: MapOf<N> & Pick<MindMap, 'status'>,
  unlockAt: UnlockAt,
): N | null {
  if (map.status !== 'active') return null
  const open = frontier(map, unlockAt).sort(bySequence)
  const toLearn = unlockAt === 'reviewing' ? open.find((node) => !isPlaced(node)) : undefined
  return toLearn ?? open[0] ?? null
}

/** The placed concepts that can be checked now, in the order of the map. */
export function checkable<N extends MindMapNode>(
  map: MapOf<N> & Pick<MindMap, 'status'>,
  unlockAt: UnlockAt,
): N[] {
  if (map.status !== 'active' || unlockAt !== 'reviewing') return []
  return frontier(map, unlockAt).filter(isPlaced).sort(bySequence)
}

/** A map is complete when every node that is neither optional nor skipped is mastered. */
export function isComplete(map: Pick<MindMap, 'nodes'>): boolean {
  return (
    map.nodes.length > 0 &&
    map.nodes.every(
      ({ masteryStatus, metadata }) =>
        masteryStatus === 'mastered' || metadata.optional === true || metadata.skipped === true,
    )
  )
}
