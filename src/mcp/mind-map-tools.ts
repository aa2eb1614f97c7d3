import { z } from 'zod'
import { line, openRecord, text } from '../contracts/text.ts'
import { frontier as frontierOf } from '../domain/mind-map/frontier.ts'
import { subtree as subtreeOf } from '../domain/mind-map/graph.ts'
import { byDepthEffortLabel, bySequence } from '../domain/mind-map/node-order.ts'
import { DESCRIPTION_MAX } from '../domain/mind-map/validation.ts'
import { LABEL_MAX } from '../domain/mind-map/violation.ts'
import {
  activateMap,
  createEdge,
  createMap,
  createNode,
  updateNode,
} from '../store/maps/building.ts'
import type { DescribedNode } from '../store/maps/rows.ts'
import { requireMap, requireNode, requireWholeMap } from './access.ts'
import { id, time, tool } from './tool.ts'
import type { Result } from './wire.ts'

export const mapStatus = z.enum(['creation', 'active', 'completed', 'abandoned'])
export const masteryStatus = z.enum(['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered'])
const edgeType = z.enum(['prerequisite', 'related'])
const edge = { parent_node_id: id, child_node_id: id, edge_type: edgeType }
const metadata = z.record(z.string(), z.unknown())
const description = text.max(DESCRIPTION_MAX)

/** A concept as tools show it; the interval is in days. */
export const Node = z.object({
  node_id: id,
  label: z.string(),
  description: z.string(),
  depth: z.int(),
  sequence: z.int().nullable(),
  mastery_score: z.number(),
  mastery_status: masteryStatus,
  ease_factor: z.number(),
  repetitions: z.int(),
  interval_days: z.number(),
  next_review_at: time.nullable(),
  last_reviewed_at: time.nullable(),
  effort_minutes: z.int().nullable(),
  metadata,
})

export const nodeView = (node: DescribedNode): Result<typeof Node> => ({ nodeId: node.id, ...node })

const nodes = { nodes: z.array(Node) }

const create = tool(
  'mind_map_create',
  'Creates an empty mind map, in creation until it is activated or a curriculum is generated for it.',
  { input: { title: line(200) }, output: { mind_map_id: id } },
  async ({ db, actor }, { title }) => ({
    mindMapId: await createMap(db, { title, learnerId: actor.learner.id }),
  }),
)

const get = tool(
  'mind_map_get',
  'A mind map with its nodes in learning order and its edges.',
  {
    reads: true,
    input: { mind_map_id: id },
    output: {
      mind_map_id: id,
      title: z.string(),
      status: mapStatus,
      root_node_id: z.string().nullable(),
      metadata,
      created_at: time,
      updated_at: time,
      nodes: z.array(Node),
      edges: z.array(z.object(edge)),
    },
  },
  async (context, { mindMapId }) => {
    const map = await requireWholeMap(context, mindMapId)
    const ordered = map.nodes.sort(byDepthEffortLabel).sort(bySequence)
    return { ...map, mindMapId, nodes: ordered.map(nodeView) }
  },
)

const createOneNode = tool(
  'mind_map_node_create',
  'Adds a concept below its parents. The stored depth is the longest prerequisite path from the root.',
  {
    input: {
      mind_map_id: id,
      label: line(LABEL_MAX),
      description: description.optional(),
      effort_minutes: z.number(),
      depth: z.int().min(0).optional(),
      parent_node_ids: z.array(id).max(100).optional(),
    },
    output: { node_id: id },
  },
  async (context, { parentNodeIds, ...node }) => {
    await requireMap(context, node.mindMapId)
    const nodeId = await createNode(context.db, {
      ...node,
      description: node.description ?? '',
      depth: node.depth ?? null,
      parentIds: parentNodeIds ?? [],
    })
    return { nodeId }
  },
)

const updateOneNode = tool(
  'mind_map_node_update',
  'Changes label, description, effort or metadata of a concept. Its status follows from responses; only a diagnosis made elsewhere may be seeded: mastery_status "diagnosed" with a mastery_score of 0.3 to 0.7.',
  {
    input: {
      node_id: id,
      label: line(LABEL_MAX).optional(),
      description: description.optional(),
      effort_minutes: z.number().optional(),
      metadata: openRecord.optional(),
      mastery_status: z
        .literal('diagnosed', 'a status is not set: record responses with mastery_record_response')
        .optional(),
      mastery_score: z.number().min(0.3).max(0.7).optional(),
    },
    output: Node.shape,
  },
  async (context, { nodeId, masteryStatus: status, masteryScore, ...changes }) => {
    const mapId = await requireNode(context, nodeId)
    const isSeeded = status !== undefined || masteryScore !== undefined
    await updateNode(context.db, nodeId, {
      ...changes,
      diagnosed: isSeeded ? { masteryScore: masteryScore ?? 0.3 } : undefined,
    })
    const map = await requireWholeMap(context, mapId)
    return nodeView(map.nodes.find((node) => node.id === nodeId) as DescribedNode)
  },
)

const createOneEdge = tool(
  'mind_map_edge_create',
  'Adds an edge: the parent is a prerequisite of the child, or related to it. The same edge again changes nothing; a cycle is refused with its path.',
  { input: { ...edge, edge_type: edgeType.default('prerequisite') }, output: edge },
  async (context, wanted) => {
    await requireNode(context, wanted.parentNodeId)
    await requireNode(context, wanted.childNodeId)
    return createEdge(context.db, wanted)
  },
)

const activate = tool(
  'mind_map_activate',
  'Makes a map that was built node by node active, with its learning order, once the whole of it is valid.',
  {
    input: { mind_map_id: id },
    output: { mind_map_id: id, status: mapStatus, node_count: z.int(), edge_count: z.int() },
  },
  async (context, { mindMapId }) => {
    await requireMap(context, mindMapId)
    const map = await activateMap(context.db, mindMapId)
    const { nodes: all, edges, status } = map
    return { mindMapId, status, nodeCount: all.length, edgeCount: edges.length }
  },
)

const frontier = tool(
  'mind_map_frontier',
  'The concepts that can be learned now, by depth, then effort.',
  { reads: true, input: { mind_map_id: id }, output: nodes },
  async (context, { mindMapId }) => {
    const map = await requireWholeMap(context, mindMapId)
    return { nodes: frontierOf(map, map.unlockAt).map(nodeView) }
  },
)

const subtree = tool(
  'mind_map_subtree',
  'Everything below a concept, by prerequisites and relations, without the concept itself, by depth, then effort.',
  { reads: true, input: { node_id: id }, output: nodes },
  async (context, { nodeId }) => {
    const map = await requireWholeMap(context, await requireNode(context, nodeId))
    return { nodes: subtreeOf(map, nodeId).map(nodeView) }
  },
)

export const MIND_MAP_TOOLS = [
  create,
  get,
  createOneNode,
  updateOneNode,
  createOneEdge,
  activate,
  frontier,
  subtree,
]
