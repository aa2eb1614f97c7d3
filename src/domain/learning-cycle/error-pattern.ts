export type ErrorPatternType = 'conceptual' | 'procedural' | 'careless'

/** A pattern in the learner's mistakes (seed 003), found by the feedback after a quiz. */
export interface ErrorPattern {
  patternType: ErrorPatternType
  description: string
  /** Question ids. */
  affectedQuestions: string[]
  suggestedRemediation: string
}
