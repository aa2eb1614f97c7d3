import { describe, expect, it } from 'vitest'
import { answeringPart, pastedTheQuestion } from '../../../src/domain/answers/question-text.ts'

describe('a pasted question', () => {
  it.each([
    ['Expand $3(x+2)$.', 'Expand 3(x+2)'],
    ['Expand $3(x+2)$.', '3(x+2)'],
    ['Expand $3(x+2)$.', '3 * (x + 2)'],
    ['Expand 3(x+2).', '3(x+2)'],
    ['Solve $2x + 1 = 9$.', '2x+1=9'],
    ['Solve $2x + 1 = 9$.', '2x + 1'],
    ['Solve 2x + 1 = 9 for x.', '2x+1 = 9'],
    ['Simplify $\\frac{6x}{2}$.', '(6x)/2'],
    ['What is 12/4?', '12/4'],
    ['Write 0.5 as a fraction.', '0.5'],
    ['What is 50% of 8?', '50%'],
    ['Name the top part of a fraction.', 'the top part of a fraction'],
  ])('%j answered by %j', (question, text) => {
    expect(pastedTheQuestion(text, question)).toBe(true)
  })

  it.each([
    ['Expand $3(x+2)$.', '3x+6'],
    ['Expand $3(x+2)$.', 'x'],
    ['Expand $3(x+2)$.', '3'],
    ['Is 2 or 3 the root?', '2'],
    ['Is -2 or 3 the root?', '-2'],
    ['Solve $x^2 = 4$.', '2'],
    ['Name the top part.', 'the top'],
    ['Name the top part.', ''],
    ['', 'x'],
  ])('%j not answered by %j', (question, text) => {
    expect(pastedTheQuestion(text, question)).toBe(false)
  })
})

describe('the part of an answer that answers', () => {
  it.each([
    ['4', '4'],
    ['= 4', '4'],
    ['x = 4', '4'],
    ['f(x) = 3x', '3x'],
    ["f'(x) = 3", '3'],
    ['A = 12', '12'],
    ['The answer is 4', '4'],
    ["I think it's 4", '4'],
    ['answer: 4', '4'],
    ['2 + 2 = 4', '4'],
    ['2 + 3 = 4', '2 + 3 = 4'],
    ['x = 2x + 1', 'x = 2x + 1'],
    ['x <= 4', 'x <= 4'],
    ['a = 1 = b', 'a = 1 = b'],
  ])('%j → %j', (text, part) => {
    expect(answeringPart(text, 'What is $2 + 2$?')).toBe(part)
  })
})
