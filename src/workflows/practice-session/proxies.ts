import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow'
import type { ArcPracticeActivities } from '../../activities/arc-practice.ts'
import type { PracticeDeliveryActivities } from '../../activities/practice-delivery.ts'
import type { PracticeStepActivities } from '../../activities/practice-steps.ts'
import type { PracticeStoreActivities } from '../../activities/practice-store.ts'
import { LLM_TASK_QUEUE } from '../../contracts/temporal.ts'

/** Short writes keyed by generation, so that running one twice writes once: they may be local. */
export const store = proxyLocalActivities<PracticeStoreActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
})

/** Verdicts of the model: one that is late still counts, so they outlive their turn. */
export const judge = proxyActivities<Pick<PracticeStepActivities, 'judgePractice'>>({
  taskQueue: LLM_TASK_QUEUE,
  startToCloseTimeout: '60s',
  heartbeatTimeout: '10s',
  scheduleToCloseTimeout: '10m',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '30s' },
})

/** Replies: nobody waits for one that is late, a canned one takes its place. */
export const speaker = proxyActivities<Pick<PracticeStepActivities, 'replyPractice'>>({
  taskQueue: LLM_TASK_QUEUE,
  scheduleToCloseTimeout: '6s',
  heartbeatTimeout: '10s',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '300ms', maximumAttempts: 2 },
})

/** The outcome's way to the arc: tried until it is there. */
export const arc = proxyActivities<Pick<ArcPracticeActivities, 'tellArc'>>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '1m' },
})

/** The report's way to the LMS: tried for a day, ever more rarely. */
export const delivery = proxyActivities<PracticeDeliveryActivities>({
  startToCloseTimeout: '30s',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '15m' },
})
