/** Names that cross the Temporal wire: workflow types, ids, task queues, messages, search attributes. No zod here: workflows import it. */
import type { Reply } from '../domain/arc/reply.ts'

export const TASK_QUEUE = 'meno'
export const LLM_TASK_QUEUE = 'meno-llm'

/** What a worker that was killed in the middle of a task costs its workflow, at most. */
export const WORKFLOW_TASK_TIMEOUT = '5s'

export const WORKFLOW = {
  learningArc: 'learningArc',
  practiceSession: 'practiceSession',
  courseTutor: 'courseTutor',
  studyAgenda: 'studyAgenda',
  curriculumJob: 'curriculumJob',
} as const

/** Workflow ids are built here and nowhere else; only internal ids appear in them. */
export const workflowId = {
  arc: (arcId: string) => `arc-${arcId}`,
  practice: (sessionUuid: string) => `practice-${sessionUuid}`,
  course: (courseId: string, learnerUuid: string) => `course-${courseId}-${learnerUuid}`,
  agenda: (learnerUuid: string) => `agenda-${learnerUuid}`,
  curriculum: (mindMapId: string) => `curriculum-${mindMapId}`,
}

export const SIGNAL = {
  userMessage: 'userMessage',
  abandon: 'abandon',
  replan: 'replan',
  reviewNow: 'reviewNow',
  pause: 'pause',
  resume: 'resume',
  stop: 'stop',
  regenerate: 'regenerate',
  practiceOutcome: 'practiceOutcome',
  modelProgress: 'modelProgress',
} as const

/** Says that something is in the inbox, and nothing else. */
export const WAKE_SIGNAL = 'wake'

export const FLOW_STATE_QUERY = 'flowState'

/** Search attributes, all typed; ids and enums only, never a learner's words. */
export const SEARCH_ATTRIBUTE = {
  arcPhase: { name: 'ArcPhase', type: 'KEYWORD' },
  learnerId: { name: 'LearnerId', type: 'KEYWORD' },
  courseId: { name: 'CourseId', type: 'KEYWORD' },
  nextReviewAt: { name: 'NextReviewAt', type: 'DATETIME' },
  masteryPct: { name: 'MasteryPct', type: 'DOUBLE' },
} as const

export const SEARCH_ATTRIBUTES = Object.values(SEARCH_ATTRIBUTE)

export interface ArcInput {
  arcId: string
}

/** A learner's message; its text is already in the store. `sentAt` is ISO 8601. */
export interface UserMessageSignal {
  messageId: string
  questionId?: string
  channel: string
  sentAt: string
  /** Left out by whoever only passes it on; the workflow has it read then. */
  reading?: EarlyReading
}

/** A message as code read it when it was stored: it holds if its turn finds the arc as it stood then. */
export interface EarlyReading {
  /** The number of the turn that would take it up. */
  turn: number
  openQuestionId: string | null
  reply: Reply
  /** When the message was stored, in epoch milliseconds. */
  at: number
}

export interface AbandonSignal {
  reason: string
}

export interface ReplanSignal {
  reason?: string
  goal?: string
}

/** The learner has read enough of what is being streamed in this turn. */
export interface StopSignal {
  turnId: string
}

/** A message that a model wrote is to be written again. */
export interface RegenerateSignal {
  messageId: string
}

/** A practice session on one of the arc's concepts is completed; how it went is in the store. */
export interface PracticeOutcomeSignal {
  sessionId: string
}

/** From the activity that streams a model's answer: tokens are still coming. */
export interface ModelProgressSignal {
  stepKey: string
}

/** What the Temporal UI and the `flowState` query show: the seed's fields, the phase in upper case. */
export interface FlowState {
  status: string
  mind_map_id: string
  current_node_id: string | null
  current_phase: string | null
  diagnostic_results: Record<string, { quality: number; inferred_mastery: number }>
  session_count: number
  started_at: string
  last_session_at: string | null
}
