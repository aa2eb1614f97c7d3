import type { Client } from '@temporalio/client'
import { defineSearchAttributeKey, WorkflowNotFoundError } from '@temporalio/common'
import type { ProductName } from '../contracts/spine.ts'
import {
  SEARCH_ATTRIBUTE,
  TASK_QUEUE,
  WAKE_SIGNAL,
  WORKFLOW,
  WORKFLOW_TASK_TIMEOUT,
} from '../contracts/temporal.ts'
import type { EntityToWake } from '../store/spine/entities.ts'

/** The workflow that looks after an entity of the product, and what the Temporal UI calls it. */
const WORKFLOW_OF: Record<ProductName, { type: string; summary: string }> = {
  arc: { type: WORKFLOW.learningArc, summary: 'Learning arc' },
  practice: { type: WORKFLOW.practiceSession, summary: 'Practice session' },
  course: { type: WORKFLOW.courseTutor, summary: 'Course' },
  curriculum: { type: WORKFLOW.curriculumJob, summary: 'Curriculum' },
  agenda: { type: WORKFLOW.studyAgenda, summary: 'Agenda' },
}

/** A nudge may wait behind whoever waits for an answer. Temporal's highest priority is 1, its lowest 5. */
const PRIORITY_KEY = { answer: 3, nudge: 5 } as const

const learnerKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTE.learnerId.name,
  SEARCH_ATTRIBUTE.learnerId.type,
)
const courseKey = defineSearchAttributeKey(
  SEARCH_ATTRIBUTE.courseId.name,
  SEARCH_ATTRIBUTE.courseId.type,
)

/**
 * Tells the workflow of an entity that something waits for it; one that does not run is started, for the first time or
 * again. A signal other than the plain one may go with it, for whoever reads the history.
 */
export async function wakeEntity(
  { workflow }: Client,
  { id, product, workflow_id: workflowId, learner_id, course_id }: EntityToWake,
  signal: { name: string; args: unknown[] } = { name: WAKE_SIGNAL, args: [] },
): Promise<void> {
  try {
    // Nearly always it runs, and a plain signal is the cheaper request.
    await workflow.getHandle(workflowId).signal(signal.name, ...signal.args)
    return
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
  const { type, summary } = WORKFLOW_OF[product]
  const priorityKey = product === 'agenda' ? PRIORITY_KEY.nudge : PRIORITY_KEY.answer
  await workflow.signalWithStart(type, {
    workflowId,
    taskQueue: TASK_QUEUE,
    args: [{ id }],
    signal: signal.name,
    signalArgs: signal.args,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowIdConflictPolicy: 'USE_EXISTING',
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT,
    priority: { priorityKey },
    staticSummary: course_id ? `${summary}, ${course_id}` : summary,
    typedSearchAttributes: [
      ...(learner_id ? [{ key: learnerKey, value: learner_id }] : []),
      ...(course_id ? [{ key: courseKey, value: course_id }] : []),
    ],
  })
}
