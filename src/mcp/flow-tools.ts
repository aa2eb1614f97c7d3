import { z } from 'zod'
import { beginArc, requireOpen, signalArc } from '../api/arc-commands.ts'
import { ArcPhase, ArcSettings, type ArcView } from '../contracts/arc.ts'
import { SIGNAL } from '../contracts/temporal.ts'
import { type ArcRow, arcViews, findArc, listArcs } from '../store/arcs.ts'
import { requireFlow } from './access.ts'
import { id, type ToolContext, text, tool } from './tool.ts'

/** The seed's flow state (seed 000 D3), the phase in upper case. */
const Flow = z.object({
  arc_id: id,
  mind_map_id: id,
  topic: z.string(),
  status: ArcPhase,
  current_node_id: z.string().nullable(),
  current_phase: z.string().nullable(),
  diagnostic_results: z.record(
    z.string(),
    z.object({ quality: z.int(), inferred_mastery: z.number() }),
  ),
  session_count: z.int(),
  started_at: z.string(),
  last_session_at: z.string().nullable(),
})

const flowView = (arc: ArcView): z.infer<typeof Flow> => ({
  arc_id: arc.arcId,
  mind_map_id: arc.mindMapId,
  topic: arc.topic,
  status: arc.phase,
  current_node_id: arc.currentNode?.id ?? null,
  current_phase: arc.subPhase,
  diagnostic_results: Object.fromEntries(
    arc.diagnosticResults.map(({ label, nodeId, quality, inferredMastery }) => [
      nodeId ?? label,
      { quality, inferred_mastery: inferredMastery },
    ]),
  ),
  session_count: arc.sessionCount,
  started_at: arc.startedAt,
  last_session_at: arc.lastSessionAt,
})

async function flowOf(context: ToolContext, arc: ArcRow): Promise<z.infer<typeof Flow>> {
  const [view] = await arcViews(context.db, [arc])
  return flowView(view as ArcView)
}

const start = tool(
  'teaching_flow_start',
  'Begins to teach a topic: a learning arc with a map of its own. Its questions are answered through the API.',
  {
    input: { topic: text(200), goal: text(500).optional() },
    output: { arc_id: id, mind_map_id: id, status: ArcPhase },
  },
  async (context, { topic, goal }) => {
    const arc = await beginArc(context, context.actor, {
      topic,
      ...(goal === undefined ? {} : { goal }),
      settings: ArcSettings.parse({}),
    })
    return { arc_id: arc.id, mind_map_id: arc.mind_map_id, status: arc.phase as ArcPhase }
  },
)

const get = tool(
  'teaching_flow_get',
  'Where the teaching of a map stands.',
  { reads: true, input: { mind_map_id: id }, output: Flow.shape },
  async (context, { mind_map_id }) => {
    const { arc } = await requireFlow(context, mind_map_id)
    return flowOf(context, arc)
  },
)

const list = tool(
  'teaching_flow_list',
  'Your teaching flows, newest first, or those in one phase.',
  {
    reads: true,
    input: { status: z.string().toUpperCase().pipe(ArcPhase).optional() },
    output: { flows: z.array(Flow) },
  },
  async (context, { status }) => {
    const arcs = await listArcs(context.db, {
      learnerId: context.actor.learner.id,
      limit: 100,
      ...(status === undefined ? {} : { phase: status }),
    })
    return { flows: (await arcViews(context.db, arcs)).map(flowView) }
  },
)

const ABANDON_PATIENCE_MS = 5_000
const ABANDON_LOOK_MS = 100

const abandon = tool(
  'teaching_flow_abandon',
  'Ends the teaching of a map for good; the map keeps its history.',
  {
    input: { mind_map_id: id, reason: text(500).optional() },
    output: { status: ArcPhase },
  },
  async (context, { mind_map_id, reason }) => {
    const { arc } = await requireFlow(context, mind_map_id)
    if (arc.phase === 'ABANDONED') return { status: 'ABANDONED' as const }
    requireOpen(arc)
    await signalArc(context, arc, SIGNAL.abandon, { reason: reason ?? '' })
    return { status: await phaseAfter(context, arc) }
  },
)

/** The phase once the arc has taken up a signal to abandon it, or as it is after some seconds. */
async function phaseAfter({ db }: ToolContext, arc: ArcRow): Promise<ArcPhase> {
  const deadline = Date.now() + ABANDON_PATIENCE_MS
  for (;;) {
    const phase = ((await findArc(db, arc.id))?.phase ?? 'ABANDONED') as ArcPhase
    if (phase === 'ABANDONED' || Date.now() >= deadline) return phase
    await new Promise((resolve) => setTimeout(resolve, ABANDON_LOOK_MS))
  }
}

export const FLOW_TOOLS = [start, get, list, abandon]
