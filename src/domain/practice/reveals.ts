import type { AnswerKey } from '../answers/answer-key.ts'
import { compareNumbers, readNumber } from '../notation/numbers.ts'
import { plainMath } from '../notation/plain-math.ts'
import { keyOfProblem } from './key-of.ts'
import { saidNumbers } from './said-numbers.ts'
import type { Problem } from './state.ts'

/** The hints of a problem that do not give its answer away. */
export function safeHints(problem: Problem): string[] {
  const key = keyOfProblem(problem)
  return problem.hints.filter((hint) => !reveals(hint, key, problem.text))
}

const GIVES_AWAY =
  /(?:answer|result|solution|equals|is|gives|makes|gets?|antwort|ergebnis|lösung|ergibt|ist|sind|macht|lautet|=)\s*(?:is|ist|lautet|:|=)?\s*\$?\s*$/i

/**
 * Which mentions of a number count: all, or, in a text that may hold examples of its own, those of a small whole number
 * only where it ends a phrase, because such numbers stand in every example.
 */
export type Mentions = 'all' | 'beside-examples'
const MOST_COMMON = 12

/**
 * Whether a text gives the answer away. A number that stands in the problem itself may be named, but not as what
 * something is or gives; a number in words counts where it ends a phrase ("two steps" tells nothing).
 */
export function reveals(
  text: string,
  key: AnswerKey,
  problemText: string,
  mentions: Mentions = 'all',
): boolean {
  switch (key.type) {
    case 'number':
      return revealsNumber(text, key.value, problemText, mentions)
    case 'set':
      return key.values.every((value) => revealsNumber(text, value, problemText, mentions))
    case 'text':
      return key.accepted.some((accepted) => containsPhrase(text, accepted, problemText))
    case 'choice':
      return false
    default:
      return containsFormula(text, key.value, problemText)
  }
}

function revealsNumber(
  text: string,
  value: string,
  problemText: string,
  mentions: Mentions,
): boolean {
  const answer = readNumber(value)
  if (answer === null) return containsFormula(text, value, problemText)
  const isCommon =
    mentions === 'beside-examples' && Number.isInteger(answer) && Math.abs(answer) <= MOST_COMMON
  const asked = new Set(saidNumbers(problemText).map((number) => number.value))
  return saidNumbers(text).some((number) => {
    if (compareNumbers(number.value, answer) !== 'correct') return false
    const before = text.slice(0, number.at)
    if (GIVES_AWAY.test(before)) return true
    if (asked.has(number.value)) return false
    return (
      !(number.inWords || isCommon) ||
      /^[^\p{L}\d]*(?:$|[.!?,;:)])/u.test(text.slice(number.at + number.text.length))
    )
  })
}

function containsPhrase(text: string, phrase: string, problemText: string): boolean {
  const plain = (value: string) =>
    ` ${value
      .toLowerCase()
      .replace(/[^\p{L}\d]+/gu, ' ')
      .trim()} `
  const wanted = plain(phrase)
  return (
    wanted.trim() !== '' && plain(text).includes(wanted) && !plain(problemText).includes(wanted)
  )
}

function containsFormula(text: string, formula: string, problemText: string): boolean {
  const plain = (value: string) =>
    plainMath(value)
      .replace(/\^\((-?\w+)\)/g, '^$1')
      .replace(/[\s$*·]+/g, '')
      .toLowerCase()
  const wanted = plain(formula)
  return wanted !== '' && plain(text).includes(wanted) && !plain(problemText).includes(wanted)
}
