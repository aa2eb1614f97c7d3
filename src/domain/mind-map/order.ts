import { frontier } from './frontier.ts'
import { type Graph, prerequisiteGraph } from './graph.ts'
import { compareLabels } from './label.ts'
import { isSkipped, type MindMap, type MindMapNode, type UnlockAt } from './mind-map.ts'

/**
 * The learning order of a map (seed 001, topological sort with tie-breaking), 1..N without gaps:
 * (a) mastered nodes by `masteredAt`, (b) reviewing nodes, (c) nodes available now, (d) the rest;
 * (b) and (d) in Kahn's order. The same graph and state always give the same order.
 */
export function sequenceOf(
  map: Pick<MindMap, 'nodes' | 'edges'>,
  unlockAt: UnlockAt,
): Map<string, number> {
  const graph = prerequisiteGraph(map)
  const ranked = [...map.nodes].sort(byPriority)
  const mastered = ranked.filter((node) => node.masteryStatus === 'mastered').sort(byMasteredAt)
  const reviewing = ranked.filter((node) => node.masteryStatus === 'reviewing')
  const open = new Set(frontier(map, unlockAt).map((node) => node.id))
  const available = ranked.filter((node) => open.has(node.id))
  const placed = new Set([...mastered, ...reviewing, ...available])
  const rest = ranked.filter((node) => !placed.has(node))

  const order = [
    ...mastered.map((node) => node.id),
    ...kahn(graph, reviewing),
    ...available.map((node) => node.id),
    ...kahn(graph, rest),
  ]
  return new Map(order.map((id, index) => [id, index + 1]))
}

/** The map with `sequence` set by `sequenceOf`; nodes whose place is unchanged keep their identity. */
export function withSequence(map: MindMap, unlockAt: UnlockAt): MindMap {
  const sequence = sequenceOf(map, unlockAt)
  const nodes = map.nodes.map((node) => {
    const place = sequence.get(node.id) ?? null
    return place === node.sequence ? node : { ...node, sequence: place }
  })
  return { ...map, nodes }
}

function byMasteredAt(a: MindMapNode, b: MindMapNode): number {
  const first = a.masteredAt ?? Number.MAX_SAFE_INTEGER
  const second = b.masteredAt ?? Number.MAX_SAFE_INTEGER
  return first - second
}

function byPriority(a: MindMapNode, b: MindMapNode): number {
  return (
    Number(isAside(a)) - Number(isAside(b)) ||
    a.depth - b.depth ||
    placeInCourse(a) - placeInCourse(b) ||
    a.effortMinutes - b.effortMinutes ||
    Number(isFresh(a)) - Number(isFresh(b)) ||
    compareLabels(a.label, b.label)
  )
}

function isAside(node: MindMapNode): boolean {
  return node.metadata.optional === true || isSkipped(node)
}

/** A concept without a place, added on a re-plan, comes behind those of its depth that have one. */
function placeInCourse({ metadata }: MindMapNode): number {
  return metadata.position ?? Number.MAX_SAFE_INTEGER
}

function isFresh(node: MindMapNode): boolean {
  return node.masteryStatus === 'unseen'
}

/**
 * Kahn's order of the members, which come sorted by priority. The whole graph is walked, so that
 * a prerequisite counts through nodes that are not members; those pass ahead of every member.
 */
function kahn(graph: Graph, members: readonly MindMapNode[]): string[] {
  const rank = new Map(members.map((node, index) => [node.id, index]))
  const waiting = new Map(graph.ids.map((id) => [id, graph.parents.get(id)?.length ?? 0]))
  const passing = graph.ids.filter((id) => waiting.get(id) === 0 && !rank.has(id))
  const ready = graph.ids.filter((id) => waiting.get(id) === 0 && rank.has(id))
  const byRank = (a: string, b: string) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0)
  const order: string[] = []

  for (;;) {
    let next = passing.pop()
    if (next === undefined) {
      next = ready.sort(byRank).shift()
      if (next === undefined) return order
      order.push(next)
    }
    for (const child of graph.children.get(next) ?? []) {
      const left = (waiting.get(child) ?? 0) - 1
      waiting.set(child, left)
      if (left === 0) (rank.has(child) ? ready : passing).push(child)
    }
  }
}
