import type { LearningPathGraph } from './learning-path-graph.ts'
import { hasUnit } from './learning-path-graph.ts'
import { mappedValue } from './unit-priority.ts'

/** A unit the student's words seem to be about; `confidence` is in 0..1. */
export interface MappedUnit {
  readonly unitId: string
  readonly confidence: number
}

export type StudentIntent = 'solve' | 'explain' | 'check' | 'stuck' | 'unknown'
export type UnderstandingSignal = 'confident' | 'uncertain' | 'confused'

/** What the model said about a turn: mapping and intent, never confusion tags. Seed 004 PF-0.1. */
export interface TurnAnalysis {
  readonly mappedUnits: readonly MappedUnit[]
  readonly studentIntent: StudentIntent
  readonly understandingSignal: UnderstandingSignal
  readonly suggestedPrereqUnits: readonly string[]
}

/** What an earlier turn's confidence still counts in this one. */
export const EARLIER_CONFIDENCE_FACTOR = 0.5
/** What the unit of a pressed button counts. */
const CLIENT_EVENT_CONFIDENCE = 1

/** A copy, highest confidence first; equal ones keep their order. */
export function byConfidence(mappedUnits: readonly MappedUnit[]): MappedUnit[] {
  return mappedUnits.toSorted((a, b) => b.confidence - a.confidence)
}

/**
 * The mapped units of a turn: per unit the larger of the anchor search's score and half the
 * confidence of the turn before; the unit of a client event counts 1.0. Units the course does not
 * have are left out, confidences are brought into 0..1. Highest first, then the event's unit, then
 * by unit id.
 */
export function mergeMappedUnits(args: {
  readonly graph: LearningPathGraph
  readonly searchScores: readonly MappedUnit[]
  readonly lastTurnAnalysis: Pick<TurnAnalysis, 'mappedUnits'> | null
  readonly clientEventUnitId: string | null
}): MappedUnit[] {
  const { clientEventUnitId } = args
  const earlier = (args.lastTurnAnalysis?.mappedUnits ?? []).map(({ unitId, confidence }) => ({
    unitId,
    confidence: mappedValue(confidence) * EARLIER_CONFIDENCE_FACTOR,
  }))
  const event =
    clientEventUnitId === null
      ? []
      : [{ unitId: clientEventUnitId, confidence: CLIENT_EVENT_CONFIDENCE }]

  const merged = new Map<string, number>()
  for (const { unitId, confidence } of [...event, ...args.searchScores, ...earlier]) {
    if (!hasUnit(args.graph, unitId)) continue
    merged.set(unitId, Math.max(merged.get(unitId) ?? 0, mappedValue(confidence)))
  }
  const rank = (unitId: string) => (unitId === clientEventUnitId ? 0 : 1)
  return [...merged]
    .map(([unitId, confidence]) => ({ unitId, confidence }))
    .sort(
      (a, b) =>
        b.confidence - a.confidence ||
        rank(a.unitId) - rank(b.unitId) ||
        (a.unitId < b.unitId ? -1 : 1),
    )
}

/** The analysis without the units the course does not have: a model may invent some. */
export function keepKnownUnits(analysis: TurnAnalysis, graph: LearningPathGraph): TurnAnalysis {
  return {
    ...analysis,
    mappedUnits: analysis.mappedUnits
      .filter(({ unitId }) => hasUnit(graph, unitId))
      .map(({ unitId, confidence }) => ({ unitId, confidence: mappedValue(confidence) })),
    suggestedPrereqUnits: analysis.suggestedPrereqUnits.filter((unitId) => hasUnit(graph, unitId)),
  }
}
