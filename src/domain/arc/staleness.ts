const DAY_MS = 86_400_000
/** Real days, never scaled (seed 000, risks: stale flows). */
export const ABSENT_DAYS = 30
const WARNING_DAYS = 7

export interface Attendance {
  /** Since when the open question has waited, UTC ms; null while nothing is asked. */
  wantedSince: number | null
  lastMessageAt: number | null
  warnedAt: number | null
  paused: boolean
}

/**
 * Whether an arc is stale: more than 30 days in which the learner was wanted and did not come. It is closed a week
 * after saying so. Waiting for a review that is not yet due is no absence, nor is a pause.
 */
export function staleness(attendance: Attendance, now: number): 'fine' | 'warn' | 'abandon' {
  const { wantedSince, lastMessageAt, warnedAt, paused } = attendance
  if (paused || wantedSince === null) return 'fine'
  const absentSince = Math.max(wantedSince, lastMessageAt ?? wantedSince)
  if (now - absentSince <= ABSENT_DAYS * DAY_MS) return 'fine'
  if (warnedAt === null || warnedAt < absentSince) return 'warn'
  return now - warnedAt >= WARNING_DAYS * DAY_MS ? 'abandon' : 'fine'
}
