import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { QuestionTemplate } from '../../src/contracts/course-pack.ts'
import { evaluate, holds } from '../../src/courses/template-expression.ts'
import { drawQuestion } from '../../src/courses/templates.ts'
import { sampleUnit } from './sample-course.ts'

const template = sampleUnit('SUM-00', 'Adding', []).templates[0] as QuestionTemplate

test('a seed gives one question, whenever it is drawn', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
      expect(drawQuestion(template, seed)).toEqual(drawQuestion(template, seed))
    }),
    { seed: 42, numRuns: 100 },
  )
})

test('what is drawn is in range, meets the conditions and fits together', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (seed) => {
      const { params, answer, text } = drawQuestion(template, seed)
      const { a, b } = params as { a: number; b: number }
      expect(a).toBeGreaterThanOrEqual(2)
      expect(a).toBeLessThanOrEqual(9)
      expect(b).not.toBe(0)
      expect(a).not.toBe(b)
      expect(answer).toEqual({ type: 'number', value: String(a + b) })
      expect(text).toBe(`What is $(${a}) ${b < 0 ? '-' : '+'} ${Math.abs(b)}$?`)
    }),
    { seed: 42, numRuns: 200 },
  )
})

test('a drawn question is a question of the bank, with the seed in its id', () => {
  const drawn = drawQuestion(template, 7)
  expect(drawn.id).toBe('SUM-00-T1#7')
  expect(drawn).not.toHaveProperty('where')
  expect(drawn).not.toHaveProperty('derived')
})

test('every value of a range comes up', () => {
  const drawn = Array.from({ length: 300 }, (_, seed) => drawQuestion(template, seed).params.a)
  expect([...new Set(drawn)].sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9])
})

test('conditions that never hold end in an error', () => {
  expect(() => drawQuestion({ ...template, where: ['a > 100'] }, 1)).toThrow('no draw in 200')
})

test('a derived value that is not finite is drawn again', () => {
  const divided: QuestionTemplate = {
    ...template,
    params: { ...template.params, zero: { pick: [0, 1] } },
    derived: { ...template.derived, quotient: 'a / zero' },
  }
  const zeros = Array.from({ length: 20 }, (_, seed) => drawQuestion(divided, seed).params.zero)
  expect(new Set(zeros)).toEqual(new Set([1]))
})

test('a placeholder without a parameter is an error', () => {
  expect(() => drawQuestion({ ...template, text: '{{c}}' }, 1)).toThrow('{{c}} names no parameter')
})

test('texts may be picked, and numbers are written without binary noise', () => {
  const picked: QuestionTemplate = {
    ...template,
    params: { word: { pick: ['cat', 'dog'] } },
    derived: { tenths: '0.1 + 0.2', zero: '0 * (0 - 1)' },
    where: ['word == "dog"'],
    text: '{{word}} {{tenths}} {{+tenths}} {{zero}}',
    answer: { type: 'number', value: '1' },
    hints: ['Think.', 'Think again.'],
    solution: 'So.',
    mistakes: [],
  }
  expect(drawQuestion(picked, 3).text).toBe('dog 0.3 + 0.3 0')
})

test.each([
  ['2 + 3 * 4', 14],
  ['(a + b) / 2', 1],
  ['-a^2', -25],
  ['abs(b) + floor(5 / 2)', 5],
  ['mod(b, a)', 2],
  ['mod(7, 3)', 1],
  ['min(a, b)', -3],
  ['max(a, b, 9)', 9],
  ['a > b ? a : b', 5],
  ['(a == 4 ? 1 : 0) + 2', 2],
])('%s is %d', (expression, value) => {
  expect(evaluate(expression, { a: 5, b: -3 })).toBe(value)
})

test.each<[string, string | number]>([
  ['a > b ? a : b', 5],
  ['a < b ? 1 : (b < 0 ? "low" : "high")', 'low'],
  ['concat("x", a, w, 0.1 + 0.2)', 'x5planet0.3'],
  ['slice(w, 1, 3)', 'la'],
  ['slice(w, -2)', 'et'],
  ['slice(w, 4, 99)', 'et'],
  ['length(w)', 6],
  ['upper(w)', 'PLANET'],
  ['lower("Ab")', 'ab'],
  ['repeat("ab", 3)', 'ababab'],
  ['replace("banana", "an", "$&")', 'b$&$&a'],
  ['count("banana", "an")', 2],
  ['find("banana", "n")', 2],
  ['find("banana", "x")', -1],
  ['fixed(2 / 3, 2)', '0.67'],
  ['fixed(a, 1)', '5.0'],
])('%s is %j', (expression, value) => {
  expect(evaluate(expression, { a: 5, b: -3, w: 'planet' })).toBe(value)
})

test.each([
  'sqrt(4)',
  'length()',
  '(a and b) ? 1 : 2',
  'import("fs")',
  'a = 3',
  '[1, 2]',
  'a ? 1 : 2',
  'f(x) = x',
  'constructor',
  'toString(1)',
  'a.b',
  'c',
])('%s may not be evaluated', (expression) => {
  expect(() => evaluate(expression, { a: 5, b: -3 })).toThrow()
})

test('conditions compare', () => {
  expect(holds('a >= 2 * b', { a: 4, b: 2 })).toBe(true)
  expect(holds('a != b', { a: 2, b: 2 })).toBe(false)
  expect(() => holds('a + b', { a: 2, b: 2 })).toThrow('is not a comparison')
})
