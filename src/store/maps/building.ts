import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { addConcepts } from '../../domain/mind-map/building.ts'
import { addEdge } from '../../domain/mind-map/graph.ts'
import { MapStatusError, requireOpen } from '../../domain/mind-map/lifecycle.ts'
import type { MindMap, MindMapEdge, NodeMetadata } from '../../domain/mind-map/mind-map.ts'
import { withSequence } from '../../domain/mind-map/order.ts'
import { checkDescriptions, MAP_LIMITS, validateMap } from '../../domain/mind-map/validation.ts'
import {
  depthViolation,
  MapRuleError,
  type ViolationKind,
} from '../../domain/mind-map/violation.ts'
import type { DbOrTrx } from '../database.ts'
import { changeMap, GraphRefusal, mapOfNode } from './stored-map.ts'
import { writeMap } from './writing.ts'

/** Creates an empty map, in `creation` until it is activated or a curriculum is generated for it. */
export async function createMap(
  db: DbOrTrx,
  map: { title: string; learnerId: string | null },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into mind_maps (title, status, learner_id)
    values (${map.title}, 'creation', ${map.learnerId}) returning id
  `.execute(db)
  return rows[0]?.id ?? ''
}

export interface NewNode {
  mindMapId: string
  label: string
  description: string
  /** A positive whole number of minutes. */
  effortMinutes: number
  /** Where the caller believes it to be; the stored depth is the longest prerequisite path. */
  depth: number | null
  parentIds: readonly string[]
}

/**
 * Adds a concept under its parents. In a map in creation it may be unreachable for a while; on an
 * active map it comes with its parents and takes the last place in the order.
 * @throws MapRuleError naming what breaks a rule; MapStatusError on a terminal map; GraphRefusal
 */
export async function createNode(db: DbOrTrx, node: NewNode): Promise<string> {
  return changeMap(db, node.mindMapId, async (trx, map) => {
    requireOpen(map, 'take new concepts')
    const id = randomUUID()
    const parents = node.parentIds.map((parent) => labelOf(map, parent))
    if ((node.depth ?? 0) > MAP_LIMITS.maxDepth) {
      throw new MapRuleError([depthViolation([node.label], MAP_LIMITS.maxDepth)])
    }
    const { label, description, effortMinutes } = node
    const added = addConcepts(
      map,
      {
        nodes: [{ label, description, effortMinutes }],
        edges: parents.map((parent) => ({ parent, child: label })),
      },
      MAP_LIMITS,
      () => id,
    )
    if (!added.ok) throw new MapRuleError(added.violations)
    await writeMap(trx, map, placedLast(added.map, id), added.descriptions)
    return id
  })
}

function labelOf(map: MindMap, nodeId: string): string {
  const node = map.nodes.find(({ id }) => id === nodeId)
  if (!node) throw new GraphRefusal('invalid', `The map has no node ${nodeId}.`)
  return node.label
}

function placedLast(map: MindMap, nodeId: string): MindMap {
  if (map.status !== 'active') return map
  const last = Math.max(0, ...map.nodes.map((node) => node.sequence ?? 0))
  const nodes = map.nodes.map((node) =>
    node.id === nodeId ? { ...node, sequence: last + 1 } : node,
  )
  return { ...map, nodes }
}

export interface NodeChanges {
  label?: string | undefined
  description?: string | undefined
  effortMinutes?: number | undefined
  /** Merged into what is there. */
  metadata?: NodeMetadata | undefined
  /** What a diagnosis outside found: `unseen` becomes `diagnosed` with a score of 0.3 to 0.7. */
  diagnosed?: { masteryScore: number } | undefined
}

/** Rules that a change of one concept can break. */
const OF_ONE_CONCEPT: ReadonlySet<ViolationKind> = new Set([
  ...(['duplicate-label', 'blank-label', 'label-length', 'effort'] as const),
])

/**
 * Changes what a node says of itself; its status follows from responses only, but for the seed of
 * a diagnosis (seed 000 D4).
 * @throws MapRuleError, MapStatusError, GraphRefusal; nothing is changed then
 */
export async function updateNode(
  db: DbOrTrx,
  nodeId: string,
  changes: NodeChanges,
): Promise<string> {
  const mapId = await mapOfNode(db, nodeId)
  if (mapId === null) throw new GraphRefusal('not-found', 'There is no such node.')
  return changeMap(db, mapId, async (trx, map) => {
    requireOpen(map, 'have its concepts changed')
    const next = {
      ...map,
      nodes: map.nodes.map((node) => (node.id === nodeId ? changed(node) : node)),
    }
    const label = next.nodes.find((node) => node.id === nodeId)?.label ?? ''
    const violations = [
      ...validateMap(next, MAP_LIMITS).filter(({ kind }) => OF_ONE_CONCEPT.has(kind)),
      ...checkDescriptions([{ label, description: changes.description ?? '' }]),
    ]
    if (violations.length > 0) throw new MapRuleError(violations)
    await trx
      .updateTable('mind_map_nodes')
      .set({
        ...(changes.label === undefined ? {} : { label: changes.label.trim() }),
        ...(changes.description === undefined ? {} : { description: changes.description }),
        ...(changes.effortMinutes === undefined ? {} : { effort_minutes: changes.effortMinutes }),
        updated_at: sql<Date>`now()`,
      })
      .where('id', '=', nodeId)
      .execute()
    await writeMap(trx, map, next)
    return mapId
  })

  function changed(node: MindMap['nodes'][number]): MindMap['nodes'][number] {
    const { label, effortMinutes, metadata, diagnosed } = changes
    if (diagnosed && node.masteryStatus !== 'unseen' && node.masteryStatus !== 'diagnosed') {
      throw new GraphRefusal(
        'conflict',
        `"${node.label}" is ${node.masteryStatus}: only responses move its status now.`,
      )
    }
    return {
      ...node,
      label: label?.trim() ?? node.label,
      effortMinutes: effortMinutes ?? node.effortMinutes,
      metadata: { ...node.metadata, ...metadata },
      ...(diagnosed
        ? { masteryStatus: 'diagnosed' as const, masteryScore: diagnosed.masteryScore }
        : {}),
    }
  }
}

/**
 * Adds an edge and keeps depths right. The same edge again changes nothing; a prerequisite never
 * becomes a relation. Two writers adding opposite edges at once never leave a cycle: the second
 * waits for the first and then sees its edge.
 * @returns the edge as it is stored
 * @throws MapRuleError for a self-loop, a cycle (with its path) or a depth over the limit;
 *   MapStatusError on a terminal map; GraphRefusal for unknown nodes and nodes of two maps
 */
export async function createEdge(db: DbOrTrx, edge: MindMapEdge): Promise<MindMapEdge> {
  const [from, to] = await Promise.all([
    mapOfNode(db, edge.parentNodeId),
    mapOfNode(db, edge.childNodeId),
  ])
  if (from === null || to === null) {
    const unknown = from === null ? edge.parentNodeId : edge.childNodeId
    throw new GraphRefusal('not-found', `There is no node ${unknown}.`)
  }
  if (from !== to) {
    throw new GraphRefusal('invalid', 'The two nodes belong to different maps; no edge joins maps.')
  }
  return changeMap(db, from, async (trx, map) => {
    requireOpen(map, 'take new edges')
    const next = await writeMap(trx, map, addEdge(map, edge, MAP_LIMITS.maxDepth))
    return (
      next.edges.find(
        ({ parentNodeId, childNodeId }) =>
          parentNodeId === edge.parentNodeId && childNodeId === edge.childNodeId,
      ) ?? edge
    )
  })
}

/**
 * Makes a map that was built node by node active, with its sequence, once the whole is valid.
 * An active map stays as it is.
 * @throws MapRuleError with every rule it breaks; MapStatusError on a terminal map
 */
export async function activateMap(db: DbOrTrx, mapId: string): Promise<MindMap> {
  return changeMap(db, mapId, async (trx, map) => {
    if (map.status === 'active') return map
    if (map.status !== 'creation') throw new MapStatusError(map.status, 'be activated')
    const violations = validateMap(map, MAP_LIMITS)
    if (violations.length > 0) throw new MapRuleError(violations)
    return writeMap(trx, map, withSequence({ ...map, status: 'active' }, 'mastered'))
  })
}
