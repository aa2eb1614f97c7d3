import { derivedId } from '../spine/ids.ts'
import type { Delivery, Errand } from './state.ts'

/** A report that could not be delivered for so long is given up. */
const GIVE_UP_AFTER_MS = 24 * 60 * 60_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 15 * 60_000

export const newErrand = (): Errand => ({ tries: 0, nextAt: null })

/** A delivery of its own, from now on. */
export const newDelivery = (sessionId: string, at: number): Delivery => ({
  ...newErrand(),
  status: 'pending',
  id: derivedId(sessionId, 'delivery', at),
  since: at,
  note: null,
})

/** The errand after a try that failed: tried again, ever more rarely. */
export function triedInVain<E extends Errand>(errand: E, at: number): E {
  const { tries } = errand
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 20))
  return { ...errand, tries: tries + 1, nextAt: at + pause }
}

/**
 * The delivery after a try that failed: tried for a day, the last time at its end.
 * @param isFinal whether another try would be refused as well
 */
export function notDelivered(
  delivery: Delivery,
  note: string,
  isFinal: boolean,
  at: number,
): Delivery {
  const end = delivery.since + GIVE_UP_AFTER_MS
  if (isFinal || at >= end) return { ...delivery, note, status: 'given_up', nextAt: null }
  const tried = triedInVain(delivery, at)
  return { ...tried, note, nextAt: Math.min(tried.nextAt ?? end, end) }
}

/** The errand, to be tried now if its time has come. */
export const dueNow = <E extends Errand>(errand: E | null, at: number): E | null =>
  errand !== null && errand.nextAt !== null && errand.nextAt <= at
    ? { ...errand, nextAt: null }
    : errand
