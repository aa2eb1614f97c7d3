import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equivalentExpressions } from '../../../src/domain/notation/equivalence.ts'
import { readExpression } from '../../../src/domain/notation/expression.ts'

describe('equivalent expressions', () => {
  it.each([
    ['3(x+2)', '3x+6'],
    ['(x-2)(x+3)', 'x^2+x-6'],
    ['(x+1)^3', 'x^3+3x^2+3x+1'],
    ['(a+b)(a-b)', 'a^2-b^2'],
    ['x/2', '0.5x'],
    ['1/2x', 'x/2'],
    ['\\frac{x+1}{2}', '(x+1)/2'],
    ['1/3 + 1/6', '1/2'],
    ['(x^2-4)/(x-2)', 'x+2'],
    ['x^{-1}', '1/x'],
    ['2x^2', '2*x*x'],
    ['-x^2', '-(x^2)'],
    ['xy', 'yx'],
    ['x²y', 'y x^2'],
    ['2½x', '5x/2'],
    ['x^2\\frac{1}{2}', 'x^2/2'],
    ['\\sqrt{12}', '2\\sqrt{3}'],
    ['\\frac{1}{\\sqrt{2}}', '\\frac{\\sqrt{2}}{2}'],
    ['sqrt(x^2)', '|x|'],
    ['sqrt(x)', 'x^(1/2)'],
    ['\\sqrt[3]{x}', 'x^(1/3)'],
    ['sin^2(x) + cos^2(x)', '1'],
    ['sin(x)^2+cos(x)^2-1', '0'],
    ['\\sin 2x', '2 \\sin x \\cos x'],
    ['tan x', 'sin x / cos x'],
    ['e^(x+1)', 'e*e^x'],
    ['exp(x)', 'e^x'],
    ['log(100)', '2'],
    ['ln(e^x)', 'x'],
    ['ln(2) + ln(3)', 'ln 6'],
    ['pi x^2', 'x^2 π'],
    ['(x+1)^20', '(x^2+2x+1)^10'],
    ['|x-1|', '|1-x|'],
  ])('%s is %s', (a, b) => {
    expect(equivalentExpressions(a, b)).toBe('yes')
    expect(equivalentExpressions(b, a)).toBe('yes')
  })

  it.each([
    ['sqrt(x^2)', 'x'],
    ['1/3', '0.333'],
    ['1/3', '0.3333333333333333'],
    ['sqrt(2)', '1.414213562'],
    ['pi', '3.14159265358979'],
    ['x', 'x + 0.000000000001'],
    ['x', 'x + 2305843009213693951'],
    ['x^2', 'x^2 + 10^(-300)'],
    ['(x+y)^2', 'x^2+y^2'],
    ['-x^2', '(-x)^2'],
    ['2^x', 'x^2'],
    ['1/(2x)', '1/2x'],
    ['|x-5| + |x+5|', '2|x|'],
    ['sin x', 'cos x'],
    ['log x', 'ln x'],
    ['x', 'y'],
    ['ab', 'a + b'],
    ['(x-0.015625)(x-0.03125)x', '0'],
  ])('%s is not %s', (a, b) => {
    expect(equivalentExpressions(a, b)).toBe('no')
    expect(equivalentExpressions(b, a)).toBe('no')
  })

  it.each([
    ['sqrt(x)^2', 'x'],
    ['e^(ln x)', 'x'],
    ['ln(x^2)', '2 ln x'],
    ['sqrt(-1-x^2)', 'ln(-1-x^2)'],
    ['1/(x-x)', '1/(x-x)'],
    ['10^20 + sin(x) - 10^20', 'sin x'],
    ['10^20 + cos(x) - 10^20', 'sin x'],
    ['((x^999)^999)^999', '((x^999)^999)^999'],
    ['x = 1', 'x'],
    ['import', 'import'],
  ])('nothing is claimed of %s and %s', (a, b) => {
    expect(equivalentExpressions(a, b)).toBe('unknown')
  })

  it('tells 500 pairs of unequal expressions apart', () => {
    fc.assert(
      fc.property(polynomial, fc.integer({ min: 1, max: 9 }), fc.nat(5), (terms, by, at) => {
        const changed = terms.map((term, i) =>
          i === at % terms.length ? { ...term, factor: term.factor + by } : term,
        )
        expect(equivalentExpressions(sum(terms), nested(changed))).toBe('no')
      }),
      { seed: 42, numRuns: 500 },
    )
  })

  it('tells 500 pairs of unequal functions apart', () => {
    fc.assert(
      fc.property(polynomial, polynomial, fc.constantFrom(...UNARY), (terms, others, name) => {
        fc.pre(equivalentExpressions(sum(terms), sum(others)) === 'no')
        const [a, b] = [`${name}(${sum(terms)}) + x`, `${name}(${sum(others)}) + x`]
        expect(equivalentExpressions(a, b)).not.toBe('yes')
      }),
      { seed: 42, numRuns: 500 },
    )
  })

  it('recognises at least 99 % of 500 pairs of equal expressions', () => {
    let recognised = 0
    const pairs = fc.sample(fc.tuple(polynomial, fc.constantFrom(...REWRITINGS)), {
      seed: 42,
      numRuns: 500,
    })
    for (const [terms, rewrite] of pairs) {
      const [a, b] = rewrite(terms)
      if (equivalentExpressions(a, b) === 'yes') recognised++
    }
    expect(recognised).toBeGreaterThanOrEqual(495)
  })
})

