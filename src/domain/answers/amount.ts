import { lettersOf, readExpression } from '../notation/expression.ts'
import { compareNumbers, type Numeral, readNumeral } from '../notation/numbers.ts'
import { plainMath } from '../notation/plain-math.ts'
import { isAskedUnit, isKnownUnit, partings, unitName } from '../notation/units.ts'
import { isCountedIn, isNameOfAsked, isOtherName, namesAsked } from './asked.ts'
import { isFormulaOf, withoutLeadIn } from './question-text.ts'
import { sidesOf, stepsOf } from './worked-line.ts'

/** A number as an answer gives it. */
export interface Amount {
  numeral: Numeral
  /** The number without its label and unit, as it stands in the answer. */
  text: string
  /** The known unit that was said although another, or none, is asked for. */
  otherUnit: string | null
}

export interface AmountAsked {
  /** The question as the learner sees it. */
  questionText: string
  /** The unit the key is in, where it has one. */
  unit?: string | undefined
}

const NAME = /^([a-zA-Zα-ωΑ-Ω][a-zA-Z]{0,15})(?:'|_?\d)?(?: ?\([^()]*\))?$/
const SOLUTION_SET = /^(?:(?:[LS]|𝕃|𝕊) ?= ?)?\{([^{}]*)\}$/u
const BEFORE =
  /^(?:by|for|after|at|in|about|approximately|approx\.?|roughly|around|exactly|only|just|um|für|nach|etwa|ungefähr|circa|ca\.?|rund|genau|nur|~|≈)\s+/i
/** Behind a number; behind anything else it would leave the rest open. */
const ROUGHLY =
  /(?<=^[-−]?(?:[\d.,/]+|[\p{L} ]+)) (?:or so|or something(?: like that)?|oder so(?: was| ähnlich)?)$/iu
const LABEL =
  /^(.{1,40}?)(?: ?: | ?: ?(?=[-+−]?\d|[a-z]{3})| (?:would|should|must|could) be | is equal to | is | are | equals | equal to | ist gleich | ist | sind | wäre | beträgt | lautet | gleich | = )/i

/**
 * The number that an answer gives, read without its key: a label, a unit or a noun of the question taken off, and of a
 * worked line the last value. `other-letter` where it labels another letter than the one asked for; null where it gives
 * no number, or more than one.
 */
export function readAmount(text: string, asked: AmountAsked): Amount | 'other-letter' | null {
  const said = withoutLeadIn(withoutDollars(text)).replace(ROUGHLY, '')
  const whole = /[=≈]/.test(said) ? null : measured(said, asked)
  if (whole) return whole
  const steps = stepsOf(said).map((step) => readStep(step, asked))
  const labels = namesAsked(asked.questionText)
  const named = steps.filter(({ label }) => label !== null && labels && !isOtherName(label, labels))
  const last = steps.at(-1)
  const found = named.length > 0 ? named : steps.filter((step) => step === last)
  const [first] = found
  if (!first?.amount || !last?.amount) return null
  if (found.some(({ amount }) => amount?.numeral.value !== first.amount?.numeral.value)) return null
  if (named.length === 0 && contradicts(steps)) return null
  return first.label !== null && isOtherName(first.label, labels) ? 'other-letter' : first.amount
}

interface Step {
  label: string | null
  amount: Amount | null
}

/** "x = 4, y = 2": two letters, or one with two values, say nothing of which is the answer. */
function contradicts(steps: Step[]): boolean {
  const last = steps.at(-1)
  return steps.some(
    ({ label, amount }) =>
      label !== null && amount && amount.numeral.value !== last?.amount?.numeral.value,
  )
}

function readStep(step: string, asked: AmountAsked): Step {
  const sides = sidesOf(withoutBraces(step))
  const last = sides.at(-1) ?? ''
  if (sides.length === 1) return readLabelled(last, asked)
  if (sides.length === 2 && NAME.test(last) && !NAME.test(sides[0] ?? '')) {
    return { label: last, amount: measured(sides[0] ?? '', asked) }
  }
  const before = sides.slice(0, -1)
  const amount = measured(withoutBraces(last), asked)
  const isWorking = before.every(
    (side) => mayStandBefore(side, asked.questionText) && !isOtherNumber(side, amount),
  )
  return isWorking
    ? { label: nameIn(before, asked.questionText), amount }
    : { label: null, amount: null }
}

/** "3 = -2": two numbers that are said to be one. */
function isOtherNumber(side: string, amount: Amount | null): boolean {
  const value = readNumber(side)?.value
  return value !== undefined && compareNumbers(value, amount?.numeral.value ?? 0) === 'wrong'
}

/** "slope: 3", "x is five": a label without an equals sign. */
function readLabelled(text: string, asked: AmountAsked): Step {
  const bare = measured(text, asked)
  if (bare) return { label: null, amount: bare }
  const [matched = '', label = ''] = LABEL.exec(text) ?? []
  if (matched === '' || !mayStandBefore(label, asked.questionText)) {
    return { label: null, amount: null }
  }
  const amount = measured(text.slice(matched.length), asked)
  return { label: nameIn([label], asked.questionText), amount }
}

function nameIn(sides: string[], questionText: string): string | null {
  const name = sides.map((side) => NAME.exec(plainMath(side))?.[1]).find((one) => one !== undefined)
  return name === undefined || isNameOfAsked(name, '') || isWordOf(name, questionText) ? null : name
}

function isWordOf(name: string, questionText: string): boolean {
  return name.length > 2 && isNameOfAsked(name, questionText)
}

/** What may stand on the left of "=": nothing, a name, a formula of the question, or a sum of numbers. */
function mayStandBefore(side: string, questionText: string): boolean {
  const plain = plainMath(side)
  if (plain === '' || NAME.test(plain)) return true
  if (isNameOfAsked(side, questionText) || isFormulaOf(side, questionText)) return true
  const tree = readExpression(withoutColons(side))
  return tree !== null && lettersOf(tree).size === 0
}

function withoutColons(text: string): string {
  return text.replace(/(?<=[\d)]) ?: ?(?=[\d(-])/g, '/')
}

/** Without the signs that mark mathematics; a single one is a currency. */
function withoutDollars(text: string): string {
  return (text.split('$').length - 1) % 2 === 0 ? text.replaceAll('$', ' ') : text
}

function withoutBraces(text: string): string {
  return text.trim().replace(SOLUTION_SET, '$1')
}

/** A number with the unit or the noun that the question has, or bare. */
function measured(said: string, asked: AmountAsked): Amount | null {
  const bare = readNumber(said)
  const unit = asked.unit === undefined ? null : unitName(plainMath(asked.unit))
  if (bare !== null && (unit === null || bare.notation !== 'percent')) {
    return { numeral: bare, text: said, otherUnit: null }
  }
  if (/÷|\\div/.test(said)) return null
  const plain = plainMath(said).replace(/[.!]+$/, '')
  const counted = /^(\p{L}{3,}) (?=\S)/u.exec(plain)
  if (counted && isCountedIn(counted[1] ?? '', `${asked.questionText} number`)) {
    const text = plain.slice(counted[0].length)
    const numeral = /^[\d]|^\p{L}+$/u.test(text) ? readNumber(text) : null
    if (numeral) return { numeral, text, otherUnit: null }
  }
  return inUnits(plain, unit, asked.questionText)
}

function inUnits(plain: string, unit: string | null, questionText: string): Amount | null {
  for (const { amount: text, unit: said } of partings(plain)) {
    const numeral = readNumber(text)
    if (numeral === null) continue
    const name = unitName(said)
    if (unit === null) {
      const fits = isKnownUnit(said)
        ? isAskedUnit(said, questionText)
        : said.split(' ').every((word) => isNoun(word) && isCountedIn(word, questionText))
      if (fits) return { numeral, text, otherUnit: null }
    } else if (name === unit) return { numeral, text, otherUnit: null }
    else if (isKnownUnit(said)) return { numeral, text, otherUnit: name }
  }
  return null
}

/** A single letter behind a number is a factor: "7x" is no seven. */
const isNoun = (word: string): boolean => word.length > 1

/** A numeral, with the writings that only an answer may use: "by 25", "2 and a half", "negative 2 3/4", "1:8". */
function readNumber(said: string): Numeral | null {
  const direct = readNumeral(said)
  if (direct) return direct
  const plain = plainMath(said).replace(BEFORE, '')
  return readNumeral(
    plain
      .replace(/^(-?\d+) and (\d+\/\d+)$/, '$1 $2')
      .replace(/^(-?\d+) and (?:a|one) half$/i, '$1 1/2')
      .replace(/^(-?\d+) ?: ?(\d+)$/, '$1/$2'),
  )
}
