import { z } from 'zod'
import { beginArc } from '../commands/arc/arcs.ts'
import { control } from '../commands/arc/controls.ts'
import { ArcPhase, ArcSettings, type ArcView } from '../contracts/arc.ts'
import { line } from '../contracts/text.ts'
import { type ArcRow, arcViews, findArc, listArcs } from '../store/arc/arcs.ts'
import { requireFlow } from './access.ts'
import { id, type ToolContext, time, tool } from './tool.ts'
import type { Result } from './wire.ts'

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
  started_at: time,
  last_session_at: time.nullable(),
})

const flowView = (arc: ArcView): Result<typeof Flow> => ({
  ...arc,
  status: arc.phase,
  currentNodeId: arc.currentNode?.id ?? null,
  currentPhase: arc.subPhase,
  diagnosticResults: Object.fromEntries(
    arc.diagnosticResults.map((result) => [result.nodeId ?? result.label, result]),
  ),
})

const start = tool(
  'teaching_flow_start',
  'Begins to teach a topic: a learning arc with a map of its own. Its questions are answered through the API.',
  {
    input: { topic: line(200), goal: line(500).optional() },
    output: { arc_id: id, mind_map_id: id, status: ArcPhase },
  },
  async (context, { topic, goal }) => {
    const arc = await beginArc(context, context.actor, {
      topic,
      ...(goal === undefined ? {} : { goal }),
      settings: ArcSettings.parse({}),
    })
    return { arcId: arc.id, mindMapId: arc.mind_map_id, status: arc.phase as ArcPhase }
  },
)

const get = tool(
  'teaching_flow_get',
  'Where the teaching of a map stands.',
  { reads: true, input: { mind_map_id: id }, output: Flow.shape },
  async (context, { mindMapId }) => {
    const arc = await requireFlow(context, mindMapId)
    const [view] = await arcViews(context.db, [arc])
    return flowView(view as ArcView)
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
    input: { mind_map_id: id, reason: line(500).optional() },
    output: { status: ArcPhase },
  },
  async (context, { mindMapId, reason }) => {
    const arc = await requireFlow(context, mindMapId)
    if (arc.phase === 'ABANDONED') return { status: 'ABANDONED' as const }
    await control(context, arc, 'abandon', { reason: reason ?? '' })
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
