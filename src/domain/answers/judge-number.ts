import { approximate } from '../notation/approximate.ts'
import { lettersOf, readExpression } from '../notation/expression.ts'
import { compareNumbers, type Numeral, readNumeral, readThousands } from '../notation/numbers.ts'
import { plainMath } from '../notation/plain-math.ts'
import { type Amount, readAmount } from './amount.ts'
import type { AskedQuestion, Judgement, NumberKey } from './answer-key.ts'
import { isPaste } from './judge-expression.ts'
import { withoutLeadIn } from './question-text.ts'

/** Judges a number by `compareNumbers`, or by the key's own tolerance; a known unit other than the key's is wrong. */
export function judgeNumber(text: string, key: NumberKey, question: AskedQuestion): Judgement {
  const expected = keyNumber(key.value)
  if (expected === null) return { verdict: 'unjudged', reason: 'bad-key' }
  const judgement = judgeRead(text, expected, key, question)
  const pasted = isPaste(withoutLeadIn(text), key.value, question)
  // A number of the question may be a wrong answer; it is never a right one.
  return pasted && !(judgement.verdict === 'wrong' && readNumeral(text))
    ? { verdict: 'unjudged', value: plainMath(text), reason: 'pasted-question' }
    : judgement
}

function judgeRead(
  text: string,
  expected: number,
  key: NumberKey,
  question: AskedQuestion,
): Judgement {
  const amount = readAmount(text, { questionText: question.text, unit: key.unit })
  if (amount === null) return { verdict: 'unjudged', reason: 'unreadable' }
  if (amount === 'other-letter') return { verdict: 'unjudged', reason: 'other-letter' }
  if (amount.otherUnit !== null) {
    const value = `${amount.numeral.text} ${amount.otherUnit}`
    return { verdict: 'wrong', value, reason: 'other-unit' }
  }
  return judgeAmount(amount, expected, key)
}

function judgeAmount(amount: Amount, expected: number, key: NumberKey): Judgement {
  const { numeral, text } = amount
  if (key.exact && readThousands(text) !== expected) {
    return judgeExactly(numeral, expected, key.value)
  }
  const verdict = verdictOn(numeral.value, expected, key.tolerance)
  if (verdict === 'correct') {
    const exact = numeral.value === expected
    return { verdict, value: numeral.text, reason: exact ? 'equal' : 'within-tolerance' }
  }
  const thousands = readThousands(text)
  if (thousands !== null && verdictOn(thousands, expected, key.tolerance) === 'correct') {
    return { verdict: 'correct', value: String(thousands), reason: 'equal' }
  }
  const percentKey = readNumeral(key.value)?.notation === 'percent'
  if (percentKey && numeral.notation !== 'percent' && numeral.value === expected * 100) {
    return { verdict: 'close', value: numeral.text, reason: 'percent-sign-missing' }
  }
  return { verdict, value: numeral.text, reason: verdict === 'close' ? 'near' : 'different' }
}

/** Of a whole number, the number itself, in digits or words; of any other, the form the key is written in. */
function judgeExactly(numeral: Numeral, expected: number, keyText: string): Judgement {
  const { value, notation, text } = numeral
  if (value !== expected) return { verdict: 'wrong', value: text, reason: 'different' }
  const key = readNumeral(keyText)
  const isWhole = Number.isInteger(expected)
  const sameForm = isWhole
    ? notation === 'integer' || notation === 'words'
    : notation === key?.notation && unsigned(text) === unsigned(key.text)
  return sameForm
    ? { verdict: 'correct', value: text, reason: 'equal' }
    : { verdict: 'close', value: text, reason: 'wrong-form' }
}

function unsigned(text: string): string {
  return text.replace(/[-+()\s]/g, '')
}

function verdictOn(said: number, expected: number, tolerance: number | undefined) {
  const standard = compareNumbers(said, expected)
  if (tolerance === undefined) return standard
  const rounding = 4 * Number.EPSILON * Math.max(Math.abs(said), Math.abs(expected))
  if (Math.abs(said - expected) <= tolerance + rounding) return 'correct'
  return standard === 'correct' ? 'close' : standard
}

/** A key may be any constant, "2^10" included; only what the student writes has to be a number already. */
function keyNumber(value: string): number | null {
  const numeral = readNumeral(value)
  if (numeral) return numeral.value
  const tree = readExpression(value)
  if (tree === null || lettersOf(tree).size > 0) return null
  const constant = approximate(tree).value
  return Number.isFinite(constant) ? constant : null
}
