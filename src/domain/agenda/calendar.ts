import type { ReviewDay } from './forecast.ts'

/** A line of iCalendar has at most this many octets (RFC 5545, 3.1). */
const LINE_OCTETS = 75

export interface CalendarReview {
  topic: string
  label: string
}

/**
 * Reviews as an iCalendar document (RFC 5545): a day with reviews is one all-day event, which keeps its `UID` when its
 * reviews change, so that a subscribed calendar moves with them. `stamp` in UTC ms.
 */
export function reviewCalendar(
  days: readonly ReviewDay<CalendarReview>[],
  owner: string,
  stamp: number,
): string {
  const at = new Date(stamp).toISOString().replace(/[-:]|\.\d+/g, '')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Meno//Reviews//EN',
    'CALSCALE:GREGORIAN',
    'X-WR-CALNAME:Meno reviews',
    ...days.flatMap((day) => eventOf(day, owner, at)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

function eventOf({ date, reviews }: ReviewDay<CalendarReview>, owner: string, at: string) {
  const topics = [...new Set(reviews.map(({ topic }) => topic))].join(', ')
  const summary = `${reviews.length} ${reviews.length === 1 ? 'review' : 'reviews'}: ${topics}`
  const labels = reviews.map(({ topic, label }) => `${topic}: ${label}`).join('\n')
  return [
    'BEGIN:VEVENT',
    `UID:${date}-${owner}@meno`,
    `DTSTAMP:${at}`,
    `DTSTART;VALUE=DATE:${date.replaceAll('-', '')}`,
    `SUMMARY:${escaped(summary)}`,
    `DESCRIPTION:${escaped(labels)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, (character) => `\\${character}`).replace(/\r\n|\r|\n/g, '\\n')
}

/** Broken between characters; a line that goes on begins with a space. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > LINE_OCTETS) {
      parts.push(part)
      part = ' '
      octets = 1
    }
    part += character
    octets += size
  }
  return [...parts, part].join('\r\n')
}

/** Octets of one character in UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
