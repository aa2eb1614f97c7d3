import { expect, it } from 'vitest'
import { ownWords } from '../../web/markdown/own-words.ts'

const kinds = (text: string) => ownWords(text).map((piece) => [piece.kind, piece.text])

it.each([
  '2*3*4',
  '__init__',
  '1. five',
  '# not a title',
  'a_1 and b_2',
  'it costs $5 and $10',
  'US$5, then 3$',
  '<b>bold</b> & `x`',
  '> 3',
  'a ~~b~~ [c](d)',
])('shows “%s” as it was typed', (text) => {
  expect(kinds(text)).toEqual([['words', text]])
})

it('sets what stands between dollars as a formula', () => {
  expect(kinds('I think $x^2 = 4$, so')).toEqual([
    ['words', 'I think '],
    ['formula', '$x^2 = 4$'],
    ['words', ', so'],
  ])
  expect(kinds('$$\n\\frac12\n$$')).toEqual([['formula', '$$\n\\frac12\n$$']])
})

it('shows a program in its fence as one', () => {
  const program = '```python\nprint("$a$")\n```'
  expect(kinds(program)).toEqual([['program', program]])
})
