import { expect, test } from 'vitest'
import { checkPython } from '../../src/courses/check-python.ts'
import { programParts } from '../../src/courses/python-features.ts'
import { sampleCourse } from './sample-course.ts'

test.each<[string, string[]]>([
  ['x = 1', ['assignment']],
  ['x += 2', ['augmented_assignment', 'arithmetic']],
  ['a, b = b, a', ['assignment', 'unpacking']],
  [
    'print(7 // 2, 7 % 2, 7 / 2, 7 ** 2)',
    ['print()', 'floor_division', 'modulo', 'division', 'power'],
  ],
  ['s[1]', ['index']],
  ['s[1:]', ['slice']],
  ['for c in s:\n    break', ['for', 'break']],
  ['for i, c in enumerate(s):\n    pass', ['for', 'loop_unpacking', 'enumerate()', 'pass']],
  ['[n for n in s if n]', ['list_comprehension']],
  ['sum(n for n in s)', ['sum()', 'generator']],
  ['a if b else c', ['conditional_expression']],
  ['if a in b:\n    d.get(k)', ['if', 'membership', '.get()']],
  ['not a', ['logic']],
  ['a not in b', ['membership']],
  ['0 < a <= 1.5', ['comparison', 'float']],
  ['def f(a, b=2):\n    return a, b', ['def', 'default_value', 'return', 'tuple']],
  ['def len(a):\n    return 1\n\nlen(s)', ['def', 'return']],
  ['print(a, sep="")', ['print()', 'keyword_argument']],
  ['f"{len(s):.2f}"', ['f_string', 'len()']],
  ['try:\n    f()\nexcept ValueError:\n    f()\nfinally:\n    f()', ['try', 'finally']],
  ['{1: 2}\n{1, 2}\n(1, 2)\n[]', ['dict', 'set', 'tuple', 'list']],
  ['"for x in [1]: print(x)"  # del x', []],
])('%s uses %j', (code, features) => {
  const parts = programParts(code)
  expect([...parts.features.keys()].sort()).toEqual(features.sort())
  expect(parts.faults).toEqual([])
})

test.each([
  ['if a\n    b()', 1],
  ['x = 1\nprint(46 + )', 2],
])('%j does not parse in line %d', (code, line) => {
  expect(programParts(code).faults).toContain(line)
})

/** Two units in a row, of which the second shows a program. */
function faultsOf(program: string, taught: { first?: string[]; second?: string[] }) {
  const course = sampleCourse()
  const [first, second] = course.units
  if (!first || !second) throw new Error('the sample course has two units')
  first.teaches = taught.first
  second.teaches = taught.second
  second.lesson = `Look:\n\n\`\`\`python\n${program}\n\`\`\``
  return checkPython(course)
}

test('a feature that is taught by the unit or before it may stand in a program', () => {
  expect(faultsOf('print(len(s))', { first: ['print()'], second: ['len()'] })).toEqual([])
})

test('a feature that is taught nowhere before is told with its place', () => {
  expect(faultsOf('x = 1\nprint(7 % x)', { second: ['assignment', 'print()'] })).toEqual([
    'SUM-01 lesson: line 2 of a program uses modulo, not taught before',
  ])
})

test('a program that does not parse is told', () => {
  expect(faultsOf('print(46 + )', { second: ['print()', 'arithmetic'] })).toEqual([
    'SUM-01 lesson: line 1 of the program does not parse: print(46 + )\n',
  ])
})

test('a gap is filled with the key before the program is read', () => {
  const course = sampleCourse()
  const unit = course.units[0]
  const question = unit?.questions.find(({ format }) => format === 'short_answer')
  if (!unit || !question) throw new Error('the sample course has a short answer')
  unit.teaches = ['print()', 'arithmetic']
  question.text = 'Fill in:\n\n```python\nprint(46 ____ 10)\n```'
  question.answer = { type: 'text', accepted: ['%'] }
  expect(checkPython(course)).toEqual([
    `${question.id}: line 1 of a program uses modulo, not taught before`,
  ])
})

test('a course that says nothing of Python is not read for programs', () => {
  expect(faultsOf('print(46 + )', {})).toEqual([])
})

test('an answer of a worked example between apostrophes is told', () => {
  const course = sampleCourse()
  const unit = course.units[0]
  if (unit) unit.workedExample.answer = "'`8`'"
  expect(checkPython(course)).toEqual([
    'SUM-00 example: the answer stands between apostrophes, quoted twice',
  ])
})
