import { patched, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { HousekeepingActivities } from '../../activities/housekeeping.ts'

const activities = proxyActivities<HousekeepingActivities>({
  startToCloseTimeout: '1h',
  heartbeatTimeout: '1m',
  retry: { initialInterval: '10s', maximumInterval: '5m', maximumAttempts: 20 },
})

/** The nominal time of the schedule that started this run, else when it was started; UTC ms. */
function nominalTime(): number {
  const scheduled = workflowInfo().workflowId.match(/\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  return scheduled ? Date.parse(scheduled[0]) : workflowInfo().startTime.getTime()
}

/** Every night at 03:00 UTC: a snapshot of each map (seed 000 D6), what has grown old is forgotten, memories are fitted. */
export async function nightlyAnalytics(): Promise<number> {
  const at = nominalTime()
  const snapshots = await activities.takeSnapshots({ at })
  await activities.forgetTeacherEvents({ at })
  if (patched('nightly-analytics-2026-11-memories')) await activities.fitMemories({ at })
  return snapshots
}

/** Once a week: learners who stay away are told, and a week later their arc is closed. */
export async function staleArcSweep(): Promise<{ warned: number; abandoned: number }> {
  return activities.sweepStaleArcs({ at: nominalTime() })
}
