import {
  ApplicationFailure,
  ServiceError,
  TimeoutFailure,
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowIdReusePolicy,
} from '@temporalio/client'
import {
  type CurriculumJob,
  JOB_FAILURE,
  type JobKind,
  type JobResults,
  type JobTutor,
} from '../contracts/curriculum-job.ts'
import { STEP_FAILURE } from '../contracts/step-failure.ts'
import { TASK_QUEUE, WORKFLOW, workflowId } from '../contracts/temporal.ts'
import { courseFor, TopicNotCovered } from '../courses/choose.ts'
import { GraphRefusal } from '../store/maps/stored-map.ts'
import type { ToolContext } from './tool.ts'

/** A tool's caller waits a minute at most; the answer is there a little before. */
const PATIENCE_MS = 55_000

/**
 * Runs a job on a map and waits for it. A job that does not end in time is ended, and nothing of
 * it is stored.
 * @throws GraphRefusal with what the planner or the rules say against it, or that nobody answered
 */
export async function runJob<K extends JobKind>(
  { temporal }: Pick<ToolContext, 'temporal'>,
  job: Extract<CurriculumJob, { kind: K }>,
  patienceMs = PATIENCE_MS,
): Promise<JobResults[K]> {
  try {
    return (await temporal.workflow.execute(WORKFLOW.curriculumJob, {
      workflowId: workflowId.curriculum(job.mindMapId),
      taskQueue: TASK_QUEUE,
      args: [job],
      workflowExecutionTimeout: patienceMs,
      workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      workflowIdConflictPolicy: 'FAIL',
      staticSummary: `Curriculum: ${job.kind}`,
    })) as JobResults[K]
  } catch (error) {
    throw refusalOf(error)
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof WorkflowExecutionAlreadyStartedError) {
    return new GraphRefusal('conflict', 'This map is being planned already; try again later.')
  }
  if (error instanceof ServiceError) {
    return new GraphRefusal('conflict', 'Temporal cannot be reached; try again later.')
  }
  if (!(error instanceof WorkflowFailedError)) return error
  const causes = [error.cause, (error.cause as { cause?: unknown } | undefined)?.cause]
  const failure = causes.find((cause) => cause instanceof ApplicationFailure)
  if (failure && isTold(failure)) return new GraphRefusal('conflict', failure.message)
  if (causes.some((cause) => cause instanceof TimeoutFailure)) {
    return new GraphRefusal(
      'conflict',
      'The planner did not answer within a minute; nothing was stored. Try again later.',
    )
  }
  return error
}

/** Whether a failure is one of ours, in words for the caller; any other stays inside. */
const TOLD = new Set<unknown>([...Object.values(JOB_FAILURE), ...Object.values(STEP_FAILURE)])
const isTold = ({ type }: ApplicationFailure): boolean => TOLD.has(type)

/**
 * Who plans a topic that no arc owns, and for which goal.
 * @throws GraphRefusal naming the courses when none covers the topic
 */
export function plannerFor(
  { config, courses }: ToolContext,
  topic: string,
  goal: string | null,
): JobTutor & { goal: string | null } {
  const offline = config.model === null
  try {
    return {
      tutor: offline ? 'offline' : 'anthropic',
      ...courseFor(topic, goal, courses, offline),
    }
  } catch (error) {
    if (error instanceof TopicNotCovered) throw new GraphRefusal('invalid', error.message)
    throw error
  }
}
