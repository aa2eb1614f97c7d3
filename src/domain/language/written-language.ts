import { eld } from 'eld/extrasmall'
import { LANGUAGES, type Language } from './languages.ts'

/** Fewer letters tell nothing. */
const MIN_LETTERS = 12
/** How far one language has to be ahead of the other, in the detector's score of 0..1. */
const MIN_LEAD = 0.1
const NOT_PROSE = /\$\$[\s\S]*?\$\$|\$[^$]*\$|```[\s\S]*?```|`[^`]*`|https?:\S+/g

/** The language that a text is surely written in; null where it is too short, in doubt, or in another one. */
export function writtenLanguage(text: string): Language | null {
  const prose = text.replace(NOT_PROSE, ' ')
  if ((prose.match(/\p{L}/gu) ?? []).length < MIN_LETTERS) return null
  const found = eld.detect(prose)
  const language = LANGUAGES.find((one) => one === found.language)
  if (!language || !found.isReliable()) return null
  const scores = found.getScores()
  const others = LANGUAGES.filter((other) => other !== language).map((other) => scores[other] ?? 0)
  return (scores[language] ?? 0) - Math.max(...others) >= MIN_LEAD ? language : null
}

/** So many words are more than a term or a phrase. */
const LONG = 4
const SENTENCE = 6
/** Words of who speaks of themselves, or to somebody, instead of the subject. */
const SPEAKS =
  /(?<![\p{L}'’])(?:I|I['’]\p{L}+|me|my|you|your|we|ich|mir|mich|meine?[mnrs]?|du|dir|dich|wir|uns)(?![\p{L}])/iu

const wordsOf = (text: string): number =>
  text.replace(NOT_PROSE, ' ').match(/\p{L}{2,}|\bI\b/gu)?.length ?? 0

export const isLong = (text: string): boolean => wordsOf(text) >= LONG

/** Whether a text is a sentence of the writer's own: a question, or words in which they speak of themselves or to somebody. */
export const isOwnSentence = (text: string): boolean =>
  wordsOf(text) >= SENTENCE && (/\?\s*$/.test(text) || SPEAKS.test(text))
