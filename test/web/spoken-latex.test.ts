import { expect, it } from 'vitest'
import { spokenLatex } from '../../web/tutor/spoken-latex.ts'

it.each([
  ['two x plus three equals eleven', '2x + 3 = 11'],
  ['how do I solve 2x + 3 = 11?', '2x + 3 = 11'],
  ['what is minus five times twenty-one', '- 5 \\cdot 21'],
  ['x squared minus nine is equal to zero', 'x^2 - 9 = 0'],
  ['two to the power of ten', '2^{10}'],
  ['is three over four greater than one over two', '\\frac{3}{4} > \\frac{1}{2}'],
  ['the square root of sixteen plus one', '\\sqrt{16} + 1'],
  ['2 open bracket x plus one close bracket', '2 (x + 1)'],
  ['y is less than or equal to 7', 'y \\le 7'],
])('hears the formula in “%s”', (said, latex) => {
  expect(spokenLatex(said)).toBe(latex)
})

it.each([
  'I need help with linear equations',
  'I have two questions',
  'what is a fraction',
  'plus',
  '',
])('hears none in “%s”', (said) => {
  expect(spokenLatex(said)).toBeNull()
})
