import type { MindMap, MindMapEdge, MindMapNode } from './mind-map.ts'
import { byDepthEffortLabel } from './node-order.ts'
import {
  cycleViolation,
  depthViolation,
  MapRuleError,
  quoted,
  selfLoopViolation,
} from './violation.ts'

/** Nodes and edges; the nodes may carry more than the rules read. */
export interface MapOf<N extends MindMapNode> {
  nodes: readonly N[]
  edges: readonly MindMapEdge[]
}

/** Prerequisite edges by either end; every id has an entry in both maps. */
export interface Graph {
  ids: readonly string[]
  parents: ReadonlyMap<string, readonly string[]>
  children: ReadonlyMap<string, readonly string[]>
}

/** The graph over `ids`. A pair is (parent, child); one with an unknown end is left out, a repeat too. */
export function graphFrom(
  ids: readonly string[],
  pairs: Iterable<readonly [string, string]>,
): Graph {
  const parents = new Map<string, string[]>(ids.map((id) => [id, []]))
  const children = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]))
  for (const [parent, child] of pairs) {
    const below = children.get(parent)
    const above = parents.get(child)
    if (!below || !above || below.has(child)) continue
    below.add(child)
    above.push(parent)
  }
  return {
    ids: [...parents.keys()],
    parents,
    children: new Map([...children].map(([id, below]) => [id, [...below]])),
  }
}

/** The prerequisite edges of a map; `related` edges are no part of its graph. */
export function prerequisiteGraph(map: MapOf<MindMapNode>): Graph {
  return graphFrom(
    map.nodes.map((node) => node.id),
    map.edges
      .filter((edge) => edge.edgeType === 'prerequisite')
      .map((edge) => [edge.parentNodeId, edge.childNodeId] as const),
  )
}

/** Everything below a node by edges of both kinds, itself not included; by depth, effort, label. */
export function subtree<N extends MindMapNode>(map: MapOf<N>, nodeId: string): N[] {
  const graph = graphFrom(
    map.nodes.map(({ id }) => id),
    map.edges.map((edge) => [edge.parentNodeId, edge.childNodeId] as const),
  )
  const below = descendants(graph, [nodeId])
  return map.nodes.filter(({ id }) => id !== nodeId && below.has(id)).sort(byDepthEffortLabel)
}

/** Everything at or below the starts. */
export function descendants(graph: Graph, starts: Iterable<string>): Set<string> {
  return closure(graph.children, starts)
}

/** Everything at or above the starts: what has to be known for them, and themselves. */
export function ancestors(graph: Graph, starts: Iterable<string>): Set<string> {
  return closure(graph.parents, starts)
}

function closure(
  links: ReadonlyMap<string, readonly string[]>,
  starts: Iterable<string>,
): Set<string> {
  const found = new Set([...starts].filter((id) => links.has(id)))
  for (const id of found) {
    for (const next of links.get(id) ?? []) found.add(next)
  }
  return found
}

/** A shortest path from one node down to another, both ends included; null without one. */
function pathBetween(graph: Graph, from: string, to: string): string[] | null {
  const cameFrom = new Map<string, string | null>([[from, null]])
  for (const [id] of cameFrom) {
    if (id === to) return trail(cameFrom, to)
    for (const child of graph.children.get(id) ?? []) {
      if (!cameFrom.has(child)) cameFrom.set(child, id)
    }
  }
  return null
}

function trail(cameFrom: ReadonlyMap<string, string | null>, end: string): string[] {
  const path: string[] = []
  for (let id: string | null = end; id !== null; id = cameFrom.get(id) ?? null) path.push(id)
  return path.reverse()
}

/**
 * Cycles that share no node, as closed paths (A, B, A); empty exactly when the graph is acyclic.
 * Depth-first with an explicit stack: a back edge closes a cycle along the current path.
 */
