import { useEffect, useState } from 'react'

/** The reader's own way to write dates and numbers, as far as it is of the language of the page. */
export function localeOf(language: string): string {
  const own = globalThis.navigator?.languages ?? []
  return own.find((tag) => tag.split('-')[0] === language.split('-')[0]) ?? language
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** How dates are written in a language; making one takes a browser milliseconds, and a conversation needs hundreds. */
export function dateFormat(
  language: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const locale = localeOf(language)
  const key = `${locale} ${JSON.stringify(options)}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options)
  formats.set(key, format)
  return format
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** The time between, in the largest unit that fits twice, or once where the smaller would be odd: "in 3 hours". */
export function relativeTime(at: number, now: number, language: string): string {
  const seconds = Math.round((at - now) / 1000)
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length * 1.5) ?? UNITS[3]
  const format = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' })
  return format.format(Math.round(seconds / size), unit)
}

/** How long ago something was; what has happened is never ahead, however old `now` is. */
export const timeAgo = (at: number, now: number, language: string): string =>
  relativeTime(Math.min(at, now), now, language)

/** A date of a calendar, YYYY-MM-DD, in words. */
export const dateInWords = (
  date: string,
  language: string,
  options: Intl.DateTimeFormatOptions = { dateStyle: 'full' },
): string =>
  dateFormat(language, { ...options, timeZone: 'UTC' }).format(new Date(`${date}T12:00:00Z`))

/** A date and hour in the reader's own zone. */
export const dateAndTime = (at: number, language: string): string =>
  dateFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at)

/** The hour and minute in the reader's own zone. */
export const hour = (at: number, language: string): string =>
  dateFormat(language, { timeStyle: 'short' }).format(at)

/** Now, in UTC ms, brought up to date every `everyMs`. */
export function useNow(everyMs = 1_000): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
