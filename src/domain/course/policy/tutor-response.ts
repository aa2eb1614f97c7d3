import type { ExamTier } from '../snapshot/mastery-tier.ts'
import type { TurnAnalysis } from '../units/mapped-units.ts'
import type { TutorAction } from './tutor-policy.ts'

export interface WorkedExample {
  readonly problemLatex: string
  readonly finalAnswerLatex: string
  readonly stepsLatex?: readonly string[]
}

export interface ConceptContent {
  readonly keyIdeas: readonly string[]
  readonly workedExamples: readonly WorkedExample[]
}

/** A drill with its key; the key never reaches the browser. */
export interface DrillContent {
  readonly prompt: string
  readonly questionLatex: string
  readonly expectedAnswer: string
}

export interface ExamSuggestion {
  readonly questionId: string
  readonly difficultyTier: ExamTier
}

/** What the tutor does in a turn, whoever decided it: the model or the fallback. */
export interface TutorMove {
  readonly action: TutorAction
  readonly targetUnitId: string
  readonly tutorText: string
  readonly conceptCard?: ConceptContent
  readonly drillCard?: DrillContent
  readonly examSuggestion?: ExamSuggestion
}

/** The model's answer to a turn: its move and its reading of the student. Seed 004 PF-0.1. */
export interface TutorResponse extends TutorMove {
  readonly analysis: TurnAnalysis
}
