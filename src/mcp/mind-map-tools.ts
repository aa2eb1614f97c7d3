import { z } from 'zod'
import {
  activateMap,
  createEdge,
  createMap,
  createNode,
  updateNode,
} from '../store/maps/building.ts'
import {
  findNode,
  frontierRows,
  mapSize,
  type NodeRow,
  nodeRows,
  subtreeRows,
} from '../store/maps/nodes.ts'
import { requireMap, requireNode } from './access.ts'
import { id, text, tool } from './tool.ts'

export const mapStatus = z.enum(['creation', 'active', 'completed', 'abandoned'])
export const masteryStatus = z.enum(['unseen', 'diagnosed', 'learning', 'reviewing', 'mastered'])
const edgeType = z.enum(['prerequisite', 'related'])
const metadata = z.record(z.string(), z.unknown())
const time = z.string().nullable()

/** A concept as tools show it; times are ISO 8601, the interval is in days. */
export const Node = z.object({
  node_id: z.string(),
  label: z.string(),
  description: z.string(),
  depth: z.int(),
  sequence: z.int().nullable(),
  mastery_score: z.number(),
  mastery_status: masteryStatus,
  ease_factor: z.number(),
  repetitions: z.int(),
  interval_days: z.number(),
  next_review_at: time,
  last_reviewed_at: time,
  effort_minutes: z.int().nullable(),
  metadata,
})

const iso = (date: Date | null) => date?.toISOString() ?? null

export const nodeView = (row: NodeRow): z.infer<typeof Node> => ({
  node_id: row.id,
  label: row.label,
  description: row.description ?? '',
  depth: row.depth,
  sequence: row.sequence,
  mastery_score: row.mastery_score,
  mastery_status: row.mastery_status,
  ease_factor: row.ease_factor,
  repetitions: row.repetitions,
  interval_days: row.interval_days,
  next_review_at: iso(row.next_review_at),
  last_reviewed_at: iso(row.last_reviewed_at),
  effort_minutes: row.effort_minutes,
  metadata: row.metadata,
})

const nodes = { nodes: z.array(Node) }

const create = tool(
  'mind_map_create',
  'Creates an empty mind map, in creation until it is activated or a curriculum is generated for it.',
  { input: { title: text(200) }, output: { mind_map_id: id } },
  async ({ db, actor }, { title }) => ({
    mind_map_id: await createMap(db, { title, learnerId: actor.learner.id }),
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
      created_at: z.string(),
      updated_at: z.string(),
      nodes: z.array(Node),
      edges: z.array(
        z.object({ parent_node_id: z.string(), child_node_id: z.string(), edge_type: edgeType }),
      ),
    },
  },
  async (context, { mind_map_id }) => {
    const map = await requireMap(context, mind_map_id)
    const edges = await context.db
      .selectFrom('mind_map_edges')
      .select(['parent_node_id', 'child_node_id', 'edge_type'])
      .where('mind_map_id', '=', map.id)
      .orderBy('parent_node_id')
      .orderBy('child_node_id')
      .execute()
    return {
      mind_map_id: map.id,
      title: map.title,
      status: map.status,
      root_node_id: map.rootNodeId,
      metadata: map.metadata,
      created_at: map.createdAt.toISOString(),
      updated_at: map.updatedAt.toISOString(),
      nodes: (await nodeRows(context.db, map.id)).map(nodeView),
      edges,
    }
  },
)

const createOneNode = tool(
  'mind_map_node_create',
  'Adds a concept below its parents. The stored depth is the longest prerequisite path from the root.',
  {
    input: {
      mind_map_id: id,
      label: text(200),
      description: z.string().max(2_000).optional(),
      effort_minutes: z.number(),
      depth: z.int().min(0).optional(),
      parent_node_ids: z.array(id).max(100).optional(),
    },
    output: { node_id: id },
  },
  async (context, args) => {
    await requireMap(context, args.mind_map_id)
    const nodeId = await createNode(context.db, {
      mindMapId: args.mind_map_id,
      label: args.label,
      description: args.description ?? '',
      effortMinutes: args.effort_minutes,
      depth: args.depth ?? null,
      parentIds: args.parent_node_ids ?? [],
    })
    return { node_id: nodeId }
  },
)

const updateOneNode = tool(
  'mind_map_node_update',
  'Changes label, description, effort or metadata of a concept. Its status follows from responses; only a diagnosis made elsewhere may be seeded: mastery_status "diagnosed" with a mastery_score of 0.3 to 0.7.',
  {
    input: {
      node_id: id,
      label: text(200).optional(),
      description: z.string().max(2_000).optional(),
      effort_minutes: z.number().optional(),
      metadata: metadata.optional(),
      mastery_status: z
        .literal('diagnosed', 'a status is not set: record responses with mastery_record_response')
        .optional(),
      mastery_score: z.number().min(0.3).max(0.7).optional(),
    },
    output: Node.shape,
  },
  async (context, args) => {
    await requireNode(context, args.node_id)
    const isSeeded = args.mastery_status !== undefined || args.mastery_score !== undefined
    await updateNode(context.db, args.node_id, {
      label: args.label,
      description: args.description,
      effortMinutes: args.effort_minutes,
      metadata: args.metadata,
      diagnosed: isSeeded ? { masteryScore: args.mastery_score ?? 0.3 } : undefined,
    })
    return nodeView((await findNode(context.db, args.node_id)) as NodeRow)
  },
)

const createOneEdge = tool(
  'mind_map_edge_create',
  'Adds an edge: the parent is a prerequisite of the child, or related to it. The same edge again changes nothing; a cycle is refused with its path.',
  {
    input: { parent_node_id: id, child_node_id: id, edge_type: edgeType.default('prerequisite') },
    output: { parent_node_id: id, child_node_id: id, edge_type: edgeType },
  },
  async (context, args) => {
    await requireNode(context, args.parent_node_id)
    await requireNode(context, args.child_node_id)
    const stored = await createEdge(context.db, {
      parentNodeId: args.parent_node_id,
      childNodeId: args.child_node_id,
      edgeType: args.edge_type,
    })
    return {
      parent_node_id: stored.parentNodeId,
      child_node_id: stored.childNodeId,
      edge_type: stored.edgeType,
    }
  },
)

const activate = tool(
  'mind_map_activate',
  'Makes a map that was built node by node active, with its learning order, once the whole of it is valid.',
  {
    input: { mind_map_id: id },
    output: { mind_map_id: id, status: mapStatus, node_count: z.int(), edge_count: z.int() },
  },
  async (context, { mind_map_id }) => {
    await requireMap(context, mind_map_id)
    const { status } = await activateMap(context.db, mind_map_id)
    const { nodeCount, edgeCount } = await mapSize(context.db, mind_map_id)
    return { mind_map_id, status, node_count: nodeCount, edge_count: edgeCount }
  },
)

const frontier = tool(
  'mind_map_frontier',
  'The concepts that can be learned now, by depth, then effort.',
  { reads: true, input: { mind_map_id: id }, output: nodes },
  async (context, { mind_map_id }) => {
    const { id: mapId, unlockAt } = await requireMap(context, mind_map_id)
    return { nodes: (await frontierRows(context.db, mapId, unlockAt)).map(nodeView) }
  },
)

const subtree = tool(
  'mind_map_subtree',
  'Everything that builds on a concept, without the concept itself, by depth, then effort.',
  { reads: true, input: { node_id: id }, output: nodes },
  async (context, { node_id }) => {
    await requireNode(context, node_id)
    return { nodes: (await subtreeRows(context.db, node_id)).map(nodeView) }
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
