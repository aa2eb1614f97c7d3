/** How workflows are started, alike from the API and from activities. No zod here: it stands beside what workflows import. */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { SEARCH_ATTRIBUTE, TASK_QUEUE, workflowId } from './temporal.ts'

const key = {
  phase: defineSearchAttributeKey(SEARCH_ATTRIBUTE.arcPhase.name, SearchAttributeType.KEYWORD),
  learnerId: defineSearchAttributeKey(SEARCH_ATTRIBUTE.learnerId.name, SearchAttributeType.KEYWORD),
  courseId: defineSearchAttributeKey(SEARCH_ATTRIBUTE.courseId.name, SearchAttributeType.KEYWORD),
}

/** What the start of an arc's workflow needs to know of it. */
export interface ArcToStart {
  id: string
  phase: string
  learner_id: string
  course_id: string | null
}

/** The options that start the workflow of a stored arc, for the first time or again. */
export const arcStart = (arc: ArcToStart) => ({
  workflowId: workflowId.arc(arc.id),
  taskQueue: TASK_QUEUE,
  args: [{ arcId: arc.id }] as [{ arcId: string }],
  workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
  workflowIdConflictPolicy: 'USE_EXISTING' as const,
  staticSummary: `Learning arc, ${arc.course_id ?? 'free topic'}`,
  typedSearchAttributes: [
    { key: key.phase, value: arc.phase },
    { key: key.learnerId, value: arc.learner_id },
    ...(arc.course_id ? [{ key: key.courseId, value: arc.course_id }] : []),
  ],
})
