import { derivedId } from '../spine/ids.ts'
import type { Delivery } from './state.ts'

/** A report that could not be delivered for so long is given up. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15 * 60_000

/** A delivery of its own, from now on. */
export const newDelivery = (sessionId: string, at: number): Delivery => ({
  status: 'pending',
  id: derivedId(sessionId, 'delivery', at),
  since: at,
  tries: 0,
  nextAt: null,
  note: null,
})

/**
 * The delivery after a try that failed: tried for a day, ever more rarely, the last time at its end.
 * @param isFinal whether another try would be refused as well
 */
export function notDelivered(
  delivery: Delivery,
  note: string,
  isFinal: boolean,
  at: number,
): Delivery {
  const { since, tries } = delivery
  const end = since + GIVE_UP_AFTER_MS
  if (isFinal || at >= end) return { ...delivery, note, status: 'given_up', nextAt: null }
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 20))
  return { ...delivery, note, tries: tries + 1, nextAt: Math.min(at + pause, end) }
}

/** Whether a delivery that failed is to be tried again now. */
export const isDue = (delivery: Delivery | null, at: number): delivery is Delivery =>
  delivery !== null && delivery.nextAt !== null && delivery.nextAt <= at
