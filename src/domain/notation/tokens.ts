/** Parts plain mathematics into numbers, names and signs. What is none of these makes the text unreadable. */

export class Unreadable extends Error {}

export type Token =
  | { type: 'number'; n: bigint; d: bigint }
  | { type: 'name' | 'sign'; text: string }

const MAX_LETTERS = 3
const MAX_POWER_OF_TEN = 300

export const FUNCTIONS: readonly string[] = ['sqrt', 'abs', 'sin', 'cos', 'tan', 'log', 'exp', 'ln']
const NAMES = [...FUNCTIONS, 'pi']
const FOREIGN_FUNCTION =
  /arc|sinh|cosh|tanh|sec|csc|cot|asin|acos|atan|^(?:mod|max|min|gcd|lcm|lim|inf|floor|ceil|round|root|det|sgn|sign|cbrt)$/i

/**
 * The tokens of a plain text with at most three different letters; with `letters`, a run of letters that holds another
 * one is a word, not a product.
 */
export function tokenise(text: string, letters: ReadonlySet<string> | undefined): Token[] {
  const tokens: Token[] = []
  const seen = new Set<string>()
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at)
    const space = /^\s+/.exec(rest)
    const number = /^(?:\d+(?:[.,]\d+)?|\.\d+)(?:[eE][+-]?\d+)?/.exec(rest)
    const mixed = /^(\d+) (\d+)\/(\d+)(?![\d.,])/.exec(rest)
    const run = /^[a-zA-Zα-ωΑ-Ω]+/.exec(rest)
    const token = (space ?? mixed ?? number ?? run)?.[0] ?? rest.charAt(0)
    if (mixed) tokens.push(mixedNumber(mixed))
    else if (number) tokens.push(decimalNumber(token))
    else if (run) tokens.push(...namesIn(token, letters, seen))
    else if (!space) tokens.push(sign(token))
    at += token.length
  }
  if (seen.size > MAX_LETTERS) throw new Unreadable()
  return tokens
}

function sign(text: string): Token {
  if (!'+-*/^()|'.includes(text)) throw new Unreadable()
  return { type: 'sign', text }
}

function mixedNumber([, whole, n, d]: RegExpExecArray): Token {
  const denominator = BigInt(d ?? 0)
  if (denominator === 0n) throw new Unreadable()
  return { type: 'number', n: BigInt(whole ?? 0) * denominator + BigInt(n ?? 0), d: denominator }
}

function decimalNumber(text: string): Token {
  if (/^[1-9]\d{0,2},\d{3}(?!\d)/.test(text)) throw new Unreadable()
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(',', '.').split('e')
  const [whole = '', decimals = ''] = mantissa.split('.')
  const power = Number(exponent) - decimals.length
  if (Math.abs(power) > MAX_POWER_OF_TEN) throw new Unreadable()
  const digits = BigInt(whole + decimals)
  return power >= 0
    ? { type: 'number', n: digits * 10n ** BigInt(power), d: 1n }
    : { type: 'number', n: digits, d: 10n ** BigInt(-power) }
}

/** Splits "2xsin" runs into function names, `pi` and single letters, the longest name first. */
function namesIn(run: string, known: ReadonlySet<string> | undefined, seen: Set<string>): Token[] {
  if (FOREIGN_FUNCTION.test(run)) throw new Unreadable()
  const tokens: Token[] = []
  let foreign = false
  let at = 0
  while (at < run.length) {
    const rest = run.slice(at).toLowerCase()
    const name = NAMES.find((candidate) => rest.startsWith(candidate)) ?? run.charAt(at)
    if (name.length === 1 && name !== 'e') {
      seen.add(name)
      if (known && !known.has(name)) foreign = true
    }
    tokens.push({ type: 'name', text: name })
    at += name.length
  }
  if (foreign && run.length > 1) throw new Unreadable()
  return tokens
}
