import type { ProgramVerdict } from '../answers/program.ts'
import type { InventoryConcept } from '../diagnosis/diagnosis.ts'
import type { ErrorPattern } from '../learning-cycle/error-pattern.ts'
import type { Closing } from './closing.ts'
import type { Question } from './question.ts'

/** A concept as a planner proposes it. */
export interface PlannedConcept {
  label: string
  description: string
  effortMinutes: number
  unitId: string | null
  optional?: boolean
}

/**
 * What an arc asks to have done for it, by kind: most are things asked of the tutor's mind, some are looked up by code.
 * An input is kept in the arc's state until it is answered.
 */
export interface StepInputs {
  inventory: Record<string, never>
  probe: { label: string }
  summary: { probes: { label: string; quality: number }[] }
  /** `violations`: what was wrong with the plan before, where it is asked for again. */
  graph: { violations: string[]; goal: string | null }
  /** `replaces`: the message that is written again. */
  /** `showing`: how often it will have been explained by then; `missed`: questions of the last quiz. */
  lesson: {
    nodeId: string
    cycle: number
    showing: number
    missed: string[]
    errors: ErrorPattern[]
    replaces: string | null
  }
  quiz: { nodeId: string; count: number; missed: string[]; easier: boolean }
  /**
   * One question. `check`: of a lesson that has none of its own; `easier`: after a check question that stayed wrong;
   * `placed`: to check what the diagnosis says; `mixed`: on a neighbour of the concept in hand; `instead`: in the place of the open question.
   */
  review: {
    nodeId: string
    purpose: 'review' | 'check' | 'easier' | 'placed' | 'mixed' | 'instead'
  }
  /**
   * `routed`: the coordinator has taken the message for an answer; `secondTry`: a wrong answer may be tried once more, so
   * that nothing of the right one may be told.
   */
  grade: {
    questionId: string
    messageId: string
    again: boolean
    routed?: boolean
    secondTry?: boolean
  }
  /** Why code found the message, an answer to the question, wrong or only close. */
  explain: {
    questionId: string
    messageId: string
    codeVerdict: 'close' | 'wrong'
    tried: string | null
  }
  /** `passed`: the cycle is passed all the same; the arc goes on without if nothing comes. */
  feedback: { nodeId: string; cycle: number; questionIds: string[]; passed?: boolean }
  /** `nodeId`: the concept whose cycles are spent; null: it was asked for. */
  replan: { reason: string | null; goal: string | null; nodeId: string | null }
  path: { purpose: 'asked' | 'completed' }
  /** `remark`: the grader has found that the message is no answer. */
  route: { messageId: string; questionId: string | null; remark?: boolean }
  /** `times`: how often the concept was explained in between before, so that it is done another way. */
  help: {
    messageId: string
    questionId: string | null
    concept: string | null
    wish: HelpWish
    times: number
    replaces: string | null
  }
  /** Problems to practise, on one concept or on several. */
  exercises: { nodeIds: string[]; turn: number }
  /** Code opens a practice session on concepts, of what was written for it, else of what there is. */
  practice: { nodeIds: string[]; turn: number; written: Question[] }
  /** Code looks up how a practice session went. */
  outcome: { sessionId: string }
  /** Code looks up what the learner has made of a topic that is completed. */
  closing: Record<string, never>
  /** The sandbox tests the program that a message brought. */
  'run-program': { questionId: string; messageId: string }
}

/** What a learner wants in between: a question answered, the idea again, an example, or how to go about the question. */
export type HelpWish = 'question' | 'explain' | 'example' | 'method'

export type StepKind = keyof StepInputs

/** Steps that only code answers, whoever the tutor is. */
export const CODE_STEPS = ['practice', 'outcome', 'closing'] as const satisfies StepKind[]

/** Kinds that the tutor's mind answers. */
export type MindStepKind = Exclude<StepKind, (typeof CODE_STEPS)[number] | 'run-program'>

/** A pattern that somebody saw in mistakes. */
interface SeenPattern {
  pattern_type: ErrorPattern['patternType']
  description: string
  suggested_remediation: string
}

export interface StepOutputs {
  inventory: { concepts: (InventoryConcept & { description: string })[] }
  probe: { questions: Question[] }
  summary: {
    learner_level: 'beginner' | 'intermediate' | 'advanced'
    prerequisite_gaps: string[]
    recommendations: string[]
  }
  graph: {
    root: string
    nodes: PlannedConcept[]
    edges: { parent: string; child: string }[]
    goalLabels: string[]
  }
  /** `questions`: the check question, then an easier one where there is one. */
  lesson: { explanation: string; example: string | null; questions: Question[] }
  quiz: { questions: Question[] }
  review: { questions: Question[] }
  /**
   * `isAnswer` false: the message is no answer to the question, so nothing is graded. `quality` null: it could not be
   * graded, so nothing is stored and the question is put again.
   */
  grade: {
    isAnswer: boolean
    quality: number | null
    is_correct: boolean
    /** Empty where it told what may not be told yet. */
    feedback_text: string
    error_pattern?: SeenPattern | undefined
  }
  /** To the learner; empty where there is nothing to say. */
  explain: { feedback_text: string }
  feedback: {
    error_patterns: (SeenPattern & { affected_questions: string[] })[]
    feedback_text: string
    improvement_areas: string[]
    facts_to_remember?: string[] | undefined
  }
  replan: {
    nodes: PlannedConcept[]
    edges: { parent: string; child: string }[]
    explanation: string
  }
  path: { learning_path: string[]; next_topic: string; path_reasoning: string }
  route: {
    intent: 'answer' | 'diagnose' | 'learn' | 'plan' | 'help' | 'off_topic'
    concept?: string | null | undefined
    reason: string
  }
  help: { text: string }
  exercises: { questions: Question[] }
  /** Null: there is no question on the concepts that could be practised. */
  practice: OpenedPractice | null
  /** Null: it is not known, or was taken up before. */
  outcome: PracticeResult | null
  closing: Closing
  'run-program': ProgramVerdict
}

/** A practice session for the learner to go to. */
export interface OpenedPractice {
  sessionId: string
  /** The id that the practice endpoints know. */
  externalSessionId: string
  nodeIds: string[]
  /** Whether it was open before, and is to be finished first. */
  isOld: boolean
  count: number
  /** What a new session is made of; the product that keeps it knows its shape. */
  session: unknown
}

/** How a practice session went: how much of it was solved, and the problems that were tried. */
export interface PracticeResult {
  nodeIds: string[]
  solved: number
  total: number
  problems: {
    index: number
    nodeId: string
    outcome: 'mastered' | 'learned' | 'struggling' | 'stuck' | 'skipped'
  }[]
}

/** Whether nothing depends on what a step brings: it is asked for once, and briefly, and the arc goes on without it. */
export function isExtra({ kind, input }: Asking): boolean {
  switch (kind) {
    case 'explain':
    case 'exercises':
      return true
    case 'feedback':
      return input.passed === true
    case 'path':
      return input.purpose === 'completed'
    default:
      return false
  }
}

/** A step that the arc waits for. */
export type Asking = {
  [K in StepKind]: {
    /** Names the step for good. */
    key: string
    kind: K
    input: StepInputs[K]
    /** What it is about, for the Temporal UI. */
    label: string
  }
}[StepKind]
