import { descendants, findCycles, graphFrom, longestDepths } from './graph.ts'
import { labelKey } from './label.ts'
import type { MindMap } from './mind-map.ts'
import {
  cycleViolation,
  depthViolation,
  LABEL_MAX,
  quoted,
  selfLoopViolation,
  shownLabel,
  type Violation,
} from './violation.ts'

/** A description has at most so many characters. */
export const DESCRIPTION_MAX = 2_000
/** The effort of a concept is 1 to so many minutes. */
const EFFORT_MAX = 10_000

export interface ProposedConcept {
  label: string
  description?: string
  /** A whole number of minutes, 1 to 10,000. */
  effortMinutes: number
  /** Supplementary to the goal: kept although it lies off the path. */
  optional?: boolean
  /** The course unit that teaches it. */
  unitId?: string | null
  /** Its place in the order of a course that keeps to one; breaks ties of depth before effort. */
  position?: number
}

/** A prerequisite by its labels: the parent is known before the child. */
export interface ProposedEdge {
  parent: string
  child: string
}

/** A planner's concept graph (seed 000 D5, phase 1); labels match case-folded and trimmed. */
export interface ProposedGraph {
  root: string
  nodes: ProposedConcept[]
  edges: ProposedEdge[]
  goalLabels?: string[]
}

/** Concepts and prerequisites to be added to a map, its own concepts named by label. */
export interface Additions {
  nodes: ProposedConcept[]
  edges: ProposedEdge[]
}

export interface MapLimits {
  maxNodes: number
  /** The depth no node may exceed; the root is at 0. */
  maxDepth: number
}

/** The limits of a map that no arc owns (seed 001, structural constraints). */
export const MAP_LIMITS: MapLimits = { maxNodes: 30, maxDepth: 5 }

/** Every rule the graph breaks (seed 001, structural constraints); none when it may become a map. */
export function validateGraph(graph: ProposedGraph, limits: MapLimits): Violation[] {
  const violations = checkConcepts(graph.nodes, graph.edges, limits)
  const labels = labelsByKey(graph.nodes)
  if (!labels.has(labelKey(graph.root))) {
    violations.push({
      kind: 'unknown-root',
      message: `The root ${quoted([graph.root])} is not one of the concepts.`,
      labels: [graph.root],
    })
  } else {
    violations.push(...checkReachable(graph.root, graph.nodes, graph.edges))
  }
  const strayGoals = (graph.goalLabels ?? []).filter((label) => !labels.has(labelKey(label)))
  if (strayGoals.length > 0) {
    violations.push({
      kind: 'goal',
      message: `The goal names what is not one of the concepts: ${quoted(strayGoals)}.`,
      labels: strayGoals,
    })
  }
  return violations
}

/** Every rule a stored map breaks; a map in creation may become active when there is none. */
export function validateMap(map: MindMap, limits: MapLimits): Violation[] {
  return validateAdditions({ ...map, status: 'active' }, { nodes: [], edges: [] }, limits)
}

/**
 * Every rule the map would break with the additions. While it is in creation a node may be
 * unreachable from the root.
 */
export function validateAdditions(
  map: MindMap,
  additions: Additions,
  limits: MapLimits,
): Violation[] {
  const byId = new Map(map.nodes.map((node) => [node.id, node]))
  const concepts = [...map.nodes, ...additions.nodes]
  const edges = map.edges
    .filter((edge) => edge.edgeType === 'prerequisite')
    .map((edge) => ({
      parent: byId.get(edge.parentNodeId)?.label ?? edge.parentNodeId,
      child: byId.get(edge.childNodeId)?.label ?? edge.childNodeId,
    }))
  const all = [...edges, ...additions.edges]
  const violations = checkConcepts(concepts, all, limits)
  if (map.status === 'creation') return violations
  const root = map.rootNodeId === null ? undefined : byId.get(map.rootNodeId)
  if (root) return [...violations, ...checkReachable(root.label, concepts, all)]
  return [...violations, { kind: 'unknown-root', message: 'The map has no root.', labels: [] }]
}

type Concept = Pick<ProposedConcept, 'label' | 'description' | 'effortMinutes'>

function checkConcepts(
  concepts: readonly Concept[],
  edges: readonly ProposedEdge[],
  limits: MapLimits,
): Violation[] {
  return [
    ...checkCount(concepts, limits.maxNodes),
    ...checkLabels(concepts),
    ...checkDescriptions(concepts),
    ...checkEffort(concepts),
    ...checkEdges(concepts, edges),
    ...checkDepth(concepts, edges, limits.maxDepth),
  ]
}

function checkCount(concepts: readonly Concept[], maxNodes: number): Violation[] {
  if (concepts.length <= maxNodes) return []
  const labels = concepts.slice(maxNodes).map((concept) => concept.label)
  const message = `There are ${concepts.length} concepts and at most ${maxNodes} are allowed; beyond the limit: ${quoted(labels)}.`
  return [{ kind: 'too-many-nodes', message, labels }]
}

