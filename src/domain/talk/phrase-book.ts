/** Phrases by what they mean. */
export interface PhraseBook<Meaning extends string> {
  /** What a text means; null where it is none of the phrases. */
  find(said: string): Meaning | null
}

/** Shorter phrases are taken as they are: with a letter changed they may be an answer. */
const MIN_LENGTH = 8
/** A letter more turns these into their opposite. */
const NEGATABLE = /\bcant?\b/

/**
 * Looks up phrases; one of several words is known with one slip of the finger too: a letter more, less or another, or two
 * in the wrong order.
 */
export function phraseBook<Meaning extends string>(
  phrases: Readonly<Record<Meaning, readonly string[]>>,
): PhraseBook<Meaning> {
  const all = (Object.entries(phrases) as [Meaning, readonly string[]][]).flatMap(
    ([meaning, said]) => said.map((phrase) => [phrase, meaning] as const),
  )
  const exact = new Map(all)
  const long = all.filter(
    ([phrase]) => phrase.length >= MIN_LENGTH && phrase.includes(' ') && !NEGATABLE.test(phrase),
  )
  return {
    find(said) {
      const meaning = exact.get(said)
      if (meaning !== undefined) return meaning
      if (!/^[\p{L} ]+$/u.test(said) || said.length < MIN_LENGTH || !said.includes(' ')) return null
      return long.find(([phrase]) => isSlipOf(phrase, said))?.[1] ?? null
    },
  }
}

/** Whether two texts differ by one slip; those that are the same do not. */
function isSlipOf(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  const longer = long.length - short.length
  if (longer > 1) return false
  let at = 0
  while (at < short.length && short[at] === long[at]) at += 1
  if (longer === 1) return short.slice(at) === long.slice(at + 1)
  const isOther = short.slice(at + 1) === long.slice(at + 1)
  const isSwapped =
    short[at] === long[at + 1] &&
    short[at + 1] === long[at] &&
    short.slice(at + 2) === long.slice(at + 2)
  return isOther || isSwapped
}
