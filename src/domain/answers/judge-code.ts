import { saysNothingOf, standsInTalk } from '../talk/talk.ts'
import type { AskedQuestion, CodeKey, Judgement } from './answer-key.ts'

const MAX_WORDS_BEYOND_KEY = 3

/**
 * Judges a piece of code or what a program prints, sign by sign: case and quotes count, blanks within quotes too. Outside
 * of quotes a blank counts only where it parts two words. An answer put in quotes although nothing prints them is told so.
 * Many more words than the key has are no code and not judged, nor is what says nothing of the program.
 */
export function judgeCode(text: string, key: CodeKey, question: AskedQuestion): Judgement {
  const value = codeForm(withoutMarks(text))
  const expected = codeForm(key.value)
  if (value === '') return { verdict: 'unjudged', reason: 'unreadable' }
  if (value === expected) return { verdict: 'correct', value, reason: 'equal' }
  const inner = /^(["'])(.*)\1$/s.exec(value)?.[2]
  if (inner !== undefined && codeForm(inner) === expected) {
    return { verdict: 'wrong', value, reason: 'quotes-not-printed' }
  }
  const isProse =
    !/[[\]{}]/.test(value) && wordsIn(value) > wordsIn(expected) + MAX_WORDS_BEYOND_KEY
  if (isProse) return { verdict: 'unjudged', value, reason: 'prose' }
  if (standsInTalk(value, expected, question.text)) {
    return { verdict: 'unjudged', value, reason: 'prose' }
  }
  return saysNothingOf(text, [key.value], question.text)
    ? { verdict: 'unjudged', value, reason: 'talk' }
    : { verdict: 'wrong', value, reason: 'different' }
}

function wordsIn(code: string): number {
  return code.match(/\p{L}{2,}/gu)?.length ?? 0
}

/** Code as it is compared: NFKC, straight quotes, and no blank that says nothing. */
export function codeForm(text: string): string {
  const plain = text
    .normalize('NFKC')
    .replace(/[‘’ʼ′]/g, "'")
    .replace(/[“”″]/g, '"')
    .trim()
  const quotedOrNot = /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/s
  const pieces = plain.split(quotedOrNot)
  return pieces.map((piece, at) => (at % 2 === 1 ? piece : withoutIdleBlanks(piece))).join('')
}

function withoutIdleBlanks(code: string): string {
  return code.replace(/\s+/g, ' ').replace(/(?<![\p{L}\p{N}_]) | (?![\p{L}\p{N}_])/gu, '')
}

/** The text without the backticks that mark it as code. */
export function withoutMarks(text: string): string {
  return text.trim().replace(/^(`{1,3})(.*)\1$/s, '$2')
}
