import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  type CaseRun,
  type Json,
  judgeCase,
  type ProgramKey,
  programOf,
  shownOf,
} from '../../../src/domain/answers/program.ts'

const key = (given: Partial<ProgramKey>): ProgramKey => ({
  type: 'program',
  language: 'python',
  function: null,
  starter: null,
  tests: [],
  ...given,
})
const printed = (text: string, prompted = text): CaseRun => ({ printed: text, prompted })
const returned = (value: string): CaseRun => ({ printed: '', prompted: '', value })

describe('what a program prints', () => {
  test.each([
    ['2\n15', '2\n15\n', true],
    ['2\n15', '2 \n15\t\n\n', true],
    ['2\n15', '2\r\n15\r\n', true],
    ['2\n15', '2 15', false],
    ['2\n15', ' 2\n15', false],
    ['2\n15', '2\n\n15', false],
    ['Hello', 'hello', false],
    ['', '\n', true],
  ])('%j wanted, %j printed: %s', (output, text, isRight) => {
    const failed = judgeCase(key({}), { input: '', output, hidden: false }, printed(text))
    expect(failed === null).toBe(isRight)
  })

  it('may be judged with the questions of input() or without', () => {
    const test = { input: 'Ann\n', output: 'Hello Ann', hidden: false }
    expect(judgeCase(key({}), test, printed('Hello Ann\n', 'Name? Hello Ann\n'))).toBeNull()
    const asked = { ...test, output: 'Name? Hello Ann' }
    expect(judgeCase(key({}), asked, printed('Hello Ann\n', 'Name? Hello Ann\n'))).toBeNull()
  })
})

describe('what a function returns', () => {
  const add = key({ function: 'add' })
  test.each<[Json, string, boolean]>([
    [3, '3', true],
    [3, '3.0', true],
    [0.3, '0.30000000000000004', true],
    [3, '"3"', false],
    [true, 'true', true],
    [true, '1', false],
    [null, 'null', true],
    [[1, 'a'], '[1, "a"]', true],
    [[1, 2], '[2, 1]', false],
    [[], '{}', false],
    [{ a: 1, b: [2] }, '{"b": [2], "a": 1}', true],
    [{ a: 1 }, '{"a": 1, "b": 2}', false],
    [1e25, '10000000000000000000000000', true],
  ])('%j wanted, %s returned: %s', (output, value, isRight) => {
    const failed = judgeCase(add, { input: [], output, hidden: false }, returned(value))
    expect(failed === null).toBe(isRight)
  })

  it('is shown as Python writes it', () => {
    const test = { input: ["it's", [true, null], { n: 1.5 }], output: 'a\nb', hidden: false }
    expect(judgeCase(add, test, returned('"a"'))).toEqual({
      fault: { kind: 'differs' },
      input: `add("it's", [True, None], {'n': 1.5})`,
      hidden: false,
      expected: `'a\\nb'`,
      got: `'a'`,
    })
  })

  it('that is nothing is told as such', () => {
    const failed = judgeCase(add, { input: [], output: 3, hidden: false }, returned('null'))
    expect(failed?.fault).toEqual({ kind: 'returned-nothing' })
  })
})

it('tells of a hidden test its input alone', () => {
  const test = { input: [6, 7], output: 42_424_242, hidden: true }
  const mul = key({ function: 'mul' })
  const failed = judgeCase(mul, test, returned('13'))
  expect(failed).toEqual({ fault: { kind: 'differs' }, input: 'mul(6, 7)', hidden: true })
})

it('shows of a key the starter and the tests that are not hidden', () => {
  const tests = [
    { input: [1, 2], output: 3, hidden: false },
    { input: [5, 5], output: 10, hidden: true },
  ]
  expect(shownOf(key({ function: 'add', starter: 'def add(a, b):', tests }))).toEqual({
    program: {
      language: 'python',
      starter: 'def add(a, b):',
      examples: [{ input: 'add(1, 2)', output: '3' }],
    },
  })
  expect(shownOf({ type: 'number', value: '3' })).toEqual({})
  expect(shownOf(null)).toEqual({})
})

describe('a program in a message', () => {
  test.each([
    ['print(1)', 'print(1)'],
    ['```python\nprint(1)\n```', 'print(1)'],
    ['\n\n```\nif x:\n    y()\n```\n', 'if x:\n    y()'],
    ['~~~py\nprint(1)\n~~~', 'print(1)'],
    ['````\nprint("```")\n````', 'print("```")'],
    ['    indented = 1', '    indented = 1'],
    ['a = 1\r\nb = 2', 'a = 1\nb = 2'],
    ['```print(1)', '```print(1)'],
  ])('%j is %j', (text, program) => expect(programOf(text)).toBe(program))

  it('comes out of its fence as it went in', () => {
    const lines = fc.array(
      fc.string().filter((line) => !/[`~\r\n]/.test(line)),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(lines, (program) => {
        const text = program.join('\n')
        expect(programOf(`\`\`\`python\n${text}\n\`\`\``)).toBe(text)
      }),
    )
  })
})
