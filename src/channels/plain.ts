import { textWithMath } from '../markup/text-with-math.ts'

/** Signs that steer what shows them: controls, and those that turn the direction of what follows. */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu

/** A name, a title: one line, its formulas as text, with nothing that could steer a mail or what shows it. */
export const oneLine = (text: string): string =>
  textWithMath(text)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(STEERING, '')
    .replace(/ {2,}/g, ' ')
    .trim()

/** A text of several lines with nothing that could steer a mail or what shows it; its markup stays. */
export const withoutSteering = (text: string): string =>
  text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .split('\n')
    .map((line) => line.replaceAll('\t', '  ').replace(STEERING, '').trimEnd())
    .join('\n')
    .trim()

/** The same with its formulas as text. */
export const severalLines = (text: string): string => textWithMath(withoutSteering(text))

/** A line of at most `max` characters, cut between words where it can be. */
export function shortened(text: string, max: number): string {
  const signs = [...text]
  if (signs.length <= max) return text
  const cut = signs.slice(0, max - 1).join('')
  return `${cut.replace(/\s+\S{0,20}$/u, '') || cut}…`
}
