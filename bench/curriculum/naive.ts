import { isMet } from '../../src/domain/mind-map/frontier.ts'
import type { MindMap, MindMapNode, UnlockAt } from '../../src/domain/mind-map/mind-map.ts'
import type { ProposedGraph } from '../../src/domain/mind-map/validation.ts'

/**
 * What one writes first: every question is answered by looking through all nodes and all edges
 * again. The results are those of the domain; only the way there is longer.
 */

/** The frontier: for each node its edges, for each edge its parent. */
export function naiveFrontier(map: MindMap, unlockAt: UnlockAt): MindMapNode[] {
  return map.nodes
    .filter(
      (node) =>
        node.metadata.skipped !== true &&
        ['unseen', 'diagnosed', 'learning'].includes(node.masteryStatus) &&
        parentsOf(map, node.id).every((parent) => isMet(parent, unlockAt)),
    )
    .sort(
      (a, b) =>
        a.depth - b.depth || a.effortMinutes - b.effortMinutes || (a.label < b.label ? -1 : 1),
    )
}

/** The next node: the frontier, sorted by sequence. */
export function naiveNextNode(map: MindMap, unlockAt: UnlockAt): MindMapNode | null {
  const byPlace = naiveFrontier(map, unlockAt).sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
  return byPlace[0] ?? null
}

/** The order of a map nobody has worked on: again and again the best node whose parents are placed. */
export function naiveOrder(map: MindMap): string[] {
  const placed: string[] = []
  while (placed.length < map.nodes.length) {
    const ready = map.nodes
      .filter((node) => !placed.includes(node.id))
      .filter((node) => parentsOf(map, node.id).every((parent) => placed.includes(parent.id)))
      .sort(
        (a, b) =>
          a.depth - b.depth || a.effortMinutes - b.effortMinutes || (a.label < b.label ? -1 : 1),
      )
    placed.push(ready[0]?.id ?? '')
  }
  return placed
}

/** Validation: a search from every node for itself, from the root for every node, for every depth. */
export function naiveValidation(graph: ProposedGraph, maxDepth: number): boolean {
  const childrenOf = (label: string) =>
    graph.edges.filter(({ parent }) => parent === label).map(({ child }) => child)
  const reachedFrom = (start: string) => {
    const reached = new Set<string>()
    const waiting = childrenOf(start)
    for (let label = waiting.pop(); label !== undefined; label = waiting.pop()) {
      if (reached.has(label)) continue
      reached.add(label)
      waiting.push(...childrenOf(label))
    }
    return reached
  }
  const depths = new Map([[graph.root, 0]])
  for (let round = 1; round <= graph.nodes.length; round += 1) {
    for (const { parent, child } of graph.edges) {
      depths.set(child, Math.max(depths.get(child) ?? 0, (depths.get(parent) ?? 0) + 1))
    }
  }
  const isUnique = graph.nodes.every(
    ({ label }) => graph.nodes.filter((other) => other.label === label).length === 1,
  )
  return (
    isUnique &&
    graph.nodes.every(({ label }) => !reachedFrom(label).has(label)) &&
    graph.nodes.every(({ label }) => label === graph.root || reachedFrom(graph.root).has(label)) &&
    Math.max(...depths.values()) <= maxDepth
  )
}

function parentsOf(map: MindMap, nodeId: string): MindMapNode[] {
  return map.edges
    .filter(({ childNodeId, edgeType }) => childNodeId === nodeId && edgeType === 'prerequisite')
    .flatMap(({ parentNodeId }) => map.nodes.find(({ id }) => id === parentNodeId) ?? [])
}
