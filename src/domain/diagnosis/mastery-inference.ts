import { isPassed } from '../mastery/quality.ts'
import { labelKey } from '../mind-map/label.ts'
import type { Diagnosis } from './diagnosis.ts'
import {
  afterAnswer,
  chancesOfKnowing,
  type KnowledgeStates,
  knowledgeStates,
} from './knowledge-states.ts'

/** What a diagnosis says of one concept, what was measured kept apart from what was inferred. */
export interface ConceptEstimate {
  label: string
  /** Probability, 0..1, of knowing the concept, given all answers and the prerequisites. */
  inferred: number
  /** Grade, 0..5, of the concept's own probe; null if it was not asked. */
  measured: number | null
}

/** Grades by index of the concept; the latest counts, labels outside the inventory do not. */
export function measuredQualities({ concepts, probes }: Diagnosis): Map<number, number> {
  const folded = concepts.map(({ label }) => labelKey(label))
  const measured = new Map<number, number>()
  for (const { label, quality } of probes) {
    const index = folded.indexOf(labelKey(label))
    if (index >= 0) measured.set(index, quality)
  }
  return measured
}

/**
 * Estimates every concept of the inventory, in rank order, probed or not. `prior` are the states
 * before any answer; to pass them saves drawing them again for an inventory used many times.
 */
export function inferMastery(
  diagnosis: Diagnosis,
  prior: KnowledgeStates = knowledgeStates(diagnosis.concepts),
): ConceptEstimate[] {
  const measured = measuredQualities(diagnosis)
  let states = prior
  for (const [index, quality] of measured) states = afterAnswer(states, index, isPassed(quality))
  const chances = chancesOfKnowing(states)
  return diagnosis.concepts.map(({ label }, index) => ({
    label,
    inferred: chances[index] ?? 0,
    measured: measured.get(index) ?? null,
  }))
}
