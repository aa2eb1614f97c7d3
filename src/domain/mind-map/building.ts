import { isPassed } from '../mastery/quality.ts'
import { seedScore } from '../mastery/score.ts'
import { ancestors, withDepths } from './graph.ts'
import { labelKey } from './label.ts'
import { requireOpen } from './lifecycle.ts'
import type { MindMap, MindMapEdge, MindMapNode, UnlockAt } from './mind-map.ts'
import { withSequence } from './order.ts'
import {
  type Additions,
  labelGraph,
  type MapLimits,
  type ProposedConcept,
  type ProposedGraph,
  validateAdditions,
  validateGraph,
} from './validation.ts'
import { quoted, type Violation } from './violation.ts'

/** A probe's verdict on one concept of the inventory; the quality is 0–5. */
export interface ProbeResult {
  label: string
  quality: number
}

export interface BuildOptions {
  goal?: string
  /** A goal that no concept reaches is ignored, not refused: the planner was asked about it before. */
  mayIgnoreGoal?: boolean
  diagnostic?: readonly ProbeResult[]
  /** How the order tells which nodes are available; `mastered` unless told. */
  unlockAt?: UnlockAt
}

/** What a map row and its nodes need besides the map: descriptions by node, probes that found one. */
export interface BuiltMap {
  map: MindMap
  descriptions: { nodeId: string; description: string }[]
  /** Every probe whose concept is in the map, low ones too: the diagnostic responses to store. */
  seeded: { nodeId: string; quality: number }[]
}

/** `goalIgnored`: there is a goal, but the graph names no concept for it, and the map is whole. */
export type BuildResult =
  | ({ ok: true; goalIgnored: boolean } & BuiltMap)
  | { ok: false; violations: Violation[] }

/**
 * Turns a planner's graph into an active map (seed 001): refused whole when a rule is broken, cut
 * to the goal, seeded from the diagnosis, with depths and sequence. `ids` gives the map's id
 * first, then one for each node in the order of the graph.
 */
export function buildMap(
  graph: ProposedGraph,
  limits: MapLimits,
  ids: () => string,
  options: BuildOptions = {},
): BuildResult {
  const goal = options.goal?.trim()
  const found = [...validateGraph(graph, limits), ...checkGoal(graph, goal)]
  const violations = options.mayIgnoreGoal ? found.filter(({ kind }) => kind !== 'goal') : found
  if (violations.length > 0) return { ok: false, violations }

  const goalIgnored = goal !== undefined && goal !== '' && !namesGoal(graph)
  const isCut = goal && !goalIgnored
  const concepts = isCut ? scopedToGoal(graph) : graph.nodes.map(withoutOptional)
  const mapId = ids()
  const nodes = concepts.map((concept) => nodeFrom(concept, ids()))
  const byKey = new Map(nodes.map((node) => [labelKey(node.label), node]))
  const { nodes: seededNodes, seeded } = seedFromDiagnosis(nodes, options.diagnostic ?? [])
  const map: MindMap = {
    id: mapId,
    status: 'active',
    rootNodeId: byKey.get(labelKey(graph.root))?.id ?? null,
    nodes: seededNodes,
    edges: edgesFrom(graph.edges, byKey),
  }
  return {
    ok: true,
    goalIgnored,
    map: withSequence(withDepths(map), options.unlockAt ?? 'mastered'),
    descriptions: describe(concepts, nodes),
    seeded,
  }
}

export type AddResult =
  | { ok: true; map: MindMap; descriptions: BuiltMap['descriptions'] }
  | { ok: false; violations: Violation[] }

/**
 * Adds concepts and prerequisites to a map, checked against the whole of it; new nodes are unseen
 * and have no sequence yet. Nothing is added when a rule is broken. An addition is never optional:
 * it was found missing.
 * @throws MapStatusError when the map is completed or abandoned
 */
