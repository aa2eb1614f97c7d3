import {
  type Client,
  ScheduleAlreadyRunning,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client'
import { TASK_QUEUE } from '../contracts/temporal.ts'

/** What is done by the calendar, in UTC. An outage is caught up within the window, once. */
const SCHEDULES: ScheduleOptions[] = [
  {
    scheduleId: 'nightly-analytics',
    spec: { calendars: [{ hour: 3, minute: 0 }], timezone: 'UTC' },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '12 hours' },
    action: {
      type: 'startWorkflow',
      workflowType: 'nightlyAnalytics',
      workflowId: 'nightly-analytics',
      taskQueue: TASK_QUEUE,
    },
  },
  {
    scheduleId: 'stale-arc-sweep',
    spec: { calendars: [{ dayOfWeek: 'MONDAY', hour: 4, minute: 0 }], timezone: 'UTC' },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '6 days' },
    action: {
      type: 'startWorkflow',
      workflowType: 'staleArcSweep',
      workflowId: 'stale-arc-sweep',
      taskQueue: TASK_QUEUE,
    },
  },
]

/** Makes the schedules that are missing and brings the others up to date. */
export async function ensureSchedules({ schedule }: Client): Promise<void> {
  for (const wanted of SCHEDULES) {
    try {
      await schedule.create(wanted)
    } catch (error) {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error
      const { spec, policies, action } = wanted
      await schedule
        .getHandle(wanted.scheduleId)
        .update((now) => ({ ...now, spec, action, policies: { ...now.policies, ...policies } }))
    }
  }
}
