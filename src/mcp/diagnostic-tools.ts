import { z } from 'zod'
import type { Diagnosis } from '../domain/diagnosis/diagnosis.ts'
import { nextProbe } from '../domain/diagnosis/probes.ts'
import { requireOpen } from '../domain/mind-map/lifecycle.ts'
import { beginDiagnosis, completeDiagnosis, recordProbe } from '../store/maps/diagnosis.ts'
import { requireMap, requireUntaught } from './access.ts'
import { plannerFor, runJob } from './curriculum-run.ts'
import { id, quality, type ToolContext, text, tool } from './tool.ts'

const difficulty = z.enum(['beginner', 'intermediate', 'expert'])
const Probe = z.object({
  node_label: z.string(),
  rank: z.int(),
  difficulty,
  phase: z.enum(['bisection', 'information']),
})

function probeOf(diagnosis: Diagnosis): z.infer<typeof Probe> | null {
  const probe = nextProbe(diagnosis)
  if (!probe) return null
  const level = diagnosis.concepts[probe.rank - 1]?.difficulty ?? 'intermediate'
  return { node_label: probe.label, rank: probe.rank, difficulty: level, phase: probe.phase }
}

const start = tool(
  'diagnostic_start',
  'Lists the key concepts of a topic from easy to hard and names the first one to ask about. The question is yours to put.',
  {
    input: { mind_map_id: id, topic: text(200) },
    output: {
      inventory: z.array(
        z.object({
          label: z.string(),
          rank: z.int(),
          difficulty,
          prerequisites: z.array(z.string()),
        }),
      ),
      probe: Probe.nullable(),
    },
  },
  async (context, { mind_map_id, topic }) => {
    const map = await requireMap(context, mind_map_id)
    requireUntaught(map)
    requireOpen(map, 'be diagnosed')
    const job = { kind: 'inventory' as const, mindMapId: map.id, topic }
    const { concepts } = await runJob(context, { ...job, ...plannerFor(context, topic, null) })
    const diagnosis = await beginDiagnosis(context.db, map.id, topic, concepts)
    return {
      inventory: concepts.map((concept, index) => ({ ...concept, rank: index + 1 })),
      probe: probeOf(diagnosis),
    }
  },
)

const record = tool(
  'diagnostic_record_probe',
  'Keeps the grade (0 to 5) of a probed concept and names the next one; null when enough is known.',
  {
    input: { mind_map_id: id, node_label: text(200), quality },
    output: { probe: Probe.nullable() },
  },
  async (context: ToolContext, args) => {
    requireUntaught(await requireMap(context, args.mind_map_id))
    const probe = { label: args.node_label, quality: args.quality }
    return { probe: probeOf(await recordProbe(context.db, args.mind_map_id, probe)) }
  },
)

const complete = tool(
  'diagnostic_complete',
  'Ends a diagnosis and sums it up: level, gaps, recommendations. Concepts on the map take the grades; on an empty map curriculum_generate starts from them.',
  {
    input: { mind_map_id: id },
    output: {
      diagnostic_results: z.array(
        z.object({ node_label: z.string(), quality, inferred_mastery: z.number() }),
      ),
      learner_level: z.enum(['beginner', 'intermediate', 'advanced']),
      prerequisite_gaps: z.array(z.string()),
      recommendations: z.array(z.string()),
    },
  },
  async (context, { mind_map_id }) => {
    requireUntaught(await requireMap(context, mind_map_id))
    const summary = await completeDiagnosis(context.db, mind_map_id, {
      at: Date.now(),
      dayMs: context.config.dayMs,
    })
    return {
      diagnostic_results: summary.results.map(({ label, quality: grade, inferred }) => ({
        node_label: label,
        quality: grade,
        inferred_mastery: inferred,
      })),
      learner_level: summary.level,
      prerequisite_gaps: summary.gaps,
      recommendations: summary.recommendations,
    }
  },
)

export const DIAGNOSTIC_TOOLS = [start, record, complete]
