import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { programFaults, taughtBy } from '../../src/courses/check-python.ts'
import { loadCourse } from '../../src/courses/load.ts'
import { loadPython } from './python-interpreter.ts'

/** The questions of the Python course that ask for a program, run by CPython with solutions and mistakes. */
interface ProgramQuestion {
  id: string
  level: string
  question: string
  starter?: string
  entry: { function: string } | { stdin: true }
  tests: { input: unknown; output: unknown; hidden?: true }[]
  solution: string
  hints: string[]
  mistakes?: { program: string; tag: string }[]
}

const folder = resolve(import.meta.dirname, '../../courses/python-fundamentals')
const course = await loadCourse(folder)
const python = await loadPython()
const units = await Promise.all(
  course.units
    .filter(({ unitId }) => unitId >= 'PY-01')
    .map(async (unit) => {
      const file = join(folder, 'units', unit.unitId, 'programs.yml')
      return { unit, programs: parse(await readFile(file, 'utf8')) as ProgramQuestion[] }
    }),
)
const all = units.flatMap(({ unit, programs }) => programs.map((program) => ({ unit, program })))

/** The places, from 1, of the tests that a program does not pass. */
function failedTests(code: string, { entry, tests }: ProgramQuestion): number[] {
  const passed =
    'function' in entry
      ? python
          .call(
            tests.map(({ input }) => ({ code, name: entry.function, args: input as unknown[] })),
          )
          .map(({ error, value }, index) => {
            return error === null && JSON.stringify(value) === JSON.stringify(tests[index]?.output)
          })
      : python
          .run(tests.map(({ input }) => ({ code, stdin: String(input) })))
          .map(({ error, out }, index) => {
            return error === null && out.trimEnd() === String(tests[index]?.output)
          })
  return passed.flatMap((one, index) => (one ? [] : [index + 1]))
}

test.each(units)('$unit.unitId asks for two programs or more', ({ unit, programs }) => {
  expect(programs.length).toBeGreaterThanOrEqual(2)
  const ids = programs.map(({ id }) => id)
  expect(ids).toEqual(ids.map((_, index) => `${unit.unitId}-P${index + 1}`))
})

test.each(all)('$program.id shows some tests and hides three or more', ({ program }) => {
  const hidden = program.tests.filter((one) => one.hidden)
  expect(hidden.length).toBeGreaterThanOrEqual(3)
  expect(program.tests.length - hidden.length).toBeGreaterThanOrEqual(1)
  expect(program.tests.length - hidden.length).toBeLessThanOrEqual(3)
})

test.each(all)('$program.id is solved by its solution, not by what stands there', ({ program }) => {
  expect(failedTests(program.solution, program)).toEqual([])
  expect(failedTests(program.starter ?? '', program)).not.toEqual([])
})

test.each(all)('$program.id is not solved by its mistakes, which the unit knows', (one) => {
  const { unit, program } = one
  for (const mistake of program.mistakes ?? []) {
    expect(failedTests(mistake.program, program), mistake.program).not.toEqual([])
    expect(unit.misconceptions.map(({ tag }) => tag)).toContain(mistake.tag)
  }
  expect(program.mistakes ?? []).not.toEqual([])
})

test.each(all)('$program.id needs only what has been taught', ({ unit, program }) => {
  const taught = taughtBy(course, unit.unitId)
  const needed = [program.solution, program.starter ?? '']
  expect(needed.flatMap((code) => programFaults(program.id, code, taught))).toEqual([])
})
