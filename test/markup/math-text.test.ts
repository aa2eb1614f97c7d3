import fc from 'fast-check'
import katex from 'katex'
import { expect, it } from 'vitest'
import { mathText } from '../../src/markup/math-text.ts'

it.each([
  ['\\frac{1}{2}', '1/2'],
  ['\\frac12', '1/2'],
  ['\\dfrac{x + 1}{2x}', '(x + 1)/(2x)'],
  ['\\frac{2x}{3}', '2x/3'],
  ['\\frac{5(F - 32)}{9}', '5(F - 32)/9'],
  ['\\frac{9}{5}C + 32', '(9/5)C + 32'],
  ['2\\frac{1}{2}', '2 1/2'],
  ['x\\frac{1}{2}', 'x(1/2)'],
  ['24 \\cdot \\frac{1}{2}', '24 · 1/2'],
  ['\\frac{\\frac{a}{b}}{c}', '(a/b)/c'],
  ['\\left(\\frac{1}{2}\\right)^3', '(1/2)³'],
  ['\\frac{1}{2}^2', '(1/2)²'],
  ['\\sqrt{9}', '√9'],
  ['\\sqrt{a + b}', '√(a + b)'],
  ['\\sqrt{2}x', '√(2)x'],
  ['6\\sqrt{2}', '6√2'],
  ['\\sqrt[3]{8}', '∛8'],
  ['\\sqrt[4]{16}', '⁴√16'],
  ['\\sqrt{x}^2', '(√x)²'],
  ['x^2', 'x²'],
  ['x^{10}', 'x¹⁰'],
  ['2^{-n}', '2⁻ⁿ'],
  ['a^{m}', 'a^m'],
  ['3^{3 \\cdot 4}', '3^(3 · 4)'],
  ['x_1 + x_{12}', 'x₁ + x₁₂'],
  ['90^\\circ', '90°'],
  ['x\\le5', 'x ≤ 5'],
  ['-2 \\leq x < 3', '-2 ≤ x < 3'],
  ['x = \\pm 3', 'x = ±3'],
  ['b \\pm \\sqrt{D}', 'b ± √D'],
  ['A = 0 \\ \\text{ or } \\ B = 0', 'A = 0 or B = 0'],
  ['7 \\;\\xrightarrow{\\;\\cdot 3\\;}\\; 21', '7 —(· 3)→ 21'],
  ['\\sin x + \\sin(x)', 'sin x + sin(x)'],
  ['x \\in \\mathbb{R}', 'x ∈ ℝ'],
  ['\\{1, 2\\}', '{1, 2}'],
  ['50\\%', '50%'],
  ['2^3x^{n}y', '2³xⁿy'],
  ['(a+b)^2', '(a + b)²'],
  ['{a+b}^2', '(a + b)²'],
  ['-a - -b', '-a - -b'],
  ['\\sum_{i=1}^{n} i', '∑_(i = 1)ⁿ i'],
  ['\\bar{x}', 'x̄'],
  [
    '\\begin{cases} x & y \\\\ z & w \\end{cases}',
    '{\u00a0x\u00a0\u00a0\u00a0y\n{\u00a0z\u00a0\u00a0\u00a0w',
  ],
  ['\\unknown{x}', 'unknownx'],
  ['\\frac{1}', '\\frac{1}'],
  ['{{{', '{{{'],
])('%s is %s', (latex, text) => {
  expect(mathText(latex)).toBe(text)
})

it('sets the rows of an environment below each other', () => {
  const rows = String.raw`\begin{aligned} 50 - 4w &= 8 && \text{add } 4w \\ 50 &= 8 + 4w \end{aligned}`
  expect(mathText(rows).replaceAll('\u00a0', ' ').split('\n')).toEqual([
    '50 - 4w = 8         add 4w',
    '     50 = 8 + 4w',
  ])
})

const isReadable = (latex: string): boolean => {
  try {
    katex.renderToString(latex, { strict: 'ignore' })
    return true
  } catch {
    return false
  }
}

it('throws on nothing, and leaves no command of what can be read, however it is nested', () => {
  const piece = fc.constantFrom(
    ...['\\frac', '\\sqrt', '{', '}', '[', ']', '^', '_', '\\begin{aligned}', '\\end{aligned}'],
    ...[
      '\\begin{array}{c}',
      '\\\\',
      '&',
      '\\text',
      '\\left',
      '\\right.',
      '\\',
      'x',
      '2',
      ' ',
      '\n',
    ],
  )
  const latex = fc.oneof(
    fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
    fc.string(),
  )
  fc.assert(
    fc.property(latex, (text) => {
      const shown = mathText(text)
      if (isReadable(text)) expect(shown).not.toMatch(/\\(?:frac|sqrt|begin|end|text|left|right)/)
    }),
    { seed: 42, numRuns: 2_000 },
  )
})

it.each(['{', '\\frac', '\\begin{aligned}', '\\sqrt[', '^'])(
  'stands %s thousands of times',
  (piece) => {
    expect(() => mathText(piece.repeat(5_000))).not.toThrow()
  },
)
