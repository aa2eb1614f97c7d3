import { addConcepts } from './building.ts'
import { frontier } from './frontier.ts'
import { prerequisiteGraph } from './graph.ts'
import { compareLabels } from './label.ts'
import { requireActive } from './lifecycle.ts'
import type { MindMap, MindMapNode, UnlockAt } from './mind-map.ts'
import { withSequence } from './order.ts'
import type { Additions, MapLimits } from './validation.ts'
import type { Violation } from './violation.ts'

const SKIPPABLE_SCORE = 0.9

/** What a path planner suggests to a re-plan, and what it needs to be taken. */
export interface Advice {
  additions: Additions
  limits: MapLimits
  ids: () => string
}

export interface Replanned {
  /** The map itself when nothing changed; unchanged nodes keep their identity. */
  map: MindMap
  descriptions: { nodeId: string; description: string }[]
  /** Why the advice was dropped whole; empty when it was taken or there was none. */
  refused: Violation[]
}

/**
 * Re-plans a map (seed 001): takes valid advice, marks mastered nodes of a score of at least 0.9
 * skippable (and none other), and orders the map anew. Never deletes or edits an edge; with
 * nothing changed it changes nothing.
 * @throws MapStatusError when the map is not active
 */
export function replan(map: MindMap, unlockAt: UnlockAt, advice?: Advice): Replanned {
  requireActive(map, 'be re-planned')
  const added = advice && addConcepts(map, advice.additions, advice.limits, advice.ids)
  const grown = added?.ok ? added.map : map
  const next = withSequence({ ...grown, nodes: grown.nodes.map(markSkippable) }, unlockAt)
  const same = grown === map && next.nodes.every((node, index) => node === map.nodes[index])
  return {
    map: same ? map : next,
    descriptions: added?.ok ? added.descriptions : [],
    refused: added && !added.ok ? added.violations : [],
  }
}

function markSkippable(node: MindMapNode): MindMapNode {
  const skippable = node.masteryStatus === 'mastered' && node.masteryScore >= SKIPPABLE_SCORE
  if (skippable === (node.metadata.skippable === true)) return node
  const { skippable: _, ...metadata } = node.metadata
  return { ...node, metadata: skippable ? { ...metadata, skippable } : metadata }
}

/**
 * Puts a node directly behind the other frontier nodes, when its cycles are spent and nothing can
 * be added; the nodes between move up by one.
 * @throws MapStatusError when the map is not active
 */
export function deferBehindFrontier(map: MindMap, nodeId: string, unlockAt: UnlockAt): MindMap {
  requireActive(map, 'be reordered')
  const from = map.nodes.find((node) => node.id === nodeId)?.sequence ?? null
  const last = Math.max(0, ...frontier(map, unlockAt).map((node) => node.sequence ?? 0))
  if (from === null || last <= from) return map
  const nodes = map.nodes.map((node) => {
    if (node.id === nodeId) return { ...node, sequence: last }
    const moves = node.sequence !== null && node.sequence > from && node.sequence <= last
    return moves ? { ...node, sequence: (node.sequence ?? 0) - 1 } : node
  })
  return { ...map, nodes }
}

/** The direct prerequisite of the lowest score, deepest first among equals; null at the root. */
export function weakestPrerequisite(
  map: Pick<MindMap, 'nodes' | 'edges'>,
  nodeId: string,
): MindMapNode | null {
  const parents = new Set(prerequisiteGraph(map).parents.get(nodeId) ?? [])
  const [weakest] = map.nodes
    .filter((node) => parents.has(node.id))
    .sort(
      (a, b) =>
        a.masteryScore - b.masteryScore || b.depth - a.depth || compareLabels(a.label, b.label),
    )
  return weakest ?? null
}
