/** How an exam question stands for the learner. */
export interface ExamState {
  status: 'available' | 'locked' | 'passed'
  lockedUntil?: string
}

/** A lock that has run out is none. `now` in UTC ms. */
export function currentStatus({ status, lockedUntil }: ExamState, now: number) {
  const isOver = lockedUntil !== undefined && Date.parse(lockedUntil) <= now
  return status === 'locked' && isOver ? 'available' : status
}

/** What is left until then, begun minutes counted whole: "18h 12m", "12m", "45s" in the last minute. Times in UTC ms. */
export function timeLeft(until: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  if (seconds < 60) return `${seconds}s`
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`
}
