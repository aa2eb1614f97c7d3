/** Names that cross the Temporal wire: workflow types, ids, task queues, messages, search attributes. No zod here: workflows import it. */

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

/** A learner's message; its text is already in the store. `sentAt` is ISO 8601. */
export interface UserMessageSignal {
  messageId: string
  questionId?: string
  channel: string
  sentAt: string
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
