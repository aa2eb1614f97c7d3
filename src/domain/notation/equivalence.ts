import { hashText, seededRandom } from '../random/seeded-random.ts'
import { type Approximation, approximate } from './approximate.ts'
import { exactValue, type Fraction, isRational, sameFraction } from './exact.ts'
import { type Expression, lettersOf, readExpression, written } from './expression.ts'

export type Equivalence = 'yes' | 'no' | 'unknown'

const POINTS = 40
const USABLE_POINTS = 3
/** How far from zero the letters are drawn: close by, where absolute values and roots differ, and far away. */
const SCALES = [2, 8, 40, 300]
/** Sample values are whole multiples of 1/64: exact both as fractions and in floating point. */
const STEPS = 64
const RELATIVE_TOLERANCE = 1e-9
const ABSOLUTE_TOLERANCE = 1e-12
/** Differences below this many rounding errors are noise. */
const NOISE = 16

/**
 * Whether two texts denote the same expression. `unknown` when either cannot be read or nothing can be claimed:
 * too few points where both are defined, numbers out of range, or domains that differ (sqrt(x)^2 and x).
 */
export function equivalentExpressions(a: string, b: string): Equivalence {
  const left = readExpression(a)
  const right = readExpression(b)
  return left && right ? equivalentTrees(left, right) : 'unknown'
}

/**
 * Rational expressions are compared exactly, over the fractions, with `pi` and `e` as indeterminates; a point where one
 * divides by zero is passed over, so x²/x is x. All others are sampled at up to 40 seeded points in every combination
 * of signs, to a relative 1e-9: one point of certain difference is a `no`, and a `yes` needs three usable points.
 */
export function equivalentTrees(a: Expression, b: Expression): Equivalence {
  const points = samplePoints(a, b)
  return isRational(a) && isRational(b) ? sameExactly(a, b, points) : sameSampled(a, b, points)
}

/**
 * Whether a = c · b for one constant c ≠ 0; with `positive`, c > 0. Decides equations and inequalities, whose sides may
 * be multiplied by a number.
 */
export function proportional(a: Expression, b: Expression, positive = false): Equivalence {
  let defined = false
  for (const point of samplePoints(a, b)) {
    const left = approximate(a, point)
    const right = approximate(b, point)
    defined ||= Number.isFinite(left.value) && Number.isFinite(right.value)
    if (!isCertainlyNotZero(left) || !isCertainlyNotZero(right)) continue
    if (positive && left.value > 0 !== right.value > 0) return 'no'
    return equivalentTrees(
      { kind: 'multiply', left: a, right: substituted(b, point) },
      { kind: 'multiply', left: b, right: substituted(a, point) },
    )
  }
  return defined ? 'no' : 'unknown'
}

type Point = Map<string, number>

function samplePoints(a: Expression, b: Expression): Point[] {
  const letters = [...new Set([...lettersOf(a), ...lettersOf(b)])].sort()
  const random = seededRandom(hashText(`${written(a)} ${written(b)}`))
  return Array.from({ length: POINTS }, (_, i) => {
    const scale = SCALES[i % SCALES.length] ?? 1
    const signs = Math.floor(i / SCALES.length)
    return new Map(
      letters.map((letter, j) => {
        const size = (1 + Math.floor(random() * scale * STEPS)) / STEPS
        return [letter, (signs >> j) & 1 ? -size : size]
      }),
    )
  })
}

function sameExactly(a: Expression, b: Expression, points: Point[]): Equivalence {
  const random = seededRandom(hashText(`${written(b)} ${written(a)}`))
  let usable = 0
  for (const point of points) {
    const values = new Map<string, Fraction>()
    for (const [letter, value] of point) values.set(letter, asFraction(value))
    for (const name of ['pi', 'e']) values.set(name, asFraction(1 + Math.floor(random() * 1e6)))
    const left = exactValue(a, values)
    const right = exactValue(b, values)
    if (left === 'too-large' || right === 'too-large') return 'unknown'
    if (left === 'undefined-here' || right === 'undefined-here') continue
    if (!sameFraction(left, right)) return 'no'
    usable++
  }
  return usable >= USABLE_POINTS ? 'yes' : 'unknown'
}

function sameSampled(a: Expression, b: Expression, points: Point[]): Equivalence {
  let usable = 0
  let domainsDiffer = false
  for (const point of points) {
    const left = approximate(a, point)
    const right = approximate(b, point)
    if (Number.isNaN(left.value) !== Number.isNaN(right.value)) domainsDiffer = true
    if (!Number.isFinite(left.value) || !Number.isFinite(right.value)) continue
    const noise = NOISE * (left.error + right.error)
    if (Math.abs(left.value - right.value) > noise) return 'no'
    const size = Math.max(Math.abs(left.value), Math.abs(right.value))
    if (noise <= Math.max(RELATIVE_TOLERANCE * size, ABSOLUTE_TOLERANCE)) usable++
  }
  return usable >= USABLE_POINTS && !domainsDiffer ? 'yes' : 'unknown'
}

function isCertainlyNotZero({ value, error }: Approximation): boolean {
  return Number.isFinite(value) && Math.abs(value) > NOISE * error
}

function asFraction(value: number): Fraction {
  return { n: BigInt(value * STEPS), d: BigInt(STEPS) }
}

function substituted(expression: Expression, point: Point): Expression {
  switch (expression.kind) {
    case 'number':
      return expression
    case 'symbol': {
      const value = point.get(expression.name)
      return value === undefined ? expression : { kind: 'number', ...asFraction(value) }
    }
    case 'negate':
    case 'call':
      return { ...expression, of: substituted(expression.of, point) }
    default:
      return {
        ...expression,
        left: substituted(expression.left, point),
        right: substituted(expression.right, point),
      }
  }
}
