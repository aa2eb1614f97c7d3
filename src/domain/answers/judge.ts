import {
  type AnswerKey,
  type AskedQuestion,
  type Judgement,
  MAX_ANSWER_LENGTH,
} from './answer-key.ts'
import { judgeInequality } from './inequality.ts'
import { judgeEquation, judgeExpression } from './judge-expression.ts'
import { judgeNumber } from './judge-number.ts'
import { judgeChoice, judgeText } from './judge-words.ts'
import { judgeSet } from './solution-set.ts'

/**
 * Judges a learner's answer by the question's key, before any model's opinion (the answer check of practice sessions).
 * It reads what was said, never what may have been meant, and answers `unjudged` where it cannot read or decide. It
 * never throws.
 */
export function judgeAnswer(text: string, key: AnswerKey, question: AskedQuestion): Judgement {
  const said = text.trim()
  if (said === '') return { verdict: 'unjudged', reason: 'empty' }
  if (said.length > MAX_ANSWER_LENGTH) return { verdict: 'unjudged', reason: 'too-long' }
  if (/[?？؟]$/.test(said)) return { verdict: 'unjudged', reason: 'question' }
  switch (key.type) {
    case 'choice':
      return judgeChoice(said, key, question)
    case 'number':
      return judgeNumber(said, key, question)
    case 'expression':
      return judgeExpression(said, key, question)
    case 'equation':
      return judgeEquation(said, key, question)
    case 'set':
      return judgeSet(said, key, question)
    case 'inequality':
      return judgeInequality(said, key, question)
    case 'text':
      return judgeText(said, key, question)
  }
}
