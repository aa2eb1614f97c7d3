import { parse } from 'papaparse'
import type { PracticeProblem } from '../../src/contracts/practice.ts'

/** A problem that a line describes. */
export type WrittenProblem = Pick<PracticeProblem, 'id' | 'text' | 'correct_answer' | 'hints'>

/** What is wrong with a line, by a name that the page has words for. */
export type LineFault =
  | 'no_separator'
  | 'no_question'
  | 'no_answer'
  | 'open_quote'
  | 'repeated'
  | 'question_too_long'
  | 'answer_too_long'
  | 'too_many_hints'

export interface QuestionLines {
  problems: (WrittenProblem & { line: number })[]
  /** By line, from 1. */
  faults: { line: number; fault: LineFault; text: string }[]
}

const LONGEST_QUESTION = 4_000
const LONGEST_ANSWER = 500
const MOST_HINTS = 10
const SHOWN = 80

/**
 * Reads `question;answer;hint` lines, or the same with tabs as a spreadsheet copies them; every further column is one
 * more hint. A field with a separator in it stands in double quotes, as spreadsheets write it. Empty lines, and a first
 * line that names the columns, are passed over.
 */
export function readQuestionLines(text: string): QuestionLines {
  const lines = text.split(/\r\n|\r|\n/)
  const delimiter = lines.some((line) => line.includes('\t')) ? '\t' : ';'
  const problems: QuestionLines['problems'] = []
  const faults: QuestionLines['faults'] = []
  const seen = new Set<string>()
  for (const [index, written] of lines.entries()) {
    if (written.trim() === '' || (index === 0 && isHeading(written, delimiter))) continue
    const line = index + 1
    const { data, errors } = parse<string[]>(written, { delimiter })
    const [question = '', answer = '', ...hints] = (data[0] ?? []).map((field) => field.trim())
    const given = hints.filter((hint) => hint !== '')
    const fault = errors.some(({ type }) => type === 'Quotes')
      ? 'open_quote'
      : faultOf(written.includes(delimiter), question, answer, given, seen)
    if (fault) {
      faults.push({ line, fault, text: shortened(written.trim()) })
      continue
    }
    seen.add(question)
    const id = String(problems.length + 1)
    problems.push({ id, line, text: question, correct_answer: answer, hints: given })
  }
  return { problems, faults }
}

function faultOf(
  isSeparated: boolean,
  question: string,
  answer: string,
  hints: string[],
  seen: ReadonlySet<string>,
): LineFault | null {
  if (!isSeparated) return 'no_separator'
  if (question === '') return 'no_question'
  if (answer === '') return 'no_answer'
  if (question.length > LONGEST_QUESTION) return 'question_too_long'
  if (answer.length > LONGEST_ANSWER) return 'answer_too_long'
  if (hints.length > MOST_HINTS) return 'too_many_hints'
  return seen.has(question) ? 'repeated' : null
}

const isHeading = (line: string, delimiter: string): boolean =>
  /^"?(question|frage|aufgabe|text)"?$/i.test((line.split(delimiter)[0] ?? '').trim()) &&
  /^"?(answer|antwort|lösung|correct_answer)"?$/i.test((line.split(delimiter)[1] ?? '').trim())

const shortened = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text)
