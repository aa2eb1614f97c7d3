/** The form of an expression, for questions that ask to expand, to factorise or to simplify. */

import { type Expression, nodesOf, partsOf, written } from '../notation/expression.ts'
import type { ExpressionForm } from './answer-key.ts'

/**
 * Whether `said`, already known to be equivalent to `key`, has the form asked for. The key sets the measure: what it
 * leaves undone itself is asked of nobody.
 *
 * - `expanded`: no product and no power of a sum, and gathered as `simplified` asks.
 * - `factored`: no sum at the top, and at least as many factors, and as large a common number, as the key;
 *   no fraction where the key has none.
 * - `simplified`: no more terms than the key, no product left to be gathered, no square left under a root.
 */
export function hasForm(said: Expression, key: Expression, form: ExpressionForm): boolean {
  switch (form) {
    case 'any':
      return true
    case 'expanded':
      return !isExpanded(key) || (isExpanded(said) && isGathered(said, key))
    case 'factored':
      return isFactoredLike(said, key)
    case 'simplified':
      return isGathered(said, key)
  }
}

/** Larger numbers under a root are not searched for squares. */
const MAX_ROOT = 1_000_000n

type NumberNode = Extract<Expression, { kind: 'number' }>
type Factors = { numerator: Expression[]; denominator: Expression[] }

function isSum(node: Expression): boolean {
  const inner = node.kind === 'negate' ? node.of : node
  return inner.kind === 'add' || inner.kind === 'subtract'
}

function isExpanded(node: Expression): boolean {
  if (node.kind === 'call') return true
  if (node.kind === 'negate' && isSum(node)) return false
  if (node.kind === 'multiply' && (isSum(node.left) || isSum(node.right))) return false
  if (node.kind === 'power' && isSum(node.left)) return false
  if (node.kind === 'subtract' && isSum(node.right)) return false
  return partsOf(node).every(isExpanded)
}

function isFactoredLike(said: Expression, key: Expression): boolean {
  if (isSum(key)) return true
  if (isSum(said) || (hasFraction(said) && !hasFraction(key))) return false
  const mine = factorsOf(said)
  const theirs = factorsOf(key)
  return (
    letterFactors(mine.numerator) >= letterFactors(theirs.numerator) &&
    commonNumber(mine) >= commonNumber(theirs)
  )
}

function isGathered(said: Expression, key: Expression): boolean {
  return termCount(said) <= termCount(key) && (!hasLooseProduct(said) || hasLooseProduct(key))
}

function hasFraction(expression: Expression): boolean {
  return [...nodesOf(expression)].some(
    (node) => node.kind === 'divide' || (node.kind === 'number' && node.d !== 1n),
  )
}

/** Factors that hold a letter, powers counted as often as they multiply. */
function letterFactors(factors: Expression[]): number {
  return factors
    .filter(hasLetter)
    .reduce((count, factor) => count + (factor.kind === 'power' ? wholeNumber(factor.right) : 1), 0)
}

function commonNumber({ numerator, denominator }: Factors): number {
  const product = (factors: Expression[]) =>
    factors.reduce(
      (value, factor) =>
        factor.kind === 'number' ? value * (Number(factor.n) / Number(factor.d)) : value,
      1,
    )
  return product(numerator) / product(denominator)
}

function hasLetter(expression: Expression): boolean {
  return [...nodesOf(expression)].some((node) => node.kind === 'symbol')
}

function wholeNumber(exponent: Expression): number {
  return exponent.kind === 'number' && exponent.d === 1n ? Number(exponent.n) : 1
}

/** The factors of a product or quotient, signs left out; brackets and order make no difference. */
function factorsOf(node: Expression): Factors {
  if (node.kind === 'negate') return factorsOf(node.of)
  if (node.kind !== 'multiply' && node.kind !== 'divide') {
    return { numerator: [node], denominator: [] }
  }
  const left = factorsOf(node.left)
  const right = factorsOf(node.right)
  const [above, below] =
    node.kind === 'multiply'
      ? [right.numerator, right.denominator]
      : [right.denominator, right.numerator]
  return {
    numerator: [...left.numerator, ...above],
    denominator: [...left.denominator, ...below],
  }
}

function termCount(expression: Expression): number {
  let count = 1
  for (const { kind } of nodesOf(expression)) if (kind === 'add' || kind === 'subtract') count++
  return count
}

/** A product such as 2·3x, x·x², 6x/2 or x/x: two numbers, or one base twice; or a root such as sqrt(12). */
function hasLooseProduct(expression: Expression): boolean {
  if (expression.kind === 'call' && expression.name === 'sqrt' && isNumber(expression.of)) {
    return hasSquareFactor(expression.of)
  }
  if (expression.kind === 'power' && expression.left.kind === 'number') {
    return wholeNumber(expression.right) > 1
  }
  if (expression.kind === 'multiply' || expression.kind === 'divide') {
    const { numerator, denominator } = factorsOf(expression)
    const numbers = [numerator, denominator].map((side) => side.filter(isNumber))
    if (numbers.some((side) => side.length > 1) || !isReduced(numbers)) return true
    const bases = [...numerator, ...denominator].filter((factor) => !isNumber(factor)).map(baseOf)
    if (new Set(bases).size < bases.length) return true
    return [...numerator, ...denominator].some(hasLooseProduct)
  }
  return partsOf(expression).some(hasLooseProduct)
}

function isNumber(factor: Expression): factor is NumberNode {
  return factor.kind === 'number'
}

function hasSquareFactor({ n, d }: NumberNode): boolean {
  if (d !== 1n || n > MAX_ROOT) return false
  for (let root = 2n; root * root <= n; root++) if (n % (root * root) === 0n) return true
  return false
}

function isReduced([above = [], below = []]: Expression[][]): boolean {
  const [n] = above
  const [d] = below
  if (n?.kind !== 'number' || d?.kind !== 'number') return true
  return n.d !== 1n || d.d !== 1n || gcd(n.n, d.n) === 1n
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b)
}

function baseOf(factor: Expression): string {
  return written(factor.kind === 'power' ? factor.left : factor)
}
