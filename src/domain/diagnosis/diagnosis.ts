import { labelKey } from '../mind-map/label.ts'

/** How hard a concept is within its topic (seed 000 D4: "spanning beginner to expert"). */
export type Difficulty = 'beginner' | 'intermediate' | 'expert'

/** One concept of a topic's inventory; `prerequisites` are labels, empty when none are known. */
export interface InventoryConcept {
  label: string
  difficulty: Difficulty
  prerequisites: string[]
}

/** `standard` asks 3 to 7 questions (seed 000 D4), `thorough` up to 10. */
export type DiagnosisDepth = 'standard' | 'thorough'

/** A question that was asked and its grade, 0 to 5; to abstain is 0. */
export interface Probe {
  label: string
  quality: number
}

/** A diagnosis so far: `concepts` as ranked (index + 1 is the rank), `probes` in order of asking. */
export interface Diagnosis {
  concepts: InventoryConcept[]
  probes: Probe[]
  depth: DiagnosisDepth
  /** What the learner says of their level: the first probe comes from that third. */
  start?: 'beginner' | 'intermediate' | 'advanced'
}

/** The concept of that label, by any spelling of it; null if it is not in the inventory. */
export function inventoryConcept(
  { concepts }: Pick<Diagnosis, 'concepts'>,
  label: string,
): InventoryConcept | null {
  const key = labelKey(label)
  return concepts.find((concept) => labelKey(concept.label) === key) ?? null
}

/** The diagnosis after one more probe; of a concept probed again the later grade counts. */
export function withProbe(diagnosis: Diagnosis, probe: Probe): Diagnosis {
  const key = labelKey(probe.label)
  const others = diagnosis.probes.filter(({ label }) => labelKey(label) !== key)
  return { ...diagnosis, probes: [...others, probe] }
}
