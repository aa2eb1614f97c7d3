import { mayBeginGermanNumber, readGermanNumberWords } from './german-number-words.ts'

const UNITS = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ...['eleven', 'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen'],
  'nineteen',
]
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const MULTIPLES: [string, number][] = [
  ['million', 1e6],
  ['thousand', 1e3],
]
const DENOMINATORS: Record<string, number> = {
  half: 2,
  third: 3,
  quarter: 4,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
  hundredth: 100,
  thousandth: 1000,
}

const FIRST_WORDS = new Set([
  ...[...UNITS, ...TENS],
  ...['a', 'an', 'half', 'nought', 'point', 'minus', 'negative', 'pi', 'π'],
])

/** Whether a number in words may begin with this word, hyphens and all; most words of a text begin none. */
export function mayBeginNumber(word: string): boolean {
  const [first = ''] = word.toLowerCase().split(/[-‐]/)
  return FIRST_WORDS.has(first) || mayBeginGermanNumber(first)
}

/**
 * A number in English words: "minus two", "-two", "twenty-one", "nine hundred and five", "two point five", "three and a half",
 * "two thirds", "three over four"; or in German ones. Null when any word is left over; "twenty fifth" is an ordinal, hence
 * null.
 */
export function readNumberWords(text: string): number | null {
  const [, sign = '', unsigned = ''] = /^\s*([-+]?)\s*(.*?)\s*$/s.exec(text) ?? []
  if (/^[-+]|-$/.test(unsigned)) return null
  const value = unsignedWords(unsigned)
  // "-minus two" says nothing.
  if (sign === '' || value === null) return value
  if (/^(?:minus|negativ)/i.test(unsigned)) return null
  return sign === '-' && value !== 0 ? -value : value
}

function unsignedWords(text: string): number | null {
  const words = text.toLowerCase().split(/[-\s]+/)
  const negative = words[0] === 'minus' || words[0] === 'negative'
  const value = magnitude(negative ? words.slice(1) : words)
  if (value === null) return readGermanNumberWords(text)
  return negative ? -value : value
}

function magnitude(words: string[]): number | null {
  return cardinal(words) ?? decimal(words) ?? quotient(words) ?? fraction(words) ?? mixed(words)
}

/** Below a thousand million: groups of hundreds, each followed by its multiple. */
function cardinal(words: string[]): number | null {
  let rest = words
  let total = 0
  for (const [name, multiple] of MULTIPLES) {
    const at = rest.indexOf(name)
    if (at < 0) continue
    const count = at === 1 && rest[0] === 'a' ? 1 : hundreds(rest.slice(0, at))
    if (count === null || count === 0) return null
    total += count * multiple
    rest = rest.slice(at + 1)
    if (rest.length === 0) return total
    if (rest[0] === 'and') rest = rest.slice(1)
  }
  const last = hundreds(rest)
  return last === null || (last === 0 && total > 0) ? null : total + last
}

function hundreds(words: string[]): number | null {
  if (words[1] !== 'hundred') return belowHundred(words)
  const count = words[0] === 'a' ? 1 : UNITS.indexOf(words[0] ?? '')
  if (count < 1 || count > 9) return null
  if (words.length === 2) return count * 100
  const rest = belowHundred(words.slice(words[2] === 'and' ? 3 : 2))
  return rest === null || rest === 0 ? null : count * 100 + rest
}

function belowHundred(words: string[]): number | null {
  const [first = '', second = ''] = words
  const unit = first === 'nought' ? 0 : UNITS.indexOf(first)
  if (words.length === 1 && unit >= 0) return unit
  const tens = TENS.indexOf(first)
  if (tens < 0 || words.length > 2) return null
  if (words.length === 1) return (tens + 2) * 10
  const ones = UNITS.indexOf(second)
  return ones >= 1 && ones <= 9 ? (tens + 2) * 10 + ones : null
}

function decimal(words: string[]): number | null {
  const at = words.indexOf('point')
  if (at < 0) return null
  const whole = at === 0 ? 0 : cardinal(words.slice(0, at))
  const digits = words.slice(at + 1).map((word) => (word === 'nought' ? 0 : UNITS.indexOf(word)))
  if (whole === null || digits.length === 0 || digits.some((d) => d < 0 || d > 9)) return null
  return Number(`${whole}.${digits.join('')}`)
}

function quotient(words: string[]): number | null {
  const at = words.indexOf('over')
  if (at < 0) return null
  const over = cardinal(words.slice(0, at))
  const under = cardinal(words.slice(at + 1))
  return over === null || !under ? null : over / under
}

function fraction(words: string[]): number | null {
  const last = words.at(-1) ?? ''
  const one = DENOMINATORS[last]
  const counted = words.slice(0, -1)
  if (one !== undefined) {
    const single = counted.length === 0 ? last === 'half' : /^(?:a|an|one)$/.test(counted.join(' '))
    return single ? 1 / one : null
  }
  const many = last === 'halves' ? 2 : last.endsWith('s') ? DENOMINATORS[last.slice(0, -1)] : null
  const count = many ? cardinal(counted) : null
  return many && count !== null && count !== 1 ? count / many : null
}

function mixed(words: string[]): number | null {
  const at = words.lastIndexOf('and')
  if (at < 1) return null
  const whole = cardinal(words.slice(0, at))
  const part = fraction(words.slice(at + 1))
  return whole === null || part === null || part >= 1 ? null : whole + part
}
