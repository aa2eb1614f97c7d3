import { z } from 'zod'
import { signalArc } from '../api/arc-commands.ts'
import { SIGNAL } from '../contracts/temporal.ts'
import { MapStatusError, requireActive } from '../domain/mind-map/lifecycle.ts'
import { findArc } from '../store/arcs.ts'
import { readDiagnosis } from '../store/maps/diagnosis.ts'
import { mapSize, nextNodeRow } from '../store/maps/nodes.ts'
import { MAP_LIMITS, type StoredMap } from '../store/maps/stored-map.ts'
import { requireMap, requireUntaught } from './access.ts'
import { plannerFor, runJob } from './curriculum-run.ts'
import { mapStatus, Node, nodeView } from './mind-map-tools.ts'
import { id, quality, type ToolContext, text, tool } from './tool.ts'

const state = {
  mind_map_id: id,
  node_count: z.int(),
  edge_count: z.int(),
  status: mapStatus,
}

const generate = tool(
  'curriculum_generate',
  'Decomposes a topic into a concept graph and stores it whole as this map, or refuses it whole. A diagnosis made for the map is used unless results are given.',
  {
    input: {
      mind_map_id: id,
      topic: text(200),
      goal: text(500).optional(),
      diagnostic_results: z
        .array(z.strictObject({ node_label: text(200), quality }))
        .max(60)
        .optional(),
    },
    output: state,
  },
  async (context, args) => {
    const map = await requireMap(context, args.mind_map_id)
    requireUntaught(map)
    if (map.status !== 'creation') throw new MapStatusError(map.status, 'be generated again')
    const stored = await readDiagnosis(context.db, map.id)
    const given = args.diagnostic_results?.map((result) => ({
      label: result.node_label,
      quality: result.quality,
    }))
    const generated = await runJob(context, {
      kind: 'generate',
      mindMapId: map.id,
      topic: args.topic,
      limits: MAP_LIMITS,
      diagnostic: given ?? stored?.diagnosis.probes ?? [],
      inventory: stored?.diagnosis.concepts.map(({ label }) => label) ?? [],
      ...plannerFor(context, args.topic, args.goal ?? null),
    })
    return {
      mind_map_id: generated.mindMapId,
      node_count: generated.nodeCount,
      edge_count: generated.edgeCount,
      status: generated.status,
    }
  },
)

const replan = tool(
  'curriculum_replan',
  'Orders an active map anew; with a reason, the planner may add concepts. Nothing is ever deleted. On a map with a teaching flow, the flow is asked to do it.',
  {
    input: { mind_map_id: id, reason: text(500).optional() },
    output: {
      ...state,
      added_node_ids: z.array(id),
      refused: z.array(z.string()).describe('why advice was dropped'),
      via_flow: z.boolean(),
    },
  },
  async (context, { mind_map_id, reason }) => {
    const map = await requireMap(context, mind_map_id)
    if (map.arcId !== null) return replanFlow(context, map, map.arcId, reason)
    requireActive(map, 'be re-planned')
    const goal = typeof map.metadata.goal === 'string' ? map.metadata.goal : null
    const nobody = { tutor: 'offline' as const, courseId: null, goalUnitIds: [], goal }
    const asksModel = reason !== undefined && context.config.model !== null
    const replanned = await runJob(context, {
      kind: 'replan',
      mindMapId: map.id,
      topic: map.title,
      reason: reason ?? null,
      ...(asksModel ? plannerFor(context, map.title, goal) : nobody),
    })
    return {
      mind_map_id: replanned.mindMapId,
      node_count: replanned.nodeCount,
      edge_count: replanned.edgeCount,
      status: replanned.status,
      added_node_ids: replanned.addedNodeIds,
      refused: replanned.refused.map(({ message }) => message),
      via_flow: false,
    }
  },
)

async function replanFlow(
  context: ToolContext,
  map: StoredMap,
  arcId: string,
  reason: string | undefined,
) {
  const arc = await findArc(context.db, arcId)
  if (arc) await signalArc(context, arc, SIGNAL.replan, reason === undefined ? {} : { reason })
  const { nodeCount, edgeCount } = await mapSize(context.db, map.id)
  return {
    mind_map_id: map.id,
    node_count: nodeCount,
    edge_count: edgeCount,
    status: map.status,
    added_node_ids: [],
    refused: [],
    via_flow: true,
  }
}

const nextNode = tool(
  'curriculum_next_node',
  'The concept to study next: the frontier concept that comes first in the learning order; null when there is none or the map is not active.',
  { reads: true, input: { mind_map_id: id }, output: { node: Node.nullable() } },
  async (context, { mind_map_id }) => {
    const map = await requireMap(context, mind_map_id)
    if (map.status !== 'active') return { node: null }
    const row = await nextNodeRow(context.db, map.id, map.unlockAt)
    return { node: row ? nodeView(row) : null }
  },
)

export const CURRICULUM_TOOLS = [generate, replan, nextNode]
