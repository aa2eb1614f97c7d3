import type { PendingQuestion } from '../../src/contracts/arc.ts'

export type AnswerKind = NonNullable<PendingQuestion['answerKind']>

/** What kind of answer a question asks for, as far as its own text, in Markdown, tells: where it shows code, code. */
export function answerKindOf(question: string): AnswerKind {
  if (question.includes('`')) return 'code'
  if (question.includes('$')) return 'equation'
  return /\d/.test(question) ? 'number' : 'text'
}
