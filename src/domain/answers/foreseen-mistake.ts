import type { AnswerKey, AskedQuestion } from './answer-key.ts'
import { judgeAnswer } from './judge.ts'
import { writtenForm } from './question-text.ts'

/** A wrong answer whose author knew it would come. */
export interface ForeseenMistake {
  /** As a learner would write it; of a choice, the option's id. */
  answer: string
  /** The misconception of the course that it gives away. */
  tag?: string
  /** What is believed by whoever makes it, as a statement. */
  belief?: string
  /** What is so instead of the belief; with it, it is put into words where it is told. */
  instead?: string
  /** What is wrong with it, and what is so, to the learner, as it is told. */
  remedy?: string
}

/** What sets a mistake right: as it is told, or, with the belief behind the mistake, what is so instead. */
export interface Remedy {
  remedy: string
  belief?: string
}

/** What sets a mistake right; null where its author has said nothing. */
export function remedyOf({ belief, instead, remedy }: ForeseenMistake): Remedy | null {
  if (belief !== undefined && instead !== undefined) return { remedy: instead, belief }
  return remedy ? { remedy } : null
}

/** The foreseen mistake that an answer is, in whatever way it is written; null where it is none. */
export function foreseenMistake<Mistake extends ForeseenMistake>(
  mistakes: readonly Mistake[],
  said: string,
  key: AnswerKey,
  question: AskedQuestion = { text: '' },
): Mistake | null {
  const isMeant = ({ answer }: ForeseenMistake) =>
    (key.type !== 'choice' && writtenAlike(answer, said)) ||
    judgeAnswer(said, keyLike(key, answer), question).verdict === 'correct'
  return mistakes.find(isMeant) ?? null
}

const ROUNDED = 0.001

/** The same kind of key for another answer. */
function keyLike(key: AnswerKey, answer: string): AnswerKey {
  switch (key.type) {
    case 'choice':
      return { type: 'choice', correct: answer }
    case 'set':
      return { type: 'set', values: answer.split(/\s*,\s*/) }
    case 'text':
      return { type: 'text', accepted: [answer] }
    case 'expression':
      return { type: 'expression', value: answer }
    case 'number':
      // That very number, rounded at the most: what lies near it is another mistake.
      return { ...key, value: answer, tolerance: ROUNDED }
    default:
      return { type: key.type, value: answer }
  }
}

/** Whether two answers are written alike, but for spaces, brackets and multiplication signs. */
export function writtenAlike(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase() || writtenForm(a) === writtenForm(b)
}
