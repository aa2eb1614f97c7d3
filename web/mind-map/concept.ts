import type { MindMapView } from '../../src/contracts/arc.ts'

export type ConceptNode = MindMapView['nodes'][number]

/** How a concept stands to the learner now. */
export type Access = 'next' | 'open' | 'locked' | 'known' | 'skipped'

/** What the page shows of a concept, the same in the graph, the list and the drawer. */
export interface Concept {
  id: string
  label: string
  status: ConceptNode['masteryStatus']
  /** 0 to 100, whole. */
  percent: number
  /** The percentage was not measured but inferred from other answers. */
  isInferred: boolean
  access: Access
  isCurrent: boolean
  /** Nothing else is built on it: where the map leads to. */
  isGoal: boolean
  /** Lies between the concept in hand and a goal, and is not learned yet. */
  isOnPath: boolean
  node: ConceptNode
}

/** The concepts of a map in learning order. */
export function conceptsOf(map: MindMapView, currentNodeId: string | null): Concept[] {
  const frontier = new Set(map.frontier)
  const { goals, path } = pathToGoal(map, currentNodeId ?? map.nextNodeId)
  return [...map.nodes]
    .sort((a, b) => (a.sequence ?? Infinity) - (b.sequence ?? Infinity) || a.depth - b.depth)
    .map((node) => ({
      id: node.id,
      label: node.label,
      status: node.masteryStatus,
      ...percentOf(node),
      access: accessOf(node, frontier, map.nextNodeId),
      isCurrent: node.id === currentNodeId,
      isGoal: goals.has(node.id),
      isOnPath: path.has(node.id),
      node,
    }))
}

/**
 * The concepts that the map leads up to, and the way there from a concept: what is built on it and still to be learned.
 * Where many concepts have nothing built on them, the last in learning order is the goal.
 */
export function pathToGoal(
  map: Pick<MindMapView, 'nodes' | 'edges'>,
  fromId: string | null,
): { goals: Set<string>; path: Set<string> } {
  const after = new Map<string, string[]>()
  const before = new Map<string, string[]>()
  for (const { parentNodeId, childNodeId, edgeType } of map.edges) {
    if (edgeType !== 'prerequisite') continue
    after.set(parentNodeId, [...(after.get(parentNodeId) ?? []), childNodeId])
    before.set(childNodeId, [...(before.get(childNodeId) ?? []), parentNodeId])
  }
  const ends = map.nodes.filter(({ id }) => !after.has(id) && before.has(id))
  const last = ends.reduce<ConceptNode | null>(
    (one, node) => ((node.sequence ?? 0) >= (one?.sequence ?? 0) ? node : one),
    null,
  )
  const goals = new Set(last ? [last.id] : [])
  if (fromId === null) return { goals, path: new Set() }
  const ahead = reached(after, [fromId])
  const needed = reached(before, goals)
  const path = map.nodes
    .filter(({ id }) => ahead.has(id) && needed.has(id))
    .filter(({ masteryStatus }) => masteryStatus !== 'mastered')
    .map(({ id }) => id)
  return { goals, path: new Set(path.length > 1 ? path : []) }
}

function reached(links: ReadonlyMap<string, string[]>, starts: Iterable<string>): Set<string> {
  const found = new Set(starts)
  for (const id of found) for (const next of links.get(id) ?? []) found.add(next)
  return found
}

function percentOf(node: ConceptNode): { percent: number; isInferred: boolean } {
  const isInferred = node.masteryStatus === 'unseen' && node.inferred !== undefined
  const share = isInferred ? (node.inferred ?? 0) : node.masteryScore
  return { percent: Math.round(share * 100), isInferred }
}

function accessOf(node: ConceptNode, frontier: Set<string>, nextNodeId: string | null): Access {
  if (node.metadata.skipped === true) return 'skipped'
  if (node.masteryStatus === 'reviewing' || node.masteryStatus === 'mastered') return 'known'
  if (node.id === nextNodeId) return 'next'
  return frontier.has(node.id) ? 'open' : 'locked'
}

/** The name of the word for how a concept stands, in the catalogue. */
export function stateWord({ access, status, isCurrent }: Concept): string {
  if (access === 'skipped') return 'access.skipped'
  const isNew = status === 'unseen' || status === 'diagnosed'
  return isCurrent && isNew ? 'mastery.current' : `mastery.${status}`
}

/** The ids of what a concept needs first, and of what it opens. */
export function neighbours(map: MindMapView, id: string): { before: string[]; after: string[] } {
  const edges = map.edges.filter(({ edgeType }) => edgeType === 'prerequisite')
  return {
    before: edges.filter((edge) => edge.childNodeId === id).map((edge) => edge.parentNodeId),
    after: edges.filter((edge) => edge.parentNodeId === id).map((edge) => edge.childNodeId),
  }
}
