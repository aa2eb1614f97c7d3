import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
} from '@temporalio/workflow'
import type { ArcPracticeActivities } from '../../activities/arc-practice.ts'
import type { ArcStoreActivities } from '../../activities/arc-store.ts'
import type { ModelStepActivities } from '../../activities/model-step.ts'
import { LLM_TASK_QUEUE } from '../../contracts/temporal.ts'

/** Short writes keyed by generation, so that running one twice writes once: they may be local. */
export const store = proxyLocalActivities<ArcStoreActivities>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
})

/** The same for practice sessions, which are keyed by the arc's turn. */
export const practice = proxyLocalActivities<
  Pick<ArcPracticeActivities, 'openPractice' | 'readPracticeOutcome'>
>({
  startToCloseTimeout: '10s',
  retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '10s' },
})

/** Nobody has to wait for it: what is not started here is started by whoever needs it. */
export const practiceStarter = proxyActivities<Pick<ArcPracticeActivities, 'startPractice'>>({
  startToCloseTimeout: '5s',
  retry: { initialInterval: '200ms', maximumAttempts: 3 },
})

/** Model steps: paid for, slow, cancellable; never local. */
export const model = proxyActivities<ModelStepActivities>({
  taskQueue: LLM_TASK_QUEUE,
  startToCloseTimeout: '3m',
  heartbeatTimeout: '10s',
  scheduleToCloseTimeout: '15m',
  cancellationType: ActivityCancellationType.TRY_CANCEL,
  retry: {
    initialInterval: '1s',
    backoffCoefficient: 2,
    maximumInterval: '8s',
    maximumAttempts: 5,
  },
})