export function findCycles(graph: Graph): string[][] {
  const cycles: string[][] = []
  const inCycle = new Set<string>()
  const done = new Set<string>()
  for (const start of graph.ids) {
    if (done.has(start)) continue
    const path = [start]
    const position = new Map([[start, 0]])
    const pending = [(graph.children.get(start) ?? []).values()]
    while (path.length > 0) {
      const step = pending.at(-1)?.next()
      if (!step || step.done) {
        const finished = path.pop()
        pending.pop()
        if (finished !== undefined) {
          position.delete(finished)
          done.add(finished)
        }
        continue
      }
      const child = step.value
      const opened = position.get(child)
      if (opened !== undefined) {
        const cycle = path.slice(opened)
        if (!cycle.some((id) => inCycle.has(id))) {
          for (const id of cycle) inCycle.add(id)
          cycles.push([...cycle, child])
        }
      } else if (!done.has(child)) {
        position.set(child, path.length)
        path.push(child)
        pending.push((graph.children.get(child) ?? []).values())
      }
    }
  }
  return cycles
}

/**
 * The length of the longest path that ends in each node, by Kahn's algorithm. In a valid map all
 * paths start at the root, so this is the node's depth. Nodes on or below a cycle have no entry.
 */
export function longestDepths(graph: Graph): Map<string, number> {
  const waiting = new Map(graph.ids.map((id) => [id, graph.parents.get(id)?.length ?? 0]))
  const reached = new Map<string, number>()
  const ready = graph.ids.filter((id) => waiting.get(id) === 0)
  for (const id of ready) {
    const depth = reached.get(id) ?? 0
    reached.set(id, depth)
    for (const child of graph.children.get(id) ?? []) {
      reached.set(child, Math.max(reached.get(child) ?? 0, depth + 1))
      const left = (waiting.get(child) ?? 0) - 1
      waiting.set(child, left)
      if (left === 0) ready.push(child)
    }
  }
  const settled = new Set(ready)
  return new Map([...reached].filter(([id]) => settled.has(id)))
}

/** The map with every node's `depth` set to its longest prerequisite path. */
export function withDepths(map: MindMap): MindMap {
  const depths = longestDepths(prerequisiteGraph(map))
  const nodes = map.nodes.map((node) => {
    const depth = depths.get(node.id) ?? node.depth
    return depth === node.depth ? node : { ...node, depth }
  })
  return { ...map, nodes }
}

/**
 * Adds one edge and keeps the depths right. The same edge again changes nothing; a relation may
 * become a prerequisite, a prerequisite never becomes a relation.
 * @throws MapRuleError for a self-loop, an unknown node, a cycle (with its path) or a node that
 *   the edge would push below `maxDepth`
 */
export function addEdge(
  map: MindMap,
  edge: MindMapEdge,
  maxDepth = Number.POSITIVE_INFINITY,
): MindMap {
  const nodes = new Map(map.nodes.map((node) => [node.id, node]))
  requireEnds(nodes, edge)
  const known = map.edges.find(
    (other) => other.parentNodeId === edge.parentNodeId && other.childNodeId === edge.childNodeId,
  )
  if (known && (known.edgeType === edge.edgeType || known.edgeType === 'prerequisite')) return map
  const edges = [...map.edges.filter((other) => other !== known), { ...edge }]
  if (edge.edgeType === 'related') return { ...map, edges }

  const path = pathBetween(prerequisiteGraph(map), edge.childNodeId, edge.parentNodeId)
  if (path) {
    const labels = [edge.parentNodeId, ...path].map((id) => nodes.get(id)?.label ?? id)
    throw new MapRuleError([cycleViolation(labels)])
  }
  const next = withDepths({ ...map, edges })
  const pushed = next.nodes.filter(
    (node) => node.depth > maxDepth && node.depth > (nodes.get(node.id)?.depth ?? 0),
  )
  if (pushed.length > 0) {
    const labels = pushed.map((node) => node.label)
    throw new MapRuleError([depthViolation(labels, maxDepth)])
  }
  return next
}

function requireEnds(nodes: ReadonlyMap<string, MindMapNode>, edge: MindMapEdge): void {
  const unknown = [edge.parentNodeId, edge.childNodeId].filter((id) => !nodes.has(id))
  if (unknown.length > 0) {
    const message = `An edge names ${quoted(unknown)}, which the map does not have.`
    throw new MapRuleError([{ kind: 'unknown-node', message, labels: unknown }])
  }
  if (edge.parentNodeId === edge.childNodeId) {
    const label = nodes.get(edge.parentNodeId)?.label ?? edge.parentNodeId
    throw new MapRuleError([selfLoopViolation(label)])
  }
}
