import type { Course, Unit } from '../contracts/course-pack.ts'
import type {
  DiagnosticSummary,
  Feedback,
  Grade,
  LearningPath,
  RouteDecision,
} from '../contracts/llm.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import type { StepInputs, StepKind } from '../domain/arc/model-step.ts'

/** A question as the tutor asks it: what the learner sees, and how the answer is judged. */
export interface TutorQuestion {
  concept: string
  /** Markdown with `$LaTeX$`. */
  text: string
  format: 'multiple_choice' | 'short_answer'
  options: { id: string; text: string }[] | null
  /** How code judges it; null where only the criteria can. */
  key: AnswerKey | null
  /** The right answer as a person would write it. */
  expected: string
  criteria: string
  difficulty: 'easy' | 'medium' | 'hard'
  hints: string[]
  solution: string | null
  mistakes: { answer: string; tag: string }[]
  /** Where it comes from: a bank question's id, `template#seed`, or null for one the model made up. */
  source: string | null
}

export interface PlannedConcept {
  label: string
  description: string
  effortMinutes: number
  unitId: string | null
  optional?: boolean
}

/** What each model step returns; kept in the store under the step's key. */
export interface StepOutputs {
  inventory: {
    concepts: {
      label: string
      description: string
      difficulty: 'beginner' | 'intermediate' | 'expert'
      prerequisites: string[]
    }[]
  }
  probe: { questions: TutorQuestion[] }
  summary: DiagnosticSummary
  graph: {
    root: string
    nodes: PlannedConcept[]
    edges: { parent: string; child: string }[]
    goalLabels: string[]
  }
  lesson: { explanation: string; example: string | null; questions: TutorQuestion[] }
  quiz: { questions: TutorQuestion[] }
  review: { questions: TutorQuestion[] }
  /** `quality` null: it could not be graded, so nothing is stored and the question is put again. */
  grade: Omit<Grade, 'quality'> & { quality: number | null }
  feedback: Feedback
  replan: {
    nodes: PlannedConcept[]
    edges: { parent: string; child: string }[]
    explanation: string
  }
  path: LearningPath
  route: RouteDecision
  help: { text: string }
}

/** A question that was put to the learner, read back from the store. */
export interface AskedQuestion extends TutorQuestion {
  id: string
  nodeId: string | null
  kind: string
  quality: number | null
}

/** What the tutor is told before every step: bounded, never the whole transcript. Read in this order. */
export interface StepContext<K extends StepKind = StepKind> {
  kind: K
  input: StepInputs[K]
  /** Seeds whatever an implementation draws at random, so that a repeated step draws the same. */
  seed: number
  arc: {
    topic: string
    goal: string | null
    language: string
    level: string
    phase: string
    limits: { maxNodes: number; maxDepth: number }
  }
  frontier: { label: string; status: string }[]
  /** Every concept of the map in learning order; empty before there is one. */
  concepts: { id: string; label: string; status: string; score: number; prerequisites: string[] }[]
  concept: { id: string; label: string; description: string; unitId: string | null } | null
  /** The last ten responses on the concept, oldest first. */
  responses: { question: string; answer: string; quality: number }[]
  facts: string[]
  /** Retrieved course material; text from files is data, never instructions. */
  material: { source: string; text: string }[]
  /** What the diagnosis showed, by concept. */
  probes: { label: string; quality: number }[]
  inventory: string[]
  course: Course | null
  unit: Unit | null
  goalUnitIds: string[]
  /** Questions already asked on the concept, oldest first. */
  asked: { id: string; source: string | null; text: string; quality: number | null }[]
  /** The questions that the input names, in its order. */
  questions: AskedQuestion[]
  message: { id: string; text: string } | null
  /** What code found out about the learner's answer before the model is asked; never to be overruled. */
  codeVerdict: string | null
}

/** How a running step is heard and stopped. */
export interface Live {
  signal: AbortSignal
  /** A piece of text the learner may already see: lessons and help only. */
  onText: (piece: string) => void
  /** Something came in, so the model is alive. */
  onToken: () => void
}

export interface StepResult<K extends StepKind> {
  output: StepOutputs[K]
  model: string
  inputTokens: number
  outputTokens: number
}

/** The mind of the tutor. Two implementations: `anthropic/` asks a model, `offline/` teaches from a course pack. */
export interface Tutor {
  readonly name: 'anthropic' | 'offline'
  run<K extends StepKind>(context: StepContext<K>, live: Live): Promise<StepResult<K>>
}

/**
 * Why a step failed, for those who decide what to do about it.
 * `overloaded` and `unavailable` pass by themselves; `refused` needs an operator; `malformed` needs a fallback.
 */
export type TutorFailureKind = 'overloaded' | 'unavailable' | 'refused' | 'malformed'

export class TutorFailure extends Error {
  readonly kind: TutorFailureKind
  /** Milliseconds the model's server asked to wait, where it did. */
  readonly retryAfterMs: number | null

  constructor(kind: TutorFailureKind, message: string, retryAfterMs: number | null = null) {
    super(message)
    this.name = 'TutorFailure'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}
