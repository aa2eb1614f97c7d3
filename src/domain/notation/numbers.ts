import { approximate } from './approximate.ts'
import { type Expression, readExpression } from './expression.ts'
import { readNumberWords } from './number-words.ts'
import { MAX_ANSWER_LENGTH, plainMath } from './plain-math.ts'

/** How a number was written. Two notations of one value are not the same answer to "write 1/2 as a decimal". */
export type Notation = 'integer' | 'decimal' | 'fraction' | 'percent' | 'root' | 'words'

export interface Numeral {
  value: number
  notation: Notation
  /** The number as it was written, in plain ASCII; decimals and words as digits. */
  text: string
}

const DECIMAL = /^\d+(?:[.,]\d+)?$|^[.,]\d+$/
const SCIENTIFIC = /^(\d+(?:[.,]\d+)?) ?(?:e ?| ?[*x] ?10 ?\^ ?)\(?([+-]?\d+)\)?$/i
/** Digit groups that leave no doubt: two of them, or one and a decimal part, or parted by spaces. */
const GROUPED = [
  /^\d{1,3}(?:,\d{3}){2,}(?:\.\d+)?$/,
  /^\d{1,3}(?:,\d{3})+\.\d+$/,
  /^\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/,
]
const GROUPED_BY_POINTS = /^\d{1,3}(?:\.\d{3})+,\d+$|^\d{1,3}(?:\.\d{3}){2,}$/

/**
 * The number a text denotes, or null: integers, decimals (`.` or `,`), fractions, mixed numbers, percent, scientific
 * notation, roots and multiples of pi, words; in Unicode or simple LaTeX, with or without "x =" before it.
 * A sum, a product or a power to be worked out is not a number.
 */
export function readNumber(text: string): number | null {
  return readNumeral(text)?.value ?? null
}

/** As `readNumber`, with the notation that was used. */
export function readNumeral(text: string): Numeral | null {
  if (text.length > MAX_ANSWER_LENGTH || /÷|\\div/.test(text)) return null
  const plain = withoutLabel(plainMath(text).replace(/[.!]+$/, ''))
    .trim()
    .replace(/^(?:minus|negative) (?=[\d.,])/i, '-')
  const percent = /^(.*?) ?(?:%|percent|per cent)$/i.exec(plain)
  const numeral = percent ? unsigned(percent[1] ?? '') : unsigned(plain)
  if (numeral === null || !Number.isFinite(numeral.value)) return null
  if (!percent) return numeral
  return { value: numeral.value / 100, notation: 'percent', text: `${numeral.text}%` }
}

/**
 * Compares an answer with the key (the answer check of practice sessions): `correct` when they differ by less than
 * 0.001 and, for a non-zero key, also by less than 1 % of it; `close` up to 0.3 or 20 % of the key, whichever is more.
 */
export function compareNumbers(said: number, key: number): 'correct' | 'close' | 'wrong' {
  if (!Number.isFinite(said) || !Number.isFinite(key)) return 'wrong'
  const difference = Math.abs(said - key)
  const rounding = 4 * Number.EPSILON * Math.max(Math.abs(said), Math.abs(key))
  const exact = difference === 0
  if (exact || isBelow(difference, 0.001, rounding)) {
    if (exact || key === 0 || isBelow(difference, 0.01 * Math.abs(key), rounding)) return 'correct'
  }
  return difference <= Math.max(0.3, 0.2 * Math.abs(key)) + rounding ? 'close' : 'wrong'
}

/**
 * "1,234" and "1.234" are one thousand two hundred and thirty-four to some and decimals to others. They are read as decimals;
 * this is the other reading, or null where there is no doubt.
 */
export function readThousands(text: string): number | null {
  const plain = withoutLabel(plainMath(text).replace(/[.!]+$/, '')).trim()
  return /^[+-]? ?[1-9]\d{0,2}[,.]\d{3}$/.test(plain) ? Number(plain.replace(/[ ,.]/g, '')) : null
}

function isBelow(difference: number, limit: number, rounding: number): boolean {
  return difference < limit - rounding
}

function withoutLabel(plain: string): string {
  return plain.replace(/^(?:[a-zα-ω](?:_?\d)?)? ?= ?/i, '').replace(/ ?= ?[a-zα-ω]$/i, '')
}

function unsigned(signed: string): Numeral | null {
  const [, sign = '', rest = ''] = /^([+-]? ?)(.*)$/s.exec(signed.trim()) ?? []
  const decimal = readDigits(rest)
  if (decimal !== null) {
    const value = sign.startsWith('-') && decimal !== 0 ? -decimal : decimal
    return {
      value,
      notation: Number.isInteger(value) && !/[.,]/.test(rest) ? 'integer' : 'decimal',
      text: String(value),
    }
  }
  const tree = readExpression(signed)
  const notation = tree && numeralNotation(tree)
  if (tree && notation) {
    return {
      value: approximate(tree).value,
      notation,
      text: signed.trim().replace(/^(-?)\((-?[\d/]+)\)$/, '$1$2'),
    }
  }
  const words = readNumberWords(signed)
  return words === null ? null : { value: words, notation: 'words', text: String(words) }
}

function readDigits(text: string): number | null {
  if (DECIMAL.test(text)) return Number(text.replace(',', '.'))
  const [, mantissa = '', exponent] = SCIENTIFIC.exec(text) ?? []
  if (exponent !== undefined) return Number(`${mantissa.replace(',', '.')}e${exponent}`)
  if (GROUPED_BY_POINTS.test(text)) return Number(text.replaceAll('.', '').replace(',', '.'))
  if (!GROUPED.some((grouped) => grouped.test(text))) return null
  return Number(text.replace(/[, ](?=\d{3}(?!\d))/g, '').replace(',', '.'))
}

/** The notation of a tree that is one number and nothing to be worked out: 3/4, (-3)/4, 2 sqrt(3), pi/6, sqrt(2)/2. */
function numeralNotation(tree: Expression): Notation | null {
  if (tree.kind === 'negate') return numeralNotation(tree.of)
  if (tree.kind === 'number') return tree.d === 1n ? 'integer' : 'fraction'
  if (isFraction(tree)) return 'fraction'
  if (isRoot(tree)) return 'root'
  return tree.kind === 'divide' && isRootOrNumber(tree.left) && isRootOrNumber(tree.right)
    ? 'root'
    : null
}

function isFraction(tree: Expression): boolean {
  return tree.kind === 'divide' && isSignedNumber(tree.left) && isSignedNumber(tree.right)
}

function isSignedNumber(tree: Expression): boolean {
  return tree.kind === 'number' || (tree.kind === 'negate' && tree.of.kind === 'number')
}

function isRootOrNumber(tree: Expression): boolean {
  return isSignedNumber(tree) || isRoot(tree) || (tree.kind === 'negate' && isRoot(tree.of))
}

function isRoot(tree: Expression): boolean {
  if (tree.kind === 'symbol') return tree.name === 'pi'
  if (tree.kind === 'call') {
    return tree.name === 'sqrt' && (tree.of.kind === 'number' || isFraction(tree.of))
  }
  if (tree.kind !== 'multiply') return false
  const sides = [tree.left, tree.right]
  return sides.some(isRoot) && sides.every((side) => isRootOrNumber(side) || isFraction(side))
}