export function addConcepts(
  map: MindMap,
  additions: Additions,
  limits: MapLimits,
  ids: () => string,
): AddResult {
  requireOpen(map, 'take new concepts')
  const violations = validateAdditions(map, additions, limits)
  if (violations.length > 0) return { ok: false, violations }
  const concepts = additions.nodes.map(withoutOptional)
  const added = concepts.map((concept) => nodeFrom(concept, ids()))
  const nodes = [...map.nodes, ...added]
  const byKey = new Map(nodes.map((node) => [labelKey(node.label), node]))
  const prerequisites = new Set(
    map.edges.filter((edge) => edge.edgeType === 'prerequisite').map(pairKey),
  )
  const fresh = edgesFrom(additions.edges, byKey).filter(
    (edge) => !prerequisites.has(pairKey(edge)),
  )
  if (added.length === 0 && fresh.length === 0) return { ok: true, map, descriptions: [] }
  const replaced = new Set(fresh.map(pairKey))
  const kept = map.edges.filter((edge) => !replaced.has(pairKey(edge)))
  return {
    ok: true,
    map: withDepths({ ...map, nodes, edges: [...kept, ...fresh] }),
    descriptions: describe(concepts, added),
  }
}

/** Whether one of the goal's labels is a concept of the graph. */
function namesGoal({ nodes, goalLabels = [] }: ProposedGraph): boolean {
  const labels = new Set(nodes.map(({ label }) => labelKey(label)))
  return goalLabels.some((label) => labels.has(labelKey(label)))
}

function checkGoal(graph: ProposedGraph, goal: string | undefined): Violation[] {
  if (!goal || (graph.goalLabels ?? []).length > 0) return []
  const message = `No concept is named as reaching the goal ${quoted([goal])}.`
  return [{ kind: 'goal', message, labels: [] }]
}

/**
 * What lies on a prerequisite path to a goal concept, and what the planner calls supplementary as
 * long as nothing it needs was left out.
 */
function scopedToGoal(graph: ProposedGraph): ProposedConcept[] {
  const links = labelGraph(graph.nodes, graph.edges)
  const path = ancestors(links, (graph.goalLabels ?? []).map(labelKey))
  const optional = new Set(
    graph.nodes.filter((concept) => concept.optional).map((concept) => labelKey(concept.label)),
  )
  return graph.nodes.flatMap((concept) => {
    const key = labelKey(concept.label)
    if (path.has(key)) return [withoutOptional(concept)]
    const needs = ancestors(links, [key])
    return [...needs].every((need) => path.has(need) || optional.has(need)) ? [concept] : []
  })
}

function withoutOptional({ optional: _, ...concept }: ProposedConcept): ProposedConcept {
  return concept
}

function nodeFrom(concept: ProposedConcept, id: string): MindMapNode {
  return {
    id,
    label: concept.label.trim(),
    unitId: concept.unitId ?? null,
    depth: 0,
    sequence: null,
    effortMinutes: concept.effortMinutes,
    masteryStatus: 'unseen',
    masteryScore: 0,
    easeFactor: 2.5,
    repetitions: 0,
    intervalDays: 0,
    nextReviewAt: null,
    lastReviewedAt: null,
    masteredAt: null,
    metadata: {
      ...(concept.optional && { optional: true }),
      ...(concept.position !== undefined && { position: concept.position }),
    },
  }
}

function seedFromDiagnosis(nodes: readonly MindMapNode[], probes: readonly ProbeResult[]) {
  const quality = new Map(probes.map((probe) => [labelKey(probe.label), probe.quality]))
  const seeded: BuiltMap['seeded'] = []
  const seededNodes = nodes.map((node) => {
    const known = quality.get(labelKey(node.label))
    if (known === undefined) return node
    seeded.push({ nodeId: node.id, quality: known })
    if (!isPassed(known)) return node
    return { ...node, masteryStatus: 'diagnosed' as const, masteryScore: seedScore(known) }
  })
  return { nodes: seededNodes, seeded }
}

function edgesFrom(
  edges: ProposedGraph['edges'],
  byKey: ReadonlyMap<string, MindMapNode>,
): MindMapEdge[] {
  const found = new Map<string, MindMapEdge>()
  for (const { parent, child } of edges) {
    const parentNode = byKey.get(labelKey(parent))
    const childNode = byKey.get(labelKey(child))
    if (!parentNode || !childNode) continue
    const edge: MindMapEdge = {
      parentNodeId: parentNode.id,
      childNodeId: childNode.id,
      edgeType: 'prerequisite',
    }
    found.set(pairKey(edge), edge)
  }
  return [...found.values()]
}

function pairKey(edge: MindMapEdge): string {
  return `${edge.parentNodeId} ${edge.childNodeId}`
}

function describe(concepts: readonly ProposedConcept[], nodes: readonly MindMapNode[]) {
  return nodes.flatMap((node, index) => {
    const description = concepts[index]?.description
    return description === undefined ? [] : [{ nodeId: node.id, description }]
  })
}
