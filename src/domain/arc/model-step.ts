import type { ErrorPattern } from '../learning-cycle/error-pattern.ts'

/**
 * A model step: one thing asked of the tutor's mind. What it says lives in the store under its key;
 * the workflow sees only the digest it needs to decide what comes next.
 */
export interface StepInputs {
  inventory: Record<string, never>
  probe: { label: string }
  summary: { probes: { label: string; quality: number }[] }
  graph: { violations: string[]; goal: string | null }
  lesson: { nodeId: string; cycle: number; errors: ErrorPattern[] }
  quiz: { nodeId: string; count: number; missed: string[]; easier: boolean }
  review: { nodeId: string }
  grade: { questionId: string; messageId: string; again: boolean }
  feedback: { nodeId: string; cycle: number; questionIds: string[] }
  replan: { reason: string | null; goal: string | null; nodeId: string | null }
  path: Record<string, never>
  route: { messageId: string; questionId: string | null }
  help: { messageId: string; questionId: string | null; concept: string | null }
}

export interface QuestionDigest {
  concept: string
  format: 'multiple_choice' | 'short_answer'
}

export interface GraphDigest {
  root: string
  nodes: { label: string; effortMinutes: number; unitId: string | null; optional?: boolean }[]
  edges: { parent: string; child: string }[]
  goalLabels: string[]
}

export interface StepDigests {
  inventory: {
    concepts: {
      label: string
      difficulty: 'beginner' | 'intermediate' | 'expert'
      prerequisites: string[]
    }[]
  }
  probe: { questions: QuestionDigest[] }
  summary: { level: 'beginner' | 'intermediate' | 'advanced' }
  graph: GraphDigest
  lesson: { questions: QuestionDigest[] }
  quiz: { questions: QuestionDigest[] }
  review: { questions: QuestionDigest[] }
  grade: { quality: number | null; error: ErrorPattern | null }
  feedback: { errors: ErrorPattern[] }
  replan: Omit<GraphDigest, 'root' | 'goalLabels'>
  path: Record<string, never>
  route: {
    intent: 'answer' | 'diagnose' | 'learn' | 'plan' | 'help' | 'off_topic'
    concept: string | null
    reason: string
  }
  help: Record<string, never>
}

export type StepKind = keyof StepInputs

/** A step to run: `key` names it for good, so that running it twice asks the model once. */
export interface ModelStep<K extends StepKind = StepKind> {
  arcId: string
  turn: number
  key: string
  kind: K
  input: StepInputs[K]
}
