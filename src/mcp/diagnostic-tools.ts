import { z } from 'zod'
import { planMap, plannerFor } from '../commands/maps/plan.ts'
import { line } from '../contracts/text.ts'
import type { Diagnosis } from '../domain/diagnosis/diagnosis.ts'
import { nextProbe } from '../domain/diagnosis/probes.ts'
import { requireOpen } from '../domain/mind-map/lifecycle.ts'
import { LABEL_MAX } from '../domain/mind-map/violation.ts'
import { beginDiagnosis, completeDiagnosis, recordProbe } from '../store/maps/diagnosis.ts'
import { requireMap, requireUntaught } from './access.ts'
import { id, quality, tool } from './tool.ts'
import type { Result } from './wire.ts'

const difficulty = z.enum(['beginner', 'intermediate', 'expert'])
const Probe = z.object({
  node_label: z.string(),
  rank: z.int(),
  difficulty,
  phase: z.enum(['bisection', 'information']),
})

function probeOf(diagnosis: Diagnosis): Result<typeof Probe> | null {
  const probe = nextProbe(diagnosis)
  if (!probe) return null
  const level = diagnosis.concepts[probe.rank - 1]?.difficulty ?? 'intermediate'
  return { ...probe, nodeLabel: probe.label, difficulty: level }
}

const start = tool(
  'diagnostic_start',
  'Lists the key concepts of a topic from easy to hard and names the first one to ask about. The question is yours to put.',
  {
    input: { mind_map_id: id, topic: line(200) },
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
  async (context, { mindMapId, topic }) => {
    const map = await requireMap(context, mindMapId)
    requireUntaught(map)
    requireOpen(map, 'be diagnosed')
    const request = { kind: 'inventory' as const, topic, ...plannerFor(context, topic, null) }
    const { concepts } = await planMap<'inventory'>(context, map, request)
    const diagnosis = await beginDiagnosis(context.db, mindMapId, topic, concepts)
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
    input: { mind_map_id: id, node_label: line(LABEL_MAX), quality },
    output: { probe: Probe.nullable() },
  },
  async (context, { mindMapId, nodeLabel: label, quality: grade }) => {
    requireUntaught(await requireMap(context, mindMapId))
    return { probe: probeOf(await recordProbe(context.db, mindMapId, { label, quality: grade })) }
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
  async (context, { mindMapId }) => {
    requireUntaught(await requireMap(context, mindMapId))
    const moment = { at: Date.now(), dayMs: context.config.dayMs }
    const { results, level, gaps, recommendations } = await completeDiagnosis(
      context.db,
      mindMapId,
      moment,
    )
    return {
      diagnosticResults: results.map(({ label, quality: grade, inferred }) => ({
        nodeLabel: label,
        quality: grade,
        inferredMastery: inferred,
      })),
      learnerLevel: level,
      prerequisiteGaps: gaps,
      recommendations,
    }
  },
)

export const DIAGNOSTIC_TOOLS = [start, record, complete]
