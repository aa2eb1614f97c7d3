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
