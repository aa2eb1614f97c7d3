/** Exact evaluation over the fractions: what it finds different is different, what it finds equal at many points is equal. */
import type { Expression } from './expression.ts'
import { nodesOf } from './expression.ts'

export interface Fraction {
  n: bigint
  d: bigint
}

/** `undefined-here`: a division by zero. `too-large`: given up before it could take long. */
export type ExactValue = Fraction | 'undefined-here' | 'too-large'

const MAX_BITS = 20_000
const TOO_LARGE = 1n << BigInt(MAX_BITS)
const NOWHERE: ReadonlyMap<string, Fraction> = new Map()

/** Whether exact evaluation covers the expression: no roots, no transcendental function, whole exponents. */
export function isRational(expression: Expression): boolean {
  for (const node of nodesOf(expression)) {
    if (node.kind === 'call') return false
    if (node.kind === 'power' && wholeExponent(node.right) === null) return false
  }
  return true
}

/** The value with every symbol, `pi` and `e` included, taken from `point`. Only for rational expressions. */
export function exactValue(
  expression: Expression,
  point: ReadonlyMap<string, Fraction>,
): ExactValue {
  switch (expression.kind) {
    case 'number':
      return { n: expression.n, d: expression.d }
    case 'symbol':
      return point.get(expression.name) ?? 'undefined-here'
    case 'negate': {
      const of = exactValue(expression.of, point)
      return typeof of === 'string' ? of : { n: -of.n, d: of.d }
    }
    case 'call':
      return 'undefined-here'
    case 'power': {
      const base = exactValue(expression.left, point)
      return typeof base === 'string' ? base : raised(base, wholeExponent(expression.right) ?? 0)
    }
    default: {
      const left = exactValue(expression.left, point)
      const right = exactValue(expression.right, point)
      if (typeof left === 'string') return left
      return typeof right === 'string' ? right : operated(expression.kind, left, right)
    }
  }
}

export function sameFraction(a: Fraction, b: Fraction): boolean {
  return a.n * b.d === b.n * a.d
}

function operated(
  kind: 'add' | 'subtract' | 'multiply' | 'divide',
  a: Fraction,
  b: Fraction,
): ExactValue {
  switch (kind) {
    case 'add':
      return checked(a.n * b.d + b.n * a.d, a.d * b.d)
    case 'subtract':
      return checked(a.n * b.d - b.n * a.d, a.d * b.d)
    case 'multiply':
      return checked(a.n * b.n, a.d * b.d)
    case 'divide':
      return b.n === 0n ? 'undefined-here' : checked(a.n * b.d, a.d * b.n)
  }
}

function checked(n: bigint, d: bigint): ExactValue {
  const size = n < 0n ? -n : n
  const below = d < 0n ? -d : d
  if (size >= TOO_LARGE || below >= TOO_LARGE) return 'too-large'
  return { n: d < 0n ? -n : n, d: below }
}

function raised(base: Fraction, exponent: number): ExactValue {
  if (exponent === 0) return base.n === 0n ? 'undefined-here' : { n: 1n, d: 1n }
  const times = Math.abs(exponent)
  if (Math.max(bits(base.n), bits(base.d)) * times > MAX_BITS) return 'too-large'
  const n = base.n ** BigInt(times)
  const d = base.d ** BigInt(times)
  if (exponent > 0) return { n, d }
  return n === 0n ? 'undefined-here' : checked(d, n)
}

function bits(value: bigint): number {
  return (value < 0n ? -value : value).toString(16).length * 4
}

/** The whole number an exponent stands for, or null: a letter, a power, a fraction. */
function wholeExponent(exponent: Expression): number | null {
  for (const node of nodesOf(exponent)) {
    if (node.kind === 'symbol' || node.kind === 'call' || node.kind === 'power') return null
  }
  const value = exactValue(exponent, NOWHERE)
  if (typeof value === 'string' || value.n % value.d !== 0n) return null
  return Number(value.n / value.d)
}
