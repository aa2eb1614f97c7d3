import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow'
import type {
  CourseMindActivities,
  CourseStoreActivities,
  ExamAuthorityActivities,
} from '../../contracts/course-workflow.ts'
import { LLM_TASK_QUEUE } from '../../contracts/temporal.ts'

/** Short and repeatable, so they may be local. A request is not waited for without end: see `giveUp`. */
export const store = proxyLocalActivities<CourseStoreActivities>({
  startToCloseTimeout: '10s',
  retry: {
    initialInterval: '200ms',
    backoffCoefficient: 2,
    maximumInterval: '5s',
    maximumAttempts: 8,
  },
})

/** The same for what has to happen some time, however long the store is away. */
export const patientStore = proxyLocalActivities<CourseStoreActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
})

/** A turn never waits for a model: one that is busy or slow is replaced by the fallback. */
export const mind = proxyActivities<CourseMindActivities>({
  taskQueue: LLM_TASK_QUEUE,
  scheduleToStartTimeout: '8s',
  startToCloseTimeout: '25s',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '200ms', maximumAttempts: 2 },
})

/** The authority takes a call with the same key twice without harm. */
export const authority = proxyActivities<ExamAuthorityActivities>({
  startToCloseTimeout: '6s',
  scheduleToCloseTimeout: '9s',
  retry: { initialInterval: '300ms', maximumAttempts: 2 },
})
