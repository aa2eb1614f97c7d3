import { describe, expect, it } from 'vitest'
import type { AnswerKey } from '../../../src/domain/answers/answer-key.ts'
import { readingOf } from '../../../src/domain/answers/reading.ts'

const QUESTION = {
  text: 'Solve $3x + y = 12$.',
  options: [
    { id: 'a', text: 'a line' },
    { id: 'b', text: '$-8$' },
  ],
}

describe('what code understands of an answer without its key', () => {
  const cases: [kind: AnswerKey['type'], text: string, reading: string | null][] = [
    ['number', 'I think it is minus two?', '$-2$'],
    ['number', '3x = 12, so x = 4', '$4$'],
    ['number', '3 1/2', '$\\frac{7}{2}$'],
    ['number', '25%', '25%'],
    ['number', 'about a dozen', null],
    ['expression', '1/2x', '$\\frac{1}{2} x$'],
    ['expression', '1/(2x)', '$\\frac{1}{2 x}$'],
    ['expression', '-(x+1)^2 - (y - 3)', '$-(x + 1)^{2} - (y - 3)$'],
    ['expression', 'x^2*3', '$x^{2} \\cdot 3$'],
    ['expression', '2sqrt(3)', '$2 \\sqrt{3}$'],
    ['expression', 'no idea', null],
    ['equation', 'y=2x-6', '$y = 2 x - 6$'],
    ['inequality', 'x >= -2', '$x \\ge -2$'],
    ['set', 'x = 2 or x = -3', '$\\{2;\\; -3\\}$'],
    ['set', '±2', '$\\{2;\\; -2\\}$'],
    ['pair', '(3|-2)', '$(3;\\; -2)$'],
    ['pair', 'y = 2, x = 3', '$y = 2,\\; x = 3$'],
    ['choice', 'minus 8, I guess', '$-8$'],
    ['choice', 'A', 'a line'],
    ['code', "[ 1, 'a b' ]", "`[1,'a b']`"],
    ['text', 'maybe the mean?', 'the mean'],
    ['number', 'why?', null],
    ['number', '1'.repeat(501), null],
  ]
  it.each(cases)('%s %j: %j', (kind, text, reading) => {
    expect(readingOf(text, kind, QUESTION)).toBe(reading)
  })

  it('takes no other letter than the one asked for', () => {
    expect(readingOf('z = 4', 'number', { text: 'Solve $3x = 12$.' })).toBeNull()
    expect(readingOf('x = 4', 'number', { text: 'Solve $3x = 12$.' })).toBe('$4$')
  })
})
