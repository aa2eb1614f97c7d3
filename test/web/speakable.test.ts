import { expect, it } from 'vitest'
import { speakable } from '../../web/markdown/speakable.ts'

it.each([
  ['divide by $4$', 'divide by 4'],
  ['$\\frac{1}{2}$ of $x$', '1/2 of x'],
  ['$\\frac{x + 1}{2}$', '(x + 1)/(2)'],
  ['$\\sqrt{2} \\cdot x \\le 3$', '√(2) · x ≤ 3'],
  ['$x^{2} \\neq -1$', 'x^2 ≠ -1'],
  ['**costs** \\$5', 'costs $5'],
  ['$\\text{no solution}$', 'no solution'],
])('reads %s as %s', (text, expected) => {
  expect(speakable(text)).toBe(expected)
})
