import type { AskedQuestion, Judgement, NumberKey } from './answer-key.ts'
import { approximate } from './approximate.ts'
import { lettersOf, readExpression } from './expression.ts'
import { isPaste } from './judge-expression.ts'
import { compareNumbers, type Numeral, readNumeral, readThousands } from './numbers.ts'
import { plainMath } from './plain-math.ts'
import { answeringPart } from './question-text.ts'
import { isKnownUnit, partings, unitName } from './units.ts'

/** Judges a number by `compareNumbers`, or by the key's own tolerance; a known unit other than the key's is wrong. */
export function judgeNumber(text: string, key: NumberKey, question: AskedQuestion): Judgement {
  const expected = keyNumber(key.value)
  if (expected === null) return { verdict: 'unjudged', reason: 'bad-key' }
  const said = answeringPart(text, question.text)
  if (isPaste(said, key.value, question)) {
    return { verdict: 'unjudged', value: plainMath(said), reason: 'pasted-question' }
  }
  const amount = readAmount(said, key.unit)
  if (amount === null) return { verdict: 'unjudged', reason: 'unreadable' }
  if (amount.otherUnit !== null) {
    const value = `${amount.numeral.text} ${amount.otherUnit}`
    return { verdict: 'wrong', value, reason: 'other-unit' }
  }
  return judgeAmount(amount, expected, key)
}

interface Amount {
  numeral: Numeral
  /** The number without its unit, as it stands in the answer. */
  text: string
  otherUnit: string | null
}

function judgeAmount({ numeral, text }: Amount, expected: number, key: NumberKey): Judgement {
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

function verdictOn(said: number, expected: number, tolerance: number | undefined) {
  const standard = compareNumbers(said, expected)
  if (tolerance === undefined) return standard
  const rounding = 4 * Number.EPSILON * Math.max(Math.abs(said), Math.abs(expected))
  if (Math.abs(said - expected) <= tolerance + rounding) return 'correct'
  return standard === 'correct' ? 'close' : standard
}

/** The number of an answer, its unit taken off when one is asked for. */
function readAmount(said: string, unit: string | undefined): Amount | null {
  const asked = unit === undefined ? null : unitName(plainMath(unit))
  const bare = readNumeral(said)
  if (asked === null || (bare !== null && bare.notation !== 'percent')) {
    return bare && { numeral: bare, text: said, otherUnit: null }
  }
  if (/÷|\\div/.test(said)) return null
  for (const parting of partings(plainMath(said).replace(/[.!]+$/, ''))) {
    const numeral = readNumeral(parting.amount)
    if (numeral === null) continue
    const name = unitName(parting.unit)
    if (name === asked) return { numeral, text: parting.amount, otherUnit: null }
    if (isKnownUnit(parting.unit)) return { numeral, text: parting.amount, otherUnit: name }
  }
  return null
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
