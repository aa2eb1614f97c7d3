import fc from 'fast-check'
import { afterAll, describe, expect, it, test } from 'vitest'
import type { Json, ProgramKey, ProgramTest } from '../../src/domain/answers/program.ts'
import { InterpreterGone, type InterpreterProcess } from '../../src/sandbox/interpreter-process.ts'
import { createSandbox, loadInterpreter } from '../../src/sandbox/sandbox.ts'

const trusted = createSandbox({ trusted: true })
afterAll(() => trusted.stop())

const keyOf = (name: string | null, ...tests: [Json, Json][]): ProgramKey => ({
  type: 'program',
  language: 'python',
  function: name,
  starter: null,
  tests: tests.map(([input, output]): ProgramTest => ({ input, output, hidden: false })),
})
const LINE = keyOf(null, ['a line\n', 'a line'])

describe('a program that is asked for', () => {
  /** Each with what it comes to, reckoned here. */
  const programs: [name: string, program: string, wanted: (numbers: number[]) => Json][] = [
    ['total', 'def total(ns):\n    return sum(ns)', (ns) => ns.reduce((a, b) => a + b, 0)],
    ['largest', 'def largest(ns):\n    return max(ns)', (ns) => Math.max(...ns)],
    [
      'evens',
      'def evens(ns):\n    return [n for n in ns if n % 2 == 0]',
      (ns) => ns.filter((n) => n % 2 === 0),
    ],
    ['back', 'def back(ns):\n    return ns[::-1]', (ns) => [...ns].reverse()],
    [
      'halves',
      'def halves(ns):\n    return tuple(n / 2 for n in ns)',
      (ns) => ns.map((n) => n / 2),
    ],
    [
      'counts',
      'from collections import Counter\ndef counts(ns):\n    return {str(n): c for n, c in Counter(ns).items()}',
      (ns) => {
        const counts: Record<string, number> = {}
        for (const n of ns) counts[n] = (counts[n] ?? 0) + 1
        return counts
      },
    ],
    ['text', 'def text(ns):\n    return ", ".join(str(n) for n in ns)', (ns) => ns.join(', ')],
    [
      'ordered',
      'def ordered(ns):\n    ns = list(ns)\n    for i in range(len(ns)):\n        for j in range(len(ns) - 1 - i):\n            if ns[j] > ns[j + 1]:\n                ns[j], ns[j + 1] = ns[j + 1], ns[j]\n    return ns',
      (ns) => [...ns].sort((a, b) => a - b),
    ],
  ]
  const lists = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 12 })

  test.each(programs)(
    '%s passes whatever it is tried with, and fails what it is not',
    async (name, program, wanted) => {
      await fc.assert(
        fc.asyncProperty(fc.array(lists, { minLength: 1, maxLength: 4 }), async (inputs) => {
          const tests = inputs.map((numbers): [Json, Json] => [[numbers], wanted(numbers)])
          expect(await trusted.test(program, keyOf(name, ...tests))).toEqual({ verdict: 'passed' })
          const [first = []] = inputs
          const other = keyOf(name, ...tests, [[first], [wanted(first), 'and more']])
          expect(await trusted.test(program, other)).toMatchObject({ verdict: 'failed' })
        }),
        { seed: 5, numRuns: 15 },
      )
    },
  )

  it('may read lines, ask for them, and end early', async () => {
    const program =
      'n = int(input("How many? "))\nprint(sum(int(input()) for _ in range(n)))\nexit()'
    const key = keyOf(null, ['2\n3\n4\n', '7'], ['0', '0'])
    expect(await trusted.test(program, key)).toEqual({ verdict: 'passed' })
  })

  it('may use what a course uses of the library', async () => {
    const program =
      'import math, random, json, string, re, datetime, dataclasses, typing, enum, csv, io, os.path, sys\nprint(input())'
    expect(await trusted.test(program, LINE)).toEqual({ verdict: 'passed' })
  })
})

describe('a program that is wrong', () => {
  test.each([
    ['print("another")', 'differs'],
    ['print(1 / 0)', 'error'],
    ['input()\ninput()', 'no-more-input'],
    ['print(lne)', 'error'],
  ])('%j: %s', async (program, kind) => {
    const verdict = await trusted.test(program, LINE)
    expect(verdict).toMatchObject({ verdict: 'failed', failed: { fault: { kind } } })
  })

  it('is told with the line of the program', async () => {
    const program = 'def f(x):\n    return 1 / x\n\nf(0)'
    expect(await trusted.test(program, LINE)).toMatchObject({
      failed: { fault: { kind: 'error', name: 'ZeroDivisionError', line: 2 } },
    })
  })

  it('without the function asked for is told so', async () => {
    const verdict = await trusted.test('def ad(a, b):\n    return a + b', keyOf('add', [[1, 2], 3]))
    expect(verdict).toMatchObject({ failed: { fault: { kind: 'missing-function' } } })
  })

  it('that Python cannot read is no program', async () => {
    expect(await trusted.test('print("a line"', LINE)).toEqual({
      verdict: 'unreadable',
      message: "'(' was never closed",
      line: 1,
    })
  })
})

it('has every program find the interpreter as it was', async () => {
  const sandbox = createSandbox()
  try {
    const spoil =
      'import builtins, sys, random\nprint(input())\nbuiltins.print = None\nrandom.randint = None\nsys.modules["math"] = None\nbuiltins.input = None'
    const use = 'import math, random\nrandom.randint(1, 2)\nprint(input())'
    expect(await sandbox.test(spoil, LINE)).toEqual({ verdict: 'passed' })
    expect(await sandbox.test(use, LINE)).toEqual({ verdict: 'passed' })
  } finally {
    await sandbox.stop()
  }
})

describe('an interpreter', () => {
  it('that cannot start leaves a program unavailable, and is tried again', async () => {
    let starts = 0
    const sandbox = createSandbox({
      load: async () => {
        starts += 1
        if (starts <= 2) throw new InterpreterGone('of a test')
        return loadInterpreter()
      },
    })
    try {
      expect(await sandbox.test('print(input())', LINE)).toEqual({ verdict: 'unavailable' })
      expect(await sandbox.test('print(input())', LINE)).toEqual({ verdict: 'passed' })
    } finally {
      await sandbox.stop()
    }
  })

  it('that was killed while it waited is replaced', async () => {
    let warm: InterpreterProcess | undefined
    const sandbox = createSandbox({
      load: async () => {
        warm = await loadInterpreter()
        return warm
      },
    })
    try {
      await sandbox.test('print(input())', LINE)
      await new Promise((resolve) => setTimeout(resolve, 50))
      const before = warm
      await before?.kill()
      expect(await sandbox.test('print(input())', LINE)).toEqual({ verdict: 'passed' })
    } finally {
      await sandbox.stop()
    }
  })

  it('ends with its sandbox, also in the middle of a program', async () => {
    let warm: InterpreterProcess | undefined
    const sandbox = createSandbox({
      load: async () => {
        warm = await loadInterpreter()
        return warm
      },
    })
    const running = sandbox.test('while True:\n    pass', LINE)
    while (!warm) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, 100))
    await sandbox.stop()
    expect(await running).toEqual({ verdict: 'unavailable' })
    expect(() => process.kill(warm?.pid ?? 0, 0)).toThrow(/ESRCH/)
  })
})
