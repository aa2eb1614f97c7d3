import type { Misconception } from '../contracts/course-pack.ts'
import type { Language } from '../domain/language/languages.ts'

/** Descriptions that tell of a slip: nobody believes them. */
const SLIP =
  /\b(?:lost|forgotten|left out|goes wrong|wrong (?:way|signs?|inverse)|mixed up|without (?:chang|divid|halv))/i

/** Whether a description tells of a belief that could be put as a statement. */
export const isBelief = (description: string): boolean => !SLIP.test(description)

const WORDS: Record<Language, { slip(claim: string): string; belief(claim: string): string }> = {
  en: {
    slip: (claim) => `Something that often happens here: ${uncapitalised(claim)}.`,
    belief: (claim) => `You may have thought that ${uncapitalised(claim)}: that is not so.`,
  },
  de: {
    slip: (claim) => `Das passiert hier oft: ${claim}.`,
    belief: (claim) => `Vielleicht hast du gedacht: ${claim}. Das stimmt so nicht.`,
  },
}

/** What sets a mistake right: first that it is not so, then what is. */
export function refutation(
  { description, remedy }: Pick<Misconception, 'description' | 'remedy'>,
  language: Language,
): string {
  const claim = description.trim().replace(/[.\s]+$/, '')
  const words = WORDS[language]
  return `${isBelief(claim) ? words.belief(claim) : words.slip(claim)} ${remedy}`
}

/** As it stands within a sentence; names, letters by themselves, code and formulas stay as they are. */
const uncapitalised = (text: string): string =>
  text.replace(/^(?:A|[A-Z][a-z]+)(?= |,)/, (word) => word.toLowerCase())
