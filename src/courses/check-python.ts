import type { BankQuestion, Course, Unit } from '../contracts/course-pack.ts'
import { ancestors, graphFrom } from '../domain/mind-map/graph.ts'
import { type ProgramParts, programParts } from './python-features.ts'
import { drawQuestion } from './templates.ts'

const CHECKED_DRAWS = 4

/**
 * What is wrong with the programs of a course that says what its units teach of Python, in words:
 * programs that do not parse, and features that neither the unit nor one before it teaches. In any
 * course: answers of worked examples that would be shown between apostrophes.
 */
export function checkPython(course: Course): string[] {
  const quoted = course.units
    .filter((unit) => examplesOf(unit).some(({ answer }) => /^'.*'$/s.test(answer)))
    .map(({ unitId }) => `${unitId} example: the answer stands between apostrophes, quoted twice`)
  if (course.units.every((unit) => unit.teaches === undefined)) return quoted
  const faults = course.units.flatMap((unit) => {
    const taught = taughtBy(course, unit.unitId)
    return programsOf(unit).flatMap(([where, code]) => programFaults(where, code, taught))
  })
  return [...quoted, ...faults]
}

/** What a unit and all those before it teach. */
export function taughtBy(course: Course, unitId: string): Set<string> {
  const ids = course.units.map((unit) => unit.unitId)
  const known = ancestors(graphFrom(ids, course.prereqEdges), [unitId]).add(unitId)
  const units = course.units.filter((unit) => known.has(unit.unitId))
  return new Set(units.flatMap((unit) => unit.teaches ?? []))
}

/** Where one program does not parse, and what it uses that is not taught. */
export function programFaults(where: string, code: string, taught: ReadonlySet<string>): string[] {
  const { features, faults } = programParts(code)
  return [
    ...faults.map((line) => `${where}: line ${line} of the program does not parse: ${code}`),
    ...untaught({ features, faults }, taught).map(
      ([feature, line]) => `${where}: line ${line} of a program uses ${feature}, not taught before`,
    ),
  ]
}

function untaught({ features }: ProgramParts, taught: ReadonlySet<string>): [string, number][] {
  return [...features].filter(([feature]) => !taught.has(feature))
}

type Located = [where: string, code: string]

function programsOf(unit: Unit): Located[] {
  const drawn = unit.templates.flatMap((template) =>
    Array.from({ length: CHECKED_DRAWS }, (_, seed) => drawQuestion(template, seed + 1)),
  )
  const texts: Located[] = [
    [`${unit.unitId} lesson`, unit.lesson],
    ...examplesOf(unit).map(({ problem }): Located => [`${unit.unitId} example`, problem]),
    ...(unit.fadedExample
      ? [[`${unit.unitId} faded example`, unit.fadedExample.problem] satisfies Located]
      : []),
    ...unit.exams.map((exam): Located => [exam.questionId, exam.questionLatex]),
  ]
  return [
    ...texts.flatMap(([where, text]) => blocks(text).map((code): Located => [where, code])),
    ...[...unit.questions, ...drawn].flatMap((question) =>
      [...blocks(question.text), ...lines(question.text)].map(
        (code): Located => [question.id, filled(code, question)],
      ),
    ),
  ]
}

const examplesOf = ({ workedExample, workedExamples }: Unit) => [workedExample, ...workedExamples]

function blocks(text: string): string[] {
  return [...text.matchAll(/^```python\n([\s\S]*?)^```/gm)].map(([, code]) => code ?? '')
}

/** Expressions that stand on a line of their own, between backticks. */
function lines(text: string): string[] {
  return [...text.matchAll(/^`([^`]+)`$/gm)].map(([, code]) => code ?? '')
}

/** A program with a gap, with the key in it. */
function filled(code: string, { answer }: BankQuestion): string {
  const key = answer.type === 'text' ? answer.accepted[0] : 'value' in answer ? answer.value : ''
  return code.replaceAll('____', key ?? '')
}
