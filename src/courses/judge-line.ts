import type { BankQuestion } from '../contracts/course-pack.ts'
import type { AnswerKey, AskedQuestion } from '../domain/answers/answer-key.ts'
import { looksLikeQuestion, readCommand } from '../domain/answers/commands.ts'
import { judgeAnswer } from '../domain/answers/judge.ts'
import { normalText } from '../domain/answers/normal-text.ts'

/** A question as a course pack has it, as far as its answer is concerned. */
export type LineQuestion = Pick<BankQuestion, 'text' | 'options' | 'answer'> & {
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
    const isClose = verdict === 'close' && !isForeseen(text, question, asked)
    return { verdict: isClose ? 'close' : 'wrong', readAs }
  }
  return { verdict: looksLikeQuestion(text) ? 'command' : 'unread', readAs: null }
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
