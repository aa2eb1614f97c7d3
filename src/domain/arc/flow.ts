import type { Diagnosis } from '../diagnosis/diagnosis.ts'
import type { Cycle } from '../learning-cycle/cycle.ts'
import type { ErrorPattern } from '../learning-cycle/error-pattern.ts'
import type { NodeHistory } from '../mastery/status.ts'
import type { MindMapNode } from '../mind-map/mind-map.ts'
import type { ArcPhase, SubPhase } from './phase.ts'

/** Who speaks or acts in an arc (seed 003). */
export type Role = 'coordinator' | 'diagnostic' | 'tutor' | 'quiz' | 'feedback' | 'pathplanner'

export type QuestionKind = 'diagnostic' | 'teach' | 'quiz' | 'review' | 'choice'

/** Where a question stands: its place in what a model step wrote. */
export interface QuestionSource {
  step: string
  index: number
  format: 'multiple_choice' | 'short_answer'
}

/** The question the learner is to answer. Its text and key are in the store. */
export interface OpenQuestion {
  id: string
  kind: QuestionKind
  nodeId: string | null
  label: string
  format: 'multiple_choice' | 'short_answer'
  /** Answers given to it so far, and hints taken. */
  tries: number
  hints: number
}

/** The concept in hand: a learning cycle and how far it has come. */
export interface Lesson {
  nodeId: string
  cycle: Cycle
  startedAt: number
  stage: 'explain' | 'check' | 'quiz'
  /** The model step that wrote the explanation and its check question. */
  explained: QuestionSource | null
  /** The quiz's questions, and how many of them were asked. */
  quiz: { questions: QuestionSource[]; asked: number } | null
  /** Why questions of the last cycle were missed. */
  errors: ErrorPattern[]
  /** Teaches again what the learner has had before: a lesson and its check question, no quiz. */
  refresher: boolean
}

/** The last grade, kept so that it can be contested once: what was before it, and who judged. */
export interface LastGrade {
  responseId: string
  questionId: string
  messageId: string
  kind: QuestionKind
  judgedBy: 'code' | 'model'
  quality: number
  node: MindMapNode
  history: NodeHistory
  lesson: Lesson | null
}

export interface BlockedFlow {
  reason: string
  since: number
  retryAt: number
}

/**
 * The flow state of an arc: all that the workflow knows beside the mind map, as plain JSON. Times are UTC ms.
 * With the map's rows it is enough to go on from where the arc stopped.
 */
export interface ArcFlow {
  v: 1
  phase: ArcPhase
  subPhase: SubPhase | null
  turn: number
  /** A turn that has been written in part: whose it is, and how often it has run each kind of model step. */
  openTurn: { messageId: string | null; steps: Record<string, number> } | null
  startedAt: number
  lastMessageAt: number | null
  sessionCount: number
  paused: boolean
  blocked: BlockedFlow | null
  question: OpenQuestion | null
  diagnosis: Diagnosis | null
  /** Whether the diagnosis is over, by its own end or by the learner's wish. */
  diagnosed: boolean
  lesson: Lesson | null
  /** Reviews of the batch in hand that are still to come. */
  batch: string[]
  /** Quiz questions asked in this sitting. */
  quizzed: number
  lastGrade: LastGrade | null
  /** Concepts whose cycles were spent: their next ones have easier questions. */
  eased: string[]
  /** The role that speaks. */
  role: Role
}

export const newFlow = (startedAt: number): ArcFlow => ({
  v: 1,
  phase: 'PENDING',
  subPhase: null,
  turn: 0,
  openTurn: null,
  startedAt,
  lastMessageAt: null,
  sessionCount: 0,
  paused: false,
  blocked: null,
  question: null,
  diagnosis: null,
  diagnosed: false,
  lesson: null,
  batch: [],
  quizzed: 0,
  lastGrade: null,
  eased: [],
  role: 'coordinator',
})
