import { prerequisiteGraph } from './graph.ts'
import type { MindMap, MindMapNode } from './mind-map.ts'

/** A concept joined to this one, or sharing a prerequisite with it, that is in review or mastered; the one seen longest ago. */
export function neighbourOf(
  map: MindMap,
  nodeId: string,
  except: readonly string[] = [],
): MindMapNode | null {
  const { parents, children } = prerequisiteGraph(map)
  const related = map.edges
    .filter(({ parentNodeId, childNodeId }) => [parentNodeId, childNodeId].includes(nodeId))
    .flatMap(({ parentNodeId, childNodeId }) => [parentNodeId, childNodeId])
  const siblings = (parents.get(nodeId) ?? []).flatMap((parent) => children.get(parent) ?? [])
  const near = new Set([...related, ...siblings])
  const [neighbour = null] = map.nodes
    .filter(({ id }) => near.has(id) && id !== nodeId && !except.includes(id))
    .filter(({ masteryStatus: status }) => status === 'reviewing' || status === 'mastered')
    .sort((a, b) => (a.lastReviewedAt ?? 0) - (b.lastReviewedAt ?? 0))
  return neighbour
}
