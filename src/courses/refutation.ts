import type { Misconception } from '../contracts/course-pack.ts'

/** Descriptions that tell of a slip: nobody believes them. */
const SLIP =
  /\b(?:lost|forgotten|left out|goes wrong|wrong (?:way|signs?|inverse)|mixed up|without (?:chang|divid|halv))/i

/** Whether a description tells of a belief that could be put as a statement. */
export const isBelief = (description: string): boolean => !SLIP.test(description)

/** What sets a mistake right: first that it is not so, then what is. */
export function refutation({ description, remedy }: Misconception): string {
  const claim = description.trim().replace(/[.\s]+$/, '')
  if (SLIP.test(claim))
    return `Something that often happens here: ${uncapitalised(claim)}. ${remedy}`
  return `You may have thought that ${uncapitalised(claim)}: that is not so. ${remedy}`
}

/** As it stands within a sentence; names, letters by themselves, code and formulas stay as they are. */
const uncapitalised = (text: string): string =>
  text.replace(/^(?:A|[A-Z][a-z]+)(?= |,)/, (word) => word.toLowerCase())
