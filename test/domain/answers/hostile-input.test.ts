import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerKey } from '../../../src/domain/answers/answer-key.ts'
import { judgeAnswer } from '../../../src/domain/answers/judge.ts'
import { equivalentExpressions } from '../../../src/domain/notation/equivalence.ts'

const KEYS: AnswerKey[] = [
  { type: 'pair', value: '(7919, -3)' },
  { type: 'code', value: '[7919]' },
  { type: 'choice', correct: 'b' },
  { type: 'number', value: '7919' },
  { type: 'number', value: '7919', unit: 'cm' },
  { type: 'expression', value: '7919x^2 + 17y' },
  { type: 'expression', value: '(7919x + 2)(x - 3)', form: 'factored' },
  { type: 'equation', value: 'y = 7919x + 1' },
  { type: 'set', values: ['7919', '-3'] },
  { type: 'inequality', value: 'x < 7919' },
  { type: 'text', accepted: ['incommensurable'], pattern: 'incommensurab\\w+' },
]
const QUESTION = { text: 'Expand $(x+2)(x+3)$.', options: undefined }

const DANGEROUS = [
  ...['x = 5; x', 'f(x) = x^2', 'f(x) = f(x)', '"text"', "'text'", '[1, 2; 3, 4]', '[1,2,3][1]'],
  ...['1:10', '1:1e9', 'ones(1000,1000)', 'zeros(1e9)', 'range(1, 1e9)', '{a: 1}', '{a: 1}.a'],
  ...['import({}, {override: true})', 'import("fs")', 'createUnit("knot")', 'config({})'],
  ...['evaluate("1+1")', 'parse("x")', 'simplify("x")', 'derivative("x^2", "x")', 'x.constructor'],
  ...['cos.constructor("return process")()', '__proto__', 'constructor', 'toString', 'this'],
  ...[
    'process.exit(1)',
    'require("fs")',
    '$\u007b1+1}',
    '`x`',
    'x => x',
    '() => {}',
    'x ? 1 : 2',
    'x!',
  ],
  ...['9^9^9^9^9', '9^(9^(9^9))', '10^10^10', '2^1000000', '(2^1000)^1000', '1e308*1e308', '170!'],
  ...['1/0', '0/0', '0^0', '-', '--', '^', '((((', '))))', '||||', '\\frac{}{}', '\\frac{1}{0}'],
  ...[
    '\\sqrt{\\sqrt{\\sqrt{',
    '\\input{/etc/passwd}',
    '\\def\\x{\\x\\x}\\x',
    '{{{{}}}}',
    '$',
    '$$',
  ],
  ...['x < < 3', '< 3', '3 < x < 4 < 5', '(1, 2', '[,]', '{}', '{,}', ', , ,', ';;;', '±', '±±±1'],
  ...[
    '<script>alert(1)</script>',
    "' OR 1=1 --",
    '\u0000',
    '\ud800',
    '\u202e7919',
    '😀',
    '7919\u0000',
  ],
]

const NESTED = [
  '('.repeat(500),
  `${'('.repeat(249)}1${')'.repeat(249)}`,
  '-'.repeat(500),
  `${'-'.repeat(499)}1`,
  '\\frac{1}{'.repeat(55),
  `${'\\sqrt{'.repeat(70)}x${'}'.repeat(70)}`,
  `x${'^x'.repeat(249)}`,
  `x${'^{x'.repeat(120)}${'}'.repeat(120)}`,
  `1${'^1'.repeat(29)}`,
  `9${'^9'.repeat(249)}`,
  `${'(x+1)^999'.repeat(55)}`,
  `(${'(x+y+a)^999+'.repeat(38)}x)^99`,
  `${'|x'.repeat(250)}`,
  `${'sin '.repeat(120)}x`,
  `${'x,'.repeat(250)}`,
  `${'±1,'.repeat(166)}`,
  `${'±1+'.repeat(166)}1`,
  `${'1 '.repeat(250)}`,
  `${'1,234,'.repeat(80)}567`,
  `${'one hundred and '.repeat(31)}`,
  `${' '.repeat(499)}x`,
  `x${' '.repeat(498)}=`,
  `${'a and '.repeat(80)}`,
  `${'x<'.repeat(249)}`,
  `${'x<1 or '.repeat(70)}x<2`,
  `${'x!=1 and '.repeat(55)}x<2`,
  `${'\\left('.repeat(80)}`,
  '1'.repeat(500),
  `1e${'9'.repeat(490)}`,
  '$'.repeat(500),
]

function expectNothingAccepted(text: string) {
  for (const key of KEYS) {
    const { verdict } = judgeAnswer(text, key, QUESTION)
    expect(verdict, `${JSON.stringify(key)} by ${text}`).not.toBe('correct')
  }
}

describe('hostile input is never evaluated and never accepted', () => {
  it.each(DANGEROUS)('%j', (text) => {
    expectNothingAccepted(text)
  })

  it.each(NESTED.map((text) => [`${text.slice(0, 20)}…`, text]))('%s', (_, text) => {
    expectNothingAccepted(text)
    expectNothingAccepted(`x = ${text}`)
    expectNothingAccepted(`y < ${text}`)
  })

  it('junk out of dangerous pieces', () => {
    const piece = fc.oneof(
      fc.constantFrom(...DANGEROUS),
      fc.constantFrom('+', '-', '*', '/', '^', '(', ')', '=', '<', ',', ' or ', ' and ', '\\frac'),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.constantFrom('x', 'y', '1', '2.5', 'sin', 'sqrt(', '|', '{', '}', '\\', '$', '±', '%'),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        expectNothingAccepted(pieces.join(''))
      }),
      { seed: 42, numRuns: 2000 },
    )
  })

  it('a claim about a dangerous string is never yes', () => {
    for (const text of DANGEROUS) {
      expect(equivalentExpressions(text, '7919x'), text).not.toBe('yes')
    }
  })
})
