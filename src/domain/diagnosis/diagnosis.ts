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
}

/** Whether a grade counts as a right answer: 3 is the least that passes (seed 000 D2, D4). */
export function isRight(quality: number): boolean {
  return quality >= 3
}
