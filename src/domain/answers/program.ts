import type { AnswerKey } from './answer-key.ts'
/** Answers that are programs: how they are tested, and what came of it. The programs themselves are run elsewhere. */

/** A value as JSON has it. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/**
 * One test. For a program that reads its input, `input` is that text and `output` what it has to print; for a function,
 * `input` is the list of its arguments and `output` what it has to return.
 */
export interface ProgramTest {
  input: Json
  output: Json
  /** The learner never sees what a hidden test expects; of one that fails they are told the input. */
  hidden: boolean
}

export interface ProgramKey {
  type: 'program'
  language: 'python'
  /** The function that is called; null: the program reads its input and prints. */
  function: string | null
  /** What stands in the editor at first. */
  starter: string | null
  tests: ProgramTest[]
}

/** Why a run of one test did not end well; `line` is the program's, from 1. */
export type RunFault =
  | { kind: 'unreadable'; message: string; line: number | null }
  | { kind: 'error'; name: string; message: string; line: number | null }
  | { kind: 'refused'; what: Refusal; name: string; line: number | null }
  | { kind: 'out-of-memory'; line: number | null }
  | { kind: 'too-deep'; line: number | null }
  | { kind: 'no-more-input'; line: number | null }
  | { kind: 'too-much-output'; line: number | null }
  | { kind: 'missing-function'; line: null }
  | { kind: 'timed-out'; line: null }
  | { kind: 'crashed'; line: null }

export type Refusal = 'files' | 'network' | 'processes' | 'host' | 'import'

/** What a test brought: what was printed, with and without the questions that `input` asks; what was returned, as JSON. */
export type CaseRun =
  | {
      fault?: undefined
      printed: string
      prompted: string
      value?: string | null
      /** What was returned, where JSON has no form for it. */
      strange?: string
    }
  | { fault: RunFault }

/** What is wrong with a program at a test. */
export type CaseFault = RunFault | { kind: 'differs' } | { kind: 'returned-nothing' }

/** The test that a program fails, as its learner may see it. */
export interface FailedCase {
  fault: CaseFault
  input: string
  hidden: boolean
  /** Of a test that is not hidden. */
  expected?: string
  got?: string
}

export type ProgramVerdict =
  | { verdict: 'passed' }
  | { verdict: 'failed'; failed: FailedCase }
  /** It is no program: nothing could be run. */
  | { verdict: 'unreadable'; message: string; line: number | null }
  /** The sandbox could not run it. */
  | { verdict: 'unavailable' }

const MOST_SHOWN = 400
/** Floating-point numbers that are this close are the same, relative to their size. */
const CLOSENESS = 1e-9

/** The text of a case's input for the interpreter. */
export const inputText = ({ function: name }: ProgramKey, { input }: ProgramTest): string =>
  name === null ? String(input) : JSON.stringify(input)

/** What one run comes to; null where it is right. */
export function judgeCase(key: ProgramKey, test: ProgramTest, run: CaseRun): FailedCase | null {
  if (run.fault) return failedCase(key, test, run.fault, null)
  if (key.function === null) {
    const expected = bare(String(test.output))
    const isRight = bare(run.printed) === expected || bare(run.prompted) === expected
    return isRight ? null : failedCase(key, test, { kind: 'differs' }, run.printed)
  }
  const text = run.value ?? null
  const got = text === null ? (run.strange ?? '') : inPython(JSON.parse(text) as Json)
  if (text !== null && isSame(JSON.parse(text) as Json, test.output)) return null
  const kind = text === 'null' ? 'returned-nothing' : 'differs'
  return failedCase(key, test, { kind }, got)
}

function failedCase(
  key: ProgramKey,
  test: ProgramTest,
  fault: CaseFault,
  got: string | null,
): FailedCase {
  const { hidden } = test
  const { input, output: expected } = exampleOf(key, test)
  if (hidden) return { fault, input, hidden }
  return { fault, input, hidden, expected, ...(got === null ? {} : { got: shown(got) }) }
}

/** A test as it is shown: a call for a function, the text for a program that reads its input. */
function exampleOf(key: ProgramKey, { input, output }: ProgramTest) {
  if (key.function === null) {
    return { input: shown(String(input)), output: shown(String(output).trimEnd()) }
  }
  const given = Array.isArray(input) ? input : [input]
  return {
    input: shown(`${key.function}(${given.map(inPython).join(', ')})`),
    output: shown(inPython(output)),
  }
}

/** What a learner sees of a program's key: what stands in the editor, and the tests that are not hidden. */
export interface ShownProgram {
  language: 'python'
  starter?: string
  examples: { input: string; output: string }[]
}

/** The part of a key that its learner may see, as a field of the question; nothing of a key of another type. */
export function shownOf(key: unknown): { program?: ShownProgram } {
  if ((key as ProgramKey | null)?.type !== 'program') return {}
  const program = key as ProgramKey
  const { language, starter, tests } = program
  const examples = tests.filter(({ hidden }) => !hidden).map((test) => exampleOf(program, test))
  return { program: { language, ...(starter === null ? {} : { starter }), examples } }
}

const shown = (text: string): string =>
  text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text

/** Blanks at the ends of lines and empty lines at the end are not told apart. */
const bare = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd()

/** A value as Python writes it. */
function inPython(value: Json): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return `[${value.map(inPython).join(', ')}]`
  return `{${Object.entries(value)
    .map(([name, inner]) => `${quoted(name)}: ${inPython(inner)}`)
    .join(', ')}}`
}

const quoted = (text: string): string => {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return inner.includes("'") && !inner.includes('"')
    ? `"${inner}"`
    : `'${inner.replaceAll("'", "\\'")}'`
}

function isSame(one: Json, other: Json): boolean {
  if (typeof one === 'number' && typeof other === 'number') {
    return Math.abs(one - other) <= CLOSENESS * Math.max(1, Math.abs(one), Math.abs(other))
  }
  if (one === null || other === null || typeof one !== 'object' || typeof other !== 'object') {
    return one === other
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, place) => isSame(item, other[place] as Json))
  }
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => name in other && isSame(one[name] as Json, other[name] as Json))
  )
}

/** A program as it was typed: without the fence of a code block around it. */
export function programOf(text: string): string {
  const fenced = /^\s*(```+|~~~+)[^\n]*\n([\s\S]*?)\n?\1\s*$/.exec(text)
  return (fenced?.[2] ?? text).replace(/\r\n?/g, '\n')
}

/** The key by which code judges an answer by itself; none where a program has to be run. */
export const textKey = (key: AnswerKey | ProgramKey | null): AnswerKey | null =>
  key?.type === 'program' ? null : key
