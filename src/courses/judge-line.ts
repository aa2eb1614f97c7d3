import type { BankQuestion } from '../contracts/course-pack.ts'
import type { AnswerKey, AskedQuestion, NumberKey } from '../domain/answers/answer-key.ts'
import { looksLikeQuestion, readCommand } from '../domain/answers/commands.ts'
import { judgeAnswer } from '../domain/answers/judge.ts'
import { normalText } from '../domain/answers/normal-text.ts'
import { readNumber } from '../domain/answers/numbers.ts'

/** A question as a course pack has it, as far as its answer is concerned. */
export type LineQuestion = Pick<BankQuestion, 'text' | 'answer'> & {
  options?: BankQuestion['options'] | undefined
  mistakes?: BankQuestion['mistakes'] | undefined
}

/**
 * `unread`: no answer that code can read, and no wish. `command`: a wish, such as a hint, or a question of one's own.
 * `readAs` is what was understood, in plain text; null where nothing was.
 */
export interface LineVerdict {
  verdict: 'right' | 'close' | 'wrong' | 'unread' | 'command'
  readAs: string | null
}

/** What a learning arc says of one answer to one question: option, then wish, then answer. */
export function judgeLine(question: LineQuestion, text: string): LineVerdict {
  const isOption = question.options?.some((option) => sameWords(option.text, text)) ?? false
  if (!isOption && readCommand(text) !== null) return { verdict: 'command', readAs: null }
  const asked = { text: question.text, options: question.options }
  const { verdict, value: readAs = null } = judgeAnswer(text, question.answer, asked)
  if (verdict === 'correct') return { verdict: 'right', readAs }
  if (verdict !== 'unjudged') {
    const near = isWhole(question.answer) ? isSlip(readAs, question.answer) : verdict === 'close'
    return { verdict: near && !isForeseen(text, question, asked) ? 'close' : 'wrong', readAs }
  }
  return { verdict: looksLikeQuestion(text) ? 'command' : 'unread', readAs: null }
}

function isWhole(key: AnswerKey): key is NumberKey {
  return key.type === 'number' && Number.isInteger(readNumber(key.value))
}

/** Of a whole number, only a slip of the sign or of the decimal point is near. */
function isSlip(readAs: string | null, key: NumberKey): boolean {
  const [said, right] = [readNumber(readAs ?? ''), readNumber(key.value)]
  if (said === null || right === null || right === 0) return false
  return [-1, 10, 0.1].some((factor) => Math.abs(said / (right * factor) - 1) < 1e-9)
}

function isForeseen(text: string, question: LineQuestion, asked: AskedQuestion): boolean {
  return (question.mistakes ?? []).some(
    ({ answer }) =>
      judgeAnswer(text, keyLike(question.answer, answer), asked).verdict === 'correct',
  )
}

function keyLike(key: AnswerKey, answer: string): AnswerKey {
  switch (key.type) {
    case 'choice':
      return { type: 'choice', correct: answer }
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

function sameWords(one: string, other: string): boolean {
  return (
    one.trim() === other.trim() || (normalText(one) !== '' && normalText(one) === normalText(other))
  )
}
