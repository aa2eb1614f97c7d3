import type { AnswerKey } from '../answers/answer-key.ts'
import { judgeAnswer } from '../answers/judge.ts'
import { readExpression } from '../notation/expression.ts'
import { readNumber } from '../notation/numbers.ts'
import { plainMath } from '../notation/plain-math.ts'
import { isKnownUnit, partings } from '../notation/units.ts'

/**
 * How code judges a `correct_answer` as callers write it: a number (with a unit), a set of solutions, an inequality, an
 * equation, an expression; else words. A key that would not accept its own answer is not used.
 */
export function keyOf(correctAnswer: string): AnswerKey {
  const answer = correctAnswer.trim()
  const words: AnswerKey = { type: 'text', accepted: [answer] }
  return [...candidates(answer)].find((key) => accepts(key, answer)) ?? words
}

/** The key of a problem: its own, where it came with one, else what its answer is read as. */
export const keyOfProblem = (problem: {
  correct_answer: string
  answer_key?: AnswerKey | null
}): AnswerKey => problem.answer_key ?? keyOf(problem.correct_answer)

function accepts(key: AnswerKey, answer: string): boolean {
  return judgeAnswer(answer, key, { text: '' }).verdict === 'correct'
}

function* candidates(answer: string): Generator<AnswerKey> {
  if (readNumber(answer) !== null) yield { type: 'number', value: answer }
  for (const { amount, unit } of partings(plainMath(answer))) {
    if (readNumber(amount) !== null && isKnownUnit(unit)) {
      yield { type: 'number', value: amount, unit }
    }
  }
  if (/[<>≤≥]|\\[lg]eq?\b/.test(answer)) yield { type: 'inequality', value: answer }
  const solutions = solutionsOf(answer)
  if (solutions) yield { type: 'set', values: solutions }
  if (answer.includes('=')) yield { type: 'equation', value: answer }
  if (isFormula(answer)) yield { type: 'expression', value: answer }
}

/** "x = 2 or x = -3", "{2, -3}": at least two numbers; "1,5" is one. */
function solutionsOf(answer: string): string[] | null {
  const parts = answer
    .replace(/^\{(.*)\}$/, '$1')
    .split(/\s+(?:or|and)\s+|\s*;\s*|,\s+|,(?=\s*[a-z]\s*=)/i)
    .map((part) => part.replace(/^\s*[a-z]\s*=\s*/i, '').trim())
  return parts.length > 1 && parts.every((part) => readNumber(part) !== null) ? parts : null
}

/** Something with an operator, a digit or a single letter; a word is no product of letters. */
function isFormula(answer: string): boolean {
  return (/[\d+*/^()\\-]/.test(answer) || answer.length === 1) && readExpression(answer) !== null
}