function checkLabels(concepts: readonly Concept[]): Violation[] {
  const violations: Violation[] = []
  const groups = new Map<string, string[]>()
  for (const { label } of concepts) {
    const group = groups.get(labelKey(label))
    if (group) group.push(label)
    else groups.set(labelKey(label), [label])
  }
  for (const [key, labels] of groups) {
    if (key === '') {
      violations.push({ kind: 'blank-label', message: 'A concept has no label.', labels })
    } else if (labels.length > 1) {
      const message = `One label names several concepts: ${quoted(labels)}.`
      violations.push({ kind: 'duplicate-label', message, labels })
    }
  }
  const long = concepts.filter(({ label }) => label.trim().length > LABEL_MAX)
  if (long.length > 0) {
    const labels = long.map(({ label }) => shownLabel(label))
    const message = `A label has at most ${LABEL_MAX} characters; longer: ${quoted(labels)}.`
    violations.push({ kind: 'label-length', message, labels })
  }
  return violations
}

/** The violation of descriptions that are too long; none where all fit. */
export function checkDescriptions(
  concepts: readonly Pick<ProposedConcept, 'label' | 'description'>[],
): Violation[] {
  const labels = concepts
    .filter(({ description = '' }) => description.length > DESCRIPTION_MAX)
    .map(({ label }) => shownLabel(label))
  if (labels.length === 0) return []
  const message = `A description has at most ${DESCRIPTION_MAX} characters; longer are those of ${quoted(labels)}.`
  return [{ kind: 'description-length', message, labels }]
}

function checkEffort(concepts: readonly Concept[]): Violation[] {
  const labels = concepts
    .filter(
      ({ effortMinutes: effort }) =>
        !(Number.isInteger(effort) && 0 < effort && effort <= EFFORT_MAX),
    )
    .map(({ label }) => shownLabel(label))
  if (labels.length === 0) return []
  const message = `The effort has to be a whole number of minutes from 1 to ${EFFORT_MAX}: ${quoted(labels)}.`
  return [{ kind: 'effort', message, labels }]
}

function checkEdges(concepts: readonly Concept[], edges: readonly ProposedEdge[]): Violation[] {
  const violations: Violation[] = []
  const labels = labelsByKey(concepts)
  const ends = edges.flatMap((edge) => [edge.parent, edge.child])
  const unknown = uniqueByKey(ends.filter((label) => !labels.has(labelKey(label))))
  if (unknown.length > 0) {
    const message = `Edges name what is not one of the concepts: ${quoted(unknown)}.`
    violations.push({ kind: 'unknown-node', message, labels: unknown })
  }
  const loops = edges.filter((edge) => labelKey(edge.parent) === labelKey(edge.child))
  for (const label of uniqueByKey(loops.map((edge) => edge.parent))) {
    violations.push(selfLoopViolation(labels.get(labelKey(label)) ?? label))
  }
  for (const cycle of findCycles(labelGraph(concepts, edges))) {
    violations.push(cycleViolation(cycle.map((key) => labels.get(key) ?? key)))
  }
  return violations
}

function checkDepth(
  concepts: readonly Concept[],
  edges: readonly ProposedEdge[],
  maxDepth: number,
): Violation[] {
  const depths = longestDepths(labelGraph(concepts, edges))
  const deep = concepts.filter(({ label }) => (depths.get(labelKey(label)) ?? 0) > maxDepth)
  if (deep.length === 0) return []
  const labels = deep.map((concept) => concept.label)
  return [depthViolation(labels, maxDepth)]
}

function checkReachable(
  root: string,
  concepts: readonly Concept[],
  edges: readonly ProposedEdge[],
): Violation[] {
  const reached = descendants(labelGraph(concepts, edges), [labelKey(root)])
  const labels = concepts.map(({ label }) => label).filter((label) => !reached.has(labelKey(label)))
  if (labels.length === 0) return []
  const message = `No prerequisite path leads from the root ${quoted([root])} to ${quoted(labels)}.`
  return [{ kind: 'unreachable', message, labels }]
}

/** The graph of label keys without self-loops, which are reported by themselves. */
export function labelGraph(
  concepts: readonly Pick<Concept, 'label'>[],
  edges: readonly ProposedEdge[],
) {
  return graphFrom(
    concepts.map((concept) => labelKey(concept.label)),
    edges
      .map((edge) => [labelKey(edge.parent), labelKey(edge.child)] as const)
      .filter(([parent, child]) => parent !== child),
  )
}

function labelsByKey(concepts: readonly Pick<Concept, 'label'>[]): Map<string, string> {
  return new Map(concepts.map(({ label }) => [labelKey(label), label]))
}

function uniqueByKey(labels: readonly string[]): string[] {
  return [...new Map(labels.map((label) => [labelKey(label), label])).values()]
}
