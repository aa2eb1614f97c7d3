import { MAX_ANSWER_LENGTH } from '../notation/plain-math.ts'
import { asksSomething } from '../talk/commands.ts'
import { withoutHedges } from '../talk/hedges.ts'
import { isRemark } from '../talk/talk.ts'
import type { AnswerKey, AskedQuestion, Judgement } from './answer-key.ts'
import { judgeInequality } from './inequality.ts'
import { judgeCode } from './judge-code.ts'
import { judgeEquation, judgeExpression } from './judge-expression.ts'
import { judgeNumber } from './judge-number.ts'
import { judgePair } from './judge-pair.ts'
import { judgeChoice, judgeText } from './judge-words.ts'
import { judgeSet } from './solution-set.ts'

/** Reasons for which words that cannot be judged may be a remark. */
const NO_ANSWER = ['talk', 'prose']

/**
 * Judges a learner's answer by the question's key, before any model's opinion (the answer check of practice sessions).
 * It reads what was said, never what may have been meant, first as it stands and then freed of hedges, politeness and a
 * final question mark; it answers `unjudged` where it cannot read or decide. It never throws.
 */
export function judgeAnswer(text: string, key: AnswerKey, question: AskedQuestion): Judgement {
  const said = text.trim()
  if (said === '') return { verdict: 'unjudged', reason: 'empty' }
  if (said.length > MAX_ANSWER_LENGTH) return { verdict: 'unjudged', reason: 'too-long' }
  const asItStands = judged(said, key, question)
  if (asItStands.verdict === 'correct' || asItStands.reason === 'pasted-question') {
    return asItStands
  }
  const freed = withoutHedges(said)
  if (freed === '') return { verdict: 'unjudged', reason: 'empty' }
  if (asksSomething(said, freed)) return { verdict: 'unjudged', reason: 'question' }
  if (freed === said) return asItStands
  const judgement = judged(freed, key, question)
  const isTalk =
    NO_ANSWER.includes(asItStands.reason ?? '') &&
    judgement.verdict === 'wrong' &&
    isRemark(said, freed)
  return isTalk ? asItStands : judgement
}

function judged(said: string, key: AnswerKey, question: AskedQuestion): Judgement {
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
    case 'pair':
      return judgePair(said, key, question)
    case 'code':
      return judgeCode(said, key, question)
    case 'text':
      return judgeText(said, key, question)
  }
}
