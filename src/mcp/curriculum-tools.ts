import { z } from 'zod'
import { control } from '../commands/arc/controls.ts'
import { planMap, plannerFor } from '../commands/maps/plan.ts'
import { line } from '../contracts/text.ts'
import { nextNode as nextNodeOf } from '../domain/mind-map/frontier.ts'
import { MapStatusError, requireActive } from '../domain/mind-map/lifecycle.ts'
import { LABEL_MAX } from '../domain/mind-map/violation.ts'
import { findArc } from '../store/arc/arcs.ts'
import { readDiagnosis } from '../store/maps/diagnosis.ts'
import { requireMap, requireUntaught, requireWholeMap } from './access.ts'
import { mapStatus, Node, nodeView } from './mind-map-tools.ts'
import { id, quality, type ToolContext, tool } from './tool.ts'

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
      topic: line(200),
      goal: line(500).optional(),
      diagnostic_results: z
        .array(z.strictObject({ node_label: line(LABEL_MAX), quality }))
        .max(60)
        .optional(),
    },
    output: {
      ...state,
      goal_ignored: z.literal(true).optional().describe('no concept was found for the goal'),
    },
  },
  async (context, { mindMapId, topic, goal, diagnosticResults }) => {
    const map = await requireMap(context, mindMapId)
    requireUntaught(map)
    if (map.status !== 'creation') throw new MapStatusError(map.status, 'be generated again')
    const stored = await readDiagnosis(context.db, mindMapId)
    const given = diagnosticResults?.map(({ nodeLabel, quality: grade }) => ({
      label: nodeLabel,
      quality: grade,
    }))
    const generated = await planMap<'generate'>(context, map, {
      kind: 'generate',
      topic,
      diagnostic: given ?? stored?.diagnosis.probes ?? [],
      inventory: stored?.diagnosis.concepts.map(({ label }) => label) ?? [],
      ...plannerFor(context, topic, goal ?? null),
    })
    return { ...generated, goalIgnored: generated.goalIgnored || undefined }
  },
)

const replan = tool(
  'curriculum_replan',
  'Orders an active map anew; with a reason, the planner may add concepts. Nothing is ever deleted. On a map with a teaching flow, the flow is asked to do it.',
  {
    input: { mind_map_id: id, reason: line(500).optional() },
    output: {
      ...state,
      added_node_ids: z.array(id),
      refused: z.array(z.string()).describe('why advice was dropped'),
      via_flow: z.boolean(),
    },
  },
  async (context, { mindMapId, reason }) => {
    const map = await requireMap(context, mindMapId)
    if (map.arcId !== null) return replanFlow(context, mindMapId, map.arcId, reason)
    requireActive(map, 'be re-planned')
    const goal = typeof map.metadata.goal === 'string' ? map.metadata.goal : null
    const nobody = { tutor: 'offline' as const, courseId: null, goalUnitIds: [], goal }
    const asksModel = reason !== undefined && context.config.model !== null
    const replanned = await planMap<'replan'>(context, map, {
      kind: 'replan',
      topic: map.title,
      reason: reason ?? null,
      ...(asksModel ? plannerFor(context, map.title, goal) : nobody),
    })
    return { ...replanned, viaFlow: false }
  },
)

async function replanFlow(
  context: ToolContext,
  mindMapId: string,
  arcId: string,
  reason: string | undefined,
) {
  const arc = await findArc(context.db, arcId)
  if (arc) await control(context, arc, 'replan', reason === undefined ? {} : { reason })
  const { nodes, edges, status } = await requireWholeMap(context, mindMapId)
  const counts = { nodeCount: nodes.length, edgeCount: edges.length }
  return { mindMapId, ...counts, status, addedNodeIds: [], refused: [], viaFlow: true }
}

const nextNode = tool(
  'curriculum_next_node',
  'The concept to study next: the frontier concept that comes first in the learning order; null when there is none or the map is not active.',
  { reads: true, input: { mind_map_id: id }, output: { node: Node.nullable() } },
  async (context, { mindMapId }) => {
    const map = await requireWholeMap(context, mindMapId)
    const node = nextNodeOf(map, map.unlockAt)
    return { node: node && nodeView(node) }
  },
)

export const CURRICULUM_TOOLS = [generate, replan, nextNode]
