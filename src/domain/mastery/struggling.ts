import { descendants, prerequisiteGraph } from '../mind-map/graph.ts'
import type { MasteryStatus, MindMap } from '../mind-map/mind-map.ts'
import { masteryScore } from './score.ts'
import { emptyHistory, type NodeHistory } from './status.ts'

export type StrugglingReason = 'consecutive_low_quality' | 'declining_score'

const LATEST = 3
const LOW_QUALITY = 2
const DECLINING_BELOW = 0.7
/** A part of a map struggles from so many struggling nodes on. */
export const STRUGGLING_IN_SUBTREE = 2

/**
 * Why a node struggles, empty when it does not; a mastered node never does. The score declines
 * when each of the last three teach and review responses lowered it, which takes a fourth before
 * them, and it is now below 0.7.
 */
export function strugglingReasons(status: MasteryStatus, history: NodeHistory): StrugglingReason[] {
  if (status === 'mastered') return []
  const reasons: StrugglingReason[] = []
  if (history.recent.length === LATEST && history.recent.every((q) => q <= LOW_QUALITY)) {
    reasons.push('consecutive_low_quality')
  }
  if (isDeclining(history)) reasons.push('declining_score')
  return reasons
}

function isDeclining({ graded }: NodeHistory): boolean {
  if (graded.length <= LATEST) return false
  const qualities = graded.map(({ quality }) => quality)
  const [before, first, second, now] = [3, 2, 1, 0].map((back) =>
    masteryScore(qualities.slice(0, qualities.length - back)),
  ) as [number, number, number, number]
  return before > first && first > second && second > now && now < DECLINING_BELOW
}

export interface Struggles {
  nodes: { nodeId: string; label: string; reasons: StrugglingReason[] }[]
  /** Children of the root with two struggling nodes at or below them. */
  subtrees: string[]
}

/** What is hard in a map, and why; histories by node id. */
export function struggles(
  map: MindMap,
  histories: Readonly<Record<string, NodeHistory>>,
): Struggles {
  const nodes = map.nodes.flatMap(({ id, label, masteryStatus }) => {
    const reasons = strugglingReasons(masteryStatus, histories[id] ?? emptyHistory())
    return reasons.length > 0 ? [{ nodeId: id, label, reasons }] : []
  })
  return { nodes, subtrees: strugglingSubtrees(map, new Set(nodes.map(({ nodeId }) => nodeId))) }
}

/** The nodes of a map that struggle. */
export function strugglingNodes(
  map: MindMap,
  histories: Readonly<Record<string, NodeHistory>>,
): string[] {
  return struggles(map, histories).nodes.map(({ nodeId }) => nodeId)
}

/** The children of the root that have two struggling nodes at or below them. */
export function strugglingSubtrees(map: MindMap, struggling: ReadonlySet<string>): string[] {
  if (map.rootNodeId === null) return []
  const graph = prerequisiteGraph(map)
  return (graph.children.get(map.rootNodeId) ?? []).filter((child) => {
    const found = [...descendants(graph, [child])].filter((id) => struggling.has(id))
    return found.length >= STRUGGLING_IN_SUBTREE
  })
}
