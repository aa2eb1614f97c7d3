import type { Diagnosis } from '../diagnosis/probing.ts'
import type { ErrorPattern, LearningCycle } from '../learning-cycle/cycle.ts'
import type { NodeHistory } from '../mastery/status.ts'
import type { MindMapNode } from '../mind-map/mind-map.ts'
import type { ArcPhase, SubPhase } from './phase.ts'

export type QuestionKind = 'diagnostic' | 'teach' | 'quiz' | 'review' | 'choice'

/** The question the learner is to answer. Its text and key are in the store. */
export interface OpenQuestion {
  id: string
  kind: QuestionKind
  nodeId: string | null
  label: string
  /** Answers given to it so far, and hints taken. */
  tries: number
  hints: number
}

/** The concept in hand: a learning cycle and how far it has come. */
export interface Lesson {
  nodeId: string
  cycle: LearningCycle
  startedAt: number
  stage: 'explain' | 'check' | 'quiz'
  /** The model step that wrote the quiz, and how many of its questions have been asked. */
  quizStep: string | null
  asked: number
  /** Why questions of the last cycle were missed. */
  errors: ErrorPattern[]
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
  /** Reviews put to the learner in this sitting, and quiz questions asked in it. */
  reviewed: number
  quizzed: number
  lastGrade: LastGrade | null
  /** Concepts put behind the other frontier nodes after too many cycles. */
  postponed: string[]
}

export const newFlow = (startedAt: number): ArcFlow => ({
  v: 1,
  phase: 'PENDING',
  subPhase: null,
  turn: 0,
  startedAt,
  lastMessageAt: null,
  sessionCount: 0,
  paused: false,
  blocked: null,
  question: null,
  diagnosis: null,
  diagnosed: false,
  lesson: null,
  reviewed: 0,
  quizzed: 0,
  lastGrade: null,
  postponed: [],
})
