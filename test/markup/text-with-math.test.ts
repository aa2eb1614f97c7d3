import { expect, it } from 'vitest'
import { textWithMath } from '../../src/markup/text-with-math.ts'

it.each([
  ['Solve $x^2 = 9$ and $\\frac{1}{2}x = 3$.', 'Solve x² = 9 and (1/2)x = 3.'],
  ['It costs $5 and $10.', 'It costs $5 and $10.'],
  ['It costs \\$5, so $x \\le 2$.', 'It costs $5, so x ≤ 2.'],
  ['\\(\\sqrt{2}\\) and \\[a^{10}\\]', '√2 and a¹⁰'],
  ['$$x \\ne 0$$', 'x ≠ 0'],
  ['No formula, one $ only', 'No formula, one $ only'],
])('writes the formulas of %j as text', (text, shown) => {
  expect(textWithMath(text)).toBe(shown)
})
