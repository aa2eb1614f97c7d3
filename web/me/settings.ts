import type { LearnerPatch, LearnerView } from '../../src/contracts/learner.ts'

/** The settings as they stand in the form; an empty text is none. */
export interface Settings {
  name: string
  language: string
  timeZone: string
  studyTime: string
  quietFrom: string
  quietTo: string
  dailyReviewCap: number | string
  /** The last day of the holiday, YYYY-MM-DD. */
  holiday: string
}

export const settingsOf = (learner: LearnerView): Settings => ({
  name: learner.name ?? '',
  language: learner.chosen.includes('language') ? learner.language : '',
  timeZone: learner.timeZone,
  studyTime: learner.studyTime ?? '',
  quietFrom: learner.quietHours.from,
  quietTo: learner.quietHours.to,
  dailyReviewCap: learner.dailyReviewCap,
  holiday: learner.holidayUntil ? holidayOf(learner.holidayUntil, learner.timeZone) : '',
})

/** What differs from how the learner is now. */
export function toPatch(settings: Settings, learner: LearnerView): LearnerPatch {
  const before = settingsOf(learner)
  const { name, language, timeZone, studyTime, quietFrom, quietTo } = settings
  const isOtherHoliday = settings.holiday !== before.holiday || timeZone !== before.timeZone
  return {
    ...(name.trim() !== before.name && { name: name.trim() || null }),
    ...(language !== '' && language !== before.language && { language }),
    ...(timeZone !== before.timeZone && { timeZone }),
    ...(studyTime !== before.studyTime && { studyTime: studyTime || null }),
    ...((quietFrom !== before.quietFrom || quietTo !== before.quietTo) && {
      quietHours: { from: quietFrom, to: quietTo },
    }),
    ...(settings.dailyReviewCap !== before.dailyReviewCap && {
      dailyReviewCap: Number(settings.dailyReviewCap),
    }),
    ...(isOtherHoliday && {
      holidayUntil: settings.holiday === '' ? null : endOfHoliday(settings.holiday, timeZone),
    }),
  }
}

/** The date of a moment in a zone, YYYY-MM-DD; the moment of midnight belongs to the day that ends. */
export function holidayOf(until: string, timeZone: string): string {
  const last = new Date(Date.parse(until) - 1)
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(last)
}

const DAY_MS = 86_400_000

/** The moment when a date is over in a zone, ISO 8601. */
export function endOfHoliday(date: string, timeZone: string): string {
  const midnight = Date.parse(`${date}T00:00:00Z`) + DAY_MS
  // The zone's distance from UTC around that night; taken twice, as the first guess may lie beyond a change of clocks.
  const first = midnight - offsetAt(midnight, timeZone)
  return new Date(midnight - offsetAt(first, timeZone)).toISOString()
}

/** Milliseconds that the clocks of a zone are ahead of UTC. */
function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const [year, month, day] = [part('year'), part('month'), part('day')]
  const shown = Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second'))
  return shown - Math.floor(at / 1000) * 1000
}
