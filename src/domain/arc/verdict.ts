import type { AnswerKey, AskedQuestion, Judgement } from '../answers/answer-key.ts'
import { judgeAnswer } from '../answers/judge.ts'
import { readNumber } from '../answers/numbers.ts'
import type { ForeseenMistake } from './question.ts'

/** The foreseen mistake that an answer is, in whatever writing; null if it is none. */
export function foreseen(
  answer: string,
  key: AnswerKey,
  question: AskedQuestion,
  mistakes: readonly ForeseenMistake[],
): ForeseenMistake | null {
  return (
    mistakes.find((mistake) => {
      const asKey = keyLike(key, mistake.answer)
      return asKey !== null && judgeAnswer(answer, asKey, question).verdict === 'correct'
    }) ?? null
  )
}

/** A key by which another answer of the same kind would be right; null where there is none. */
export function keyLike(key: AnswerKey, answer: string): AnswerKey | null {
  switch (key.type) {
    case 'choice':
      return { type: 'choice', correct: answer }
    case 'number':
      // The answer is that very number, and not one near it.
      return readNumber(answer) === null
        ? null
        : { ...key, value: answer, tolerance: Math.min(key.tolerance ?? EXACT, EXACT) }
    case 'set':
      return { type: 'set', values: answer.split(/\s*(?:,|;| or | and )\s*/).filter(Boolean) }
    case 'text':
      return { type: 'text', accepted: [answer] }
    case 'expression':
      return { type: 'expression', value: answer }
    default:
      return { ...key, value: answer }
  }
}

/** As near as a rounded number is taken for the number itself. */
const EXACT = 0.001

/** Whether a near miss deserves another look: of a whole number, only a slip of the sign or of the decimal point does. */
export function isSlip({ value }: Judgement, key: AnswerKey): boolean {
  if (key.type !== 'number') return true
  const right = Number(key.value)
  if (!Number.isInteger(right)) return true
  const said = Number(value?.replace(',', '.'))
  if (!Number.isFinite(said)) return false
  return [-1, 10, 100, 0.1, 0.01].some((factor) => Math.abs(right * factor - said) < EXACT)
}
