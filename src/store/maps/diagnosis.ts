import { sql } from 'kysely'
import { type Diagnosis, inventoryConcept, withProbe } from '../../domain/diagnosis/diagnosis.ts'
import {
  type DiagnosisSummary,
  diagnosisSummary,
  probeResults,
} from '../../domain/diagnosis/summary.ts'
import { requireQuality } from '../../domain/mastery/quality.ts'
import { labelKey } from '../../domain/mind-map/label.ts'
import { requireOpen } from '../../domain/mind-map/lifecycle.ts'
import type { DbOrTrx, Trx } from '../database.ts'
import { type Moment, recordResponse } from './responses.ts'
import { changeMap, GraphRefusal } from './stored-map.ts'

export interface StoredDiagnosis {
  topic: string
  diagnosis: Diagnosis
  isComplete: boolean
}

/** The diagnosis made for a map that no arc owns, or null. */
export async function readDiagnosis(db: DbOrTrx, mapId: string): Promise<StoredDiagnosis | null> {
  const { rows } = await sql<{
    topic: string
    concepts: Diagnosis['concepts'] | null
    probes: Diagnosis['probes']
    learner_level: string | null
  }>`
    select topic, concepts, probes, learner_level from diagnostic_results
    where mind_map_id = ${mapId} and session_id is null
  `.execute(db)
  const [row] = rows
  if (!row) return null
  const probes = row.probes.map(({ label, quality }) => ({ label, quality }))
  return {
    topic: row.topic,
    diagnosis: { concepts: row.concepts ?? [], probes, depth: 'standard' },
    isComplete: row.learner_level !== null,
  }
}

/** Begins a diagnosis over a ranked inventory; an earlier one of the map is replaced. */
export async function beginDiagnosis(
  db: DbOrTrx,
  mapId: string,
  topic: string,
  concepts: Diagnosis['concepts'],
): Promise<Diagnosis> {
  return changeMap(db, mapId, async (trx, map) => {
    requireOpen(map, 'be diagnosed')
    const inventory = JSON.stringify(concepts.map(({ label }) => label))
    await sql`
      insert into diagnostic_results (user_id, mind_map_id, topic, inventory, concepts)
      values ((select learner_id from mind_maps where id = ${mapId}), ${mapId}, ${topic},
              ${inventory}, ${JSON.stringify(concepts)})
      on conflict (mind_map_id) where session_id is null do update
      set topic = excluded.topic, inventory = excluded.inventory, concepts = excluded.concepts,
          probes = '[]', prerequisite_gaps = null, learner_level = null, recommendations = null,
          "timestamp" = now()
    `.execute(trx)
    return { concepts, probes: [], depth: 'standard' }
  })
}

/**
 * Keeps the grade of a probe; a concept probed again takes the later one.
 * @throws GraphRefusal without a diagnosis under way, or for a concept that is not in its inventory
 */
export async function recordProbe(
  db: DbOrTrx,
  mapId: string,
  probe: { label: string; quality: number },
): Promise<Diagnosis> {
  requireQuality(probe.quality)
  return changeMap(db, mapId, async (trx) => {
    const { diagnosis, isComplete } = await requireDiagnosis(trx, mapId)
    if (isComplete) throw new GraphRefusal('conflict', 'The diagnosis of this map is complete.')
    const concept = inventoryConcept(diagnosis, probe.label)
    if (!concept) {
      throw new GraphRefusal('invalid', `"${probe.label}" is not in the inventory.`)
    }
    const next = withProbe(diagnosis, { label: concept.label, quality: probe.quality })
    await writeProbes(trx, mapId, next)
    return next
  })
}

/**
 * Ends the diagnosis and stores its summary (seed 003). Concepts that the map has already take the
 * probes as responses (seed 000 D4); a map that is planned later takes them then. Ended again, it
 * says the same and does nothing.
 * @throws GraphRefusal without a diagnosis under way, or before the first probe
 */
export async function completeDiagnosis(
  db: DbOrTrx,
  mapId: string,
  moment: Moment,
): Promise<DiagnosisSummary> {
  return changeMap(db, mapId, async (trx, map) => {
    const { diagnosis, isComplete } = await requireDiagnosis(trx, mapId)
    if (diagnosis.probes.length === 0) {
      throw new GraphRefusal('conflict', 'No concept was probed yet; record a probe first.')
    }
    const summary = diagnosisSummary(diagnosis)
    if (isComplete) return summary
    for (const { label, quality } of summary.results) {
      const node = map.nodes.find((one) => labelKey(one.label) === labelKey(label))
      if (node) await recordResponse(trx, probeResponse(mapId, node.id, label, quality), moment)
    }
    await sql`
      update diagnostic_results
      set learner_level = ${summary.level}, prerequisite_gaps = ${JSON.stringify(summary.gaps)},
          recommendations = ${JSON.stringify(summary.recommendations)}, "timestamp" = now()
      where mind_map_id = ${mapId} and session_id is null
    `.execute(trx)
    return summary
  })
}

/** A probe as the response it becomes once its concept is on a map. */
function probeResponse(mindMapId: string, nodeId: string, label: string, quality: number) {
  const question = { questionText: probeText(label), userAnswer: null, responseId: null }
  return { mindMapId, nodeId, quality, type: 'diagnostic' as const, ...question }
}

/** What stands for the question of a probe, which was put outside. */
export const probeText = (label: string): string => `Diagnostic probe: ${label}`

async function requireDiagnosis(trx: Trx, mapId: string): Promise<StoredDiagnosis> {
  const stored = await readDiagnosis(trx, mapId)
  if (stored) return stored
  throw new GraphRefusal('conflict', 'No diagnosis of this map is under way; start one first.')
}

async function writeProbes(trx: Trx, mapId: string, diagnosis: Diagnosis): Promise<void> {
  const inferred = new Map(probeResults(diagnosis).map((result) => [result.label, result.inferred]))
  const probes = diagnosis.probes.map((probe) => ({
    ...probe,
    inferred: inferred.get(probe.label) ?? 0,
  }))
  await sql`
    update diagnostic_results set probes = ${JSON.stringify(probes)}
    where mind_map_id = ${mapId} and session_id is null
  `.execute(trx)
}
