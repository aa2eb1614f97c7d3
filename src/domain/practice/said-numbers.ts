import { mayBeginNumber } from '../notation/number-words.ts'
import { readNumber } from '../notation/numbers.ts'

export interface SaidNumber {
  value: number
  /** As it stands in the text. */
  text: string
  /** Where it begins. */
  at: number
  /** Whether it was written in words. */
  inWords: boolean
}

const DIGITS =
  /(?:[-−–+]\s?)?(?:\\frac\{\d+\}\{\d+\}|\d+(?:[.,]\d+)?(?:\s*[/⁄]\s*\d+)?(?:\s\d+\/\d+)?[½⅓⅔¼¾]?|[½⅓⅔¼¾])\s?%?/g
/** "T = 2\pi" is read from its letter on. */
const LABEL = /^\p{L}\s?=/u
const MAX_WORDS = 5
const MAX_SCANNED = 4_000

/** Every number that stands in a text, in digits or in words, each reading of it: "-3" is 3 as well. */
export function saidNumbers(text: string): SaidNumber[] {
  const scanned = text.slice(0, MAX_SCANNED)
  return [...inDigits(scanned), ...inWords(scanned)]
}

function* inDigits(text: string): Generator<SaidNumber> {
  for (const match of text.matchAll(DIGITS)) {
    const written = match[0].trim()
    const readings = new Set([written, written.replace(/^[-−–+]\s?/, ''), written.replace('%', '')])
    for (const reading of readings) {
      const value = readNumber(reading)
      if (value !== null) yield { value, text: written, at: match.index, inWords: false }
    }
  }
}

function* inWords(text: string): Generator<SaidNumber> {
  const words = [...text.matchAll(/\p{L}+(?:[-‐]\p{L}+)*/gu)]
  for (let first = 0; first < words.length; first += 1) {
    const start = words[first]
    if (!start || !(mayBeginNumber(start[0]) || LABEL.test(text.slice(start.index)))) continue
    for (let last = first; last < Math.min(words.length, first + MAX_WORDS); last += 1) {
      const end = words[last]
      if (!end) continue
      const phrase = text.slice(start.index, end.index + end[0].length)
      const value = readNumber(phrase)
      if (value !== null) yield { value, text: phrase, at: start.index, inWords: true }
    }
  }
}
