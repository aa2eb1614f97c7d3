import type { AnswerKey, Judgement } from '../answers/answer-key.ts'
import { type ForeseenMistake, foreseenMistake } from '../answers/foreseen-mistake.ts'
import { judgeAnswer } from '../answers/judge.ts'
import { normalText } from '../answers/normal-text.ts'
import type { ProgramKey } from '../answers/program.ts'
import { looksLikeQuestion, readCommand } from '../talk/commands.ts'
import { conceptWanted, isTalk, readWish, type Talk, type Wish } from '../talk/wishes.ts'

/** What a learner may ask for by a button or by typing it. */
export type Command = NonNullable<ReturnType<typeof readCommand>> | Exclude<Wish, Talk> | 'teach'

/** A learner's message as code reads it, before any model is asked. */
export type Reply =
  | { kind: 'command'; command: Command }
  /** The learner wants to be taught a concept of that name. */
  | { kind: 'teach'; concept: string }
  | { kind: 'talk'; talk: Talk }
  /** Judged by code; `readAs` is what was understood. */
  | {
      kind: 'judged'
      verdict: 'correct' | 'close' | 'wrong'
      mistake: ForeseenMistake | null
      readAs: string | null
    }
  /** An answer that code cannot judge: it has no key, or it is not in the format asked for. */
  | { kind: 'unjudged'; readable: boolean }
  /** A program that is to be tested. */
  | { kind: 'program' }
  /** A question of the learner's own. */
  | { kind: 'question' }
  /** It names a question that is no longer open. */
  | { kind: 'late' }
  /** Nothing is asked at the moment. */
  | { kind: 'remark' }

export interface ReplyToRead {
  text: string
  action: Command | null
  /** The question the message names, if it names one. */
  questionId: string | null
  open: {
    id: string
    text: string
    options: { id: string; text: string }[] | null
    key: AnswerKey | ProgramKey | null
    mistakes: readonly ForeseenMistake[]
  } | null
}

/**
 * Reads a message: an option's text first, then commands and wishes, then answers that code can judge; what is left is for
 * the model, or is answered as what it is.
 */
export function readReply({ text, action, questionId, open }: ReplyToRead): Reply {
  if (action) return { kind: 'command', command: action }
  const isProgram = open?.key?.type === 'program'
  const judged = open && judgeReply(text, open)
  const wished = isProgram && text.trim().includes('\n') ? null : readSpoken(text)
  if (wished && !(open && judged && isMeant(text, open, judged))) return wished
  if (questionId !== null && questionId !== open?.id) return { kind: 'late' }
  if (!open) return looksLikeQuestion(text) ? { kind: 'question' } : { kind: 'remark' }
  if (isProgram) return isProse(text) ? { kind: 'question' } : { kind: 'program' }
  if (judged) return judged
  if (looksLikeQuestion(text)) return { kind: 'question' }
  return { kind: 'unjudged', readable: open.key === null }
}

function readSpoken(text: string): Reply | null {
  const command = readCommand(text)
  if (command) return { kind: 'command', command }
  const wish = readWish(text)
  if (wish) {
    return isTalk(wish) ? { kind: 'talk', talk: wish } : { kind: 'command', command: wish }
  }
  const concept = conceptWanted(text)
  return concept === null ? null : { kind: 'teach', concept }
}

const sameWords = (one: string, other: string) =>
  one.trim() === other.trim() || (normalText(one) !== '' && normalText(one) === normalText(other))

/**
 * Whether words that could be a wish are an answer all the same: an option's text, a letter, what is right, or what is
 * foreseen in words.
 */
function isMeant(text: string, { key, options }: Open, judged: Judged): boolean {
  if (options?.some((option) => sameWords(option.text, text))) return true
  if (judged.verdict === 'correct' || text.trim().length === 1) return true
  const isInWords = key?.type === 'text' || key?.type === 'code'
  return isInWords && judged.mistake !== null
}

/** The verdict of code, where it can read the answer; a foreseen mistake is wrong, however near it lies. */
function judgeReply(text: string, open: Open): Judged | null {
  const { key } = open
  if (!key || key.type === 'program') return null
  const question = { text: open.text, ...(open.options ? { options: open.options } : {}) }
  const judgement = judgeAnswer(text, key, question)
  const { verdict, value: readAs = null } = judgement
  if (verdict === 'unjudged') return null
  if (verdict === 'correct') return { kind: 'judged', verdict, mistake: null, readAs }
  const mistake = foreseenMistake(open.mistakes, text, key, question)
  const isNear = isWholeNumber(key) ? isSlip(judgement, key) : verdict === 'close'
  return { kind: 'judged', verdict: isNear && !mistake ? 'close' : 'wrong', mistake, readAs }
}

type Open = NonNullable<ReplyToRead['open']>
type Judged = Extract<Reply, { kind: 'judged' }>

const isWholeNumber = (key: AnswerKey): boolean =>
  key.type === 'number' && Number.isInteger(Number(key.value))

/** Of a whole number only a slip of the sign or of the decimal point deserves another look. */
function isSlip({ value }: Judgement, key: AnswerKey): boolean {
  const right = key.type === 'number' ? Number(key.value) : Number.NaN
  const said = Number(value?.replace(',', '.').replace('−', '-'))
  return right !== 0 && SLIPS.some((factor) => Math.abs(right * factor - said) < 1e-9)
}

const SLIPS = [-1, 10, 100, 0.1, 0.01]

/** One line that ends in a question mark and is no comment, or that has words alone, is no program. */
const isProse = (text: string): boolean =>
  /^\s*[^#\n]*\?\s*$/.test(text) || /^[\p{L}\p{M} ,.!’'-]+$/u.test(text.trim())
