import { expect, it } from 'vitest'
import { answerKindOf } from '../../web/keys/answer-kind.ts'

it.each([
  ['Solve $3x + 5 = 20$ for $x$.', 'equation'],
  ['Solve for x.\n\n$$\nx^2 = 9\n$$', 'equation'],
  ['What does `len("abc")` give?', 'code'],
  ['What is printed?\n\n```python\nprint(2 ** 3)\n```', 'code'],
  ['Work out `a[0]` where $a$ is a list.', 'code'],
  ['Anna has 3 apples and buys 4. How many has she?', 'number'],
  ['Why does a leaf look green?', 'text'],
  ['', 'text'],
])('“%s” is answered with %s', (question, kind) => {
  expect(answerKindOf(question)).toBe(kind)
})
