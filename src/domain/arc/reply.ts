import type { AnswerKey } from '../answers/answer-key.ts'
import { looksLikeQuestion, readCommand } from '../answers/commands.ts'
import { judgeAnswer } from '../answers/judge.ts'
import type { ProgramKey } from '../answers/program.ts'

/** What a learner may ask for by a button or by typing it. */
export type Command = NonNullable<ReturnType<typeof readCommand>>

/** A learner's message as code reads it, before any model is asked. */
export type Reply =
  | { kind: 'command'; command: Command }
  /** Judged by code. */
  | { kind: 'judged'; verdict: 'correct' | 'close' | 'wrong' }
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
  } | null
}

/** Reads a message: commands and answers that code can judge first; what is left is for the model or put again. */
export function readReply({ text, action, questionId, open }: ReplyToRead): Reply {
  const isProgram = open?.key?.type === 'program'
  const command = action ?? (isProgram && text.trim().includes('\n') ? null : readCommand(text))
  if (command) return { kind: 'command', command }
  if (questionId !== null && questionId !== open?.id) return { kind: 'late' }
  if (!open) return looksLikeQuestion(text) ? { kind: 'question' } : { kind: 'remark' }
  if (open.key?.type === 'program') {
    return isProse(text) ? { kind: 'question' } : { kind: 'program' }
  }
  if (open.key) {
    const judgement = judgeAnswer(text, open.key, {
      text: open.text,
      ...(open.options ? { options: open.options } : {}),
    })
    if (judgement.verdict !== 'unjudged') return { kind: 'judged', verdict: judgement.verdict }
  }
  if (looksLikeQuestion(text)) return { kind: 'question' }
  return { kind: 'unjudged', readable: open.key === null }
}

/** One line that ends in a question mark and is no comment, or that has words alone, is no program. */
const isProse = (text: string): boolean =>
  /^\s*[^#\n]*\?\s*$/.test(text) || /^[\p{L}\p{M} ,.!’'-]+$/u.test(text.trim())