describe('reading an expression', () => {
  it.each([
    ...['', 'x2', '2 3', '(x+1)2', 'x +', '+', '()', 'x)', '(x', '|x', 'sin', 'sin^-1 x', 'sqrt x'],
    ...['a+b+c+d', 'x_1', 'x!', 'x = 1', 'x, y', '[1,2]', '"x"', 'x;y', 'x%', '2..3', '1,000x'],
    ...['sec(x)', 'arcsin(x)', 'max(x)', 'x^1001', 'x^-1001', '2e999'],
    ...['x'.repeat(501), `${'('.repeat(31)}x${')'.repeat(31)}`, `${'-'.repeat(40)}x`],
  ])('refuses %j', (text) => {
    expect(readExpression(text)).toBeNull()
  })

  it('takes a run with a foreign letter for a word when it knows the letters', () => {
    const letters = new Set(['x'])
    expect(readExpression('no', { letters })).toBeNull()
    expect(readExpression('n', { letters })).not.toBeNull()
    expect(readExpression('no')).not.toBeNull()
  })
})

const UNARY = ['sin', 'cos', 'sqrt', 'abs', 'exp', 'ln', 'tan']

/** One term: factor · x^x · y^y. */
interface Term {
  factor: number
  x: number
  y: number
}

const polynomial: fc.Arbitrary<Term[]> = fc.uniqueArray(
  fc.record({
    factor: fc.integer({ min: 1, max: 12 }),
    x: fc.integer({ min: 0, max: 4 }),
    y: fc.integer({ min: 0, max: 2 }),
  }),
  { minLength: 1, maxLength: 5, selector: ({ x, y }) => `${x} ${y}` },
)

function sum(terms: Term[]): string {
  return terms.map(({ factor, x, y }) => `${factor}x^${x}y^${y}`).join(' + ')
}

/** The same sum in another order and other brackets. */
function nested(terms: Term[]): string {
  return terms
    .toReversed()
    .reduce(
      (rest, { factor, x, y }) => `(${'x*'.repeat(x)}y^{${y}} \\cdot ${factor} + ${rest})`,
      '0',
    )
}

/** Ways to write a polynomial p twice. */
const REWRITINGS: ((terms: Term[]) => [string, string])[] = [
  (terms) => [sum(terms), nested(terms)],
  (terms) => [`(${sum(terms)})(x+1)`, `x(${nested(terms)}) + ${nested(terms)}`],
  (terms) => [`(${sum(terms)})^2`, `(${sum(terms)})(${nested(terms)})`],
  (terms) => [`\\frac{${sum(terms)}}{3}`, `(1/3)(${nested(terms)})`],
  (terms) => [`sin(${sum(terms)})`, `sin(${nested(terms)})`],
  (terms) => [`sqrt((${sum(terms)})^2)`, `|${nested(terms)}|`],
  (terms) => [`e^((${sum(terms)})/1000)`, `exp((${nested(terms)})/1000)`],
]
