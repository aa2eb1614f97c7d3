/** Where the clock of a zone stands: the date as YYYY-MM-DD and the hour, 0 to 23. */
export interface LocalClock {
  date: string
  hour: number
}

/**
 * The learner's calendar and clock at a moment.
 * @param at UTC ms
 * @param timeZone an IANA zone
 * @throws RangeError for an unknown zone
 */
export function localClock(at: number, timeZone: string): LocalClock {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    hour: Number(part('hour')),
  }
}

/** A stretch of time in which a zone keeps to one offset: local time is UTC + `offset`. All in ms, `to` excluded. */
export interface OffsetStretch {
  from: number
  to: number
  offset: number
}

const DAY_MS = 86_400_000
const SECOND_MS = 1_000

/**
 * The offsets of a zone from `from` to `to`, UTC ms, oldest first; two changes are at least a day apart.
 * @throws RangeError for an unknown zone
 */
export function offsetStretches(timeZone: string, from: number, to: number): OffsetStretch[] {
  const offsetAt = offsetsOf(timeZone)
  const stretches: OffsetStretch[] = []
  let since = from
  for (let day = from; day < to; day += DAY_MS) {
    const next = Math.min(day + DAY_MS, to)
    if (offsetAt(day) === offsetAt(next)) continue
    const change = changeBetween(offsetAt, day, next)
    stretches.push({ from: since, to: change, offset: offsetAt(day) })
    since = change
  }
  return [...stretches, { from: since, to, offset: offsetAt(to) }].filter(
    (one) => one.from < one.to,
  )
}

/** The first whole second at which the offset is another than at `low`. */
function changeBetween(offsetAt: (at: number) => number, low: number, high: number): number {
  const before = offsetAt(low)
  let [same, changed] = [Math.floor(low / SECOND_MS), Math.ceil(high / SECOND_MS)]
  while (changed - same > 1) {
    const middle = Math.floor((same + changed) / 2)
    if (offsetAt(middle * SECOND_MS) === before) same = middle
    else changed = middle
  }
  return changed * SECOND_MS
}

/**
 * The moment, in UTC ms, at which the clock of a zone shows so many minutes since midnight on a date, YYYY-MM-DD; a time
 * that the clock skips is the one after the change.
 * @throws RangeError for an unknown zone
 */
export function localMoment(date: string, minutes: number, timeZone: string): number {
  const offsetAt = offsetsOf(timeZone)
  const local = Date.parse(`${date}T00:00:00Z`) + minutes * 60_000
  const near = local - offsetAt(local)
  return local - offsetAt(near)
}

function offsetsOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const part: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(at)) part[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
    const local = Date.UTC(year, month - 1, day, hour, minute, second)
    return local - Math.floor(at / SECOND_MS) * SECOND_MS
  }
}
