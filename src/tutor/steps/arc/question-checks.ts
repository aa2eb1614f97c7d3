import { judgeAnswer } from '../../../domain/answers/judge.ts'
import { normalText } from '../../../domain/answers/normal-text.ts'
import { textKey } from '../../../domain/answers/program.ts'
import { approximate } from '../../../domain/notation/approximate.ts'
import { equivalentExpressions } from '../../../domain/notation/equivalence.ts'
import { type Expression, lettersOf, readExpression } from '../../../domain/notation/expression.ts'
import { compareNumbers, readNumber } from '../../../domain/notation/numbers.ts'
import { plainMath } from '../../../domain/notation/plain-math.ts'
import { saidNumbers } from '../../../domain/practice/said-numbers.ts'
import type { TutorQuestion } from './context.ts'
import { isFormula, tells } from './giving-away.ts'

type Option = { id: string; text: string }

/** Ways to begin a question that is nothing but a computation or an equation, in English and German. */
const LEAD_IN =
  /^(?:(?:what|which (?:of these|number|option|one)?) ?(?:is|equals)|calculate|compute|evaluate|work out|solve|find|determine|simplify|was ist|wie ?viel ist|welche (?:zahl|davon) ist|berechne|löse|bestimme|vereinfache)\b\s*/i
const FILLER =
  /^(?:the|an?|die|der|das|this|following|folgende|exact|value of|result of|wert von|ergebnis von|equation|gleichung|for [a-z]|nach [a-z] auf|[a-z] (?:if|when|where|given|wenn|in)|[:,])\s*/i

/** Questions about how something is written, in which equal options differ on purpose. */
const ASKS_FOR_FORM =
  /\b(?:form|lowest|simplest|simplif\w*|reduced|factor\w*|expand\w*|decimal|fraction|percent\w*|mixed|notation|written|writes?|gekürzt\w*|dezimal\w*|bruch|prozent\w*|faktor\w*|schreib\w*)\b/i

/** What makes the key of a question wrong beyond doubt, or gives it a second one; none where code cannot tell. */
export function keyFaults(question: TutorQuestion): string[] {
  const options = question.options ?? []
  const { key } = question
  const fits = computed(question.text)
  const twins =
    options.length > 0 && !ASKS_FOR_FORM.test(question.text) ? equalOptions(options) : []
  if (!fits) return twins
  if (key?.type === 'choice') {
    const right = options.filter(({ text }) => fits(text))
    if (options.some(({ text }) => fits(text) === null)) return twins
    if (!right.some(({ id }) => id === key.correct)) {
      return [`expected_answer "${question.expected}" is wrong: compute it again.`]
    }
    return right.length > 1 ? ['more than one option is right.'] : twins
  }
  return fits(question.expected) === false
    ? [`expected_answer "${question.expected}" is wrong: compute it again.`]
    : []
}

/** Whether a number is what the question asks for; null where the text is no number. */
type Fits = (text: string) => boolean | null

/** The test of an answer to a question that is a bare computation or a bare equation in one letter; else null. */
function computed(questionText: string): Fits | null {
  const formula = bareFormula(questionText)
  if (formula === null) return null
  const sides = formula.split('=')
  if (sides.length > 2 || /[<>≤≥]/.test(formula)) return null
  const [left, right] = sides.map((side) => readExpression(side))
  if (!left) return null
  if (sides.length === 1) return isComputation(left) ? valueFits(approximate(left).value) : null
  const letters = right ? new Set([...lettersOf(left), ...lettersOf(right)]) : new Set<string>()
  const [letter] = letters
  return right && letter !== undefined && letters.size === 1 ? rootFits(left, right, letter) : null
}

/** What is left of a question without the words around its formula; null where more than a formula is left. */
function bareFormula(questionText: string): string | null {
  let rest = questionText.replace(/\\[()[\]]|\$+/g, ' ').trim()
  if (!LEAD_IN.test(rest)) return null
  rest = rest.replace(LEAD_IN, '')
  while (FILLER.test(rest)) rest = rest.replace(FILLER, '')
  rest = rest.replace(/[?.!\s]+$/, '')
  return rest === '' ? null : plainMath(rest)
}

const isComputation = (tree: Expression): boolean =>
  lettersOf(tree).size === 0 &&
  tree.kind !== 'number' &&
  !(tree.kind === 'negate' && tree.of.kind === 'number')

/** A number fits a value if it is the value, or the value rounded to the places that the number has. */
const valueFits =
  (value: number): Fits =>
  (text) => {
    const said = numberIn(text)
    if (said === null || !Number.isFinite(value)) return null
    const places = /[.,](\d+)\s*$/.exec(text)?.[1]?.length
    const isRounded = places !== undefined && Math.abs(said - value) <= 0.501 * 10 ** -places
    return isRounded || compareNumbers(said, value) === 'correct'
  }

const rootFits =
  (left: Expression, right: Expression, letter: string): Fits =>
  (text) => {
    const said = numberIn(text)
    if (said === null) return null
    const point = new Map([[letter, said]])
    const [one, other] = [approximate(left, point).value, approximate(right, point).value]
    if (!Number.isFinite(one) || !Number.isFinite(other)) return false
    return Math.abs(one - other) <= 0.01 * Math.max(1, Math.abs(one), Math.abs(other))
  }

/** The number that an answer is, with or without the letter it solves for: "x = 4" is 4. */
export const numberIn = (text: string): number | null => readNumber(withoutLetter(text))

export const withoutLetter = (text: string): string =>
  text.replace(/^\s*(\$?)\s*[a-z]\s*=\s*(?=\S)/i, '$1').trim()

function equalOptions(options: readonly Option[]): string[] {
  return options.flatMap(({ text }, index) =>
    options
      .slice(index + 1)
      .filter((other) => isEqual(text, other.text))
      .map((other) => `the options "${text}" and "${other.text}" are equal.`),
  )
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [readNumber(one), readNumber(other)]
  if (a !== null && b !== null) return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a))
  const formulas = [one, other].map((text) => text.replace(/\$+|\\[()[\]]/g, ''))
  if (!formulas.every(isFormula)) return false
  const [left = '', right = ''] = formulas.map(plainMath)
  return equivalentExpressions(left, right) === 'yes'
}

/** The question without what of its help is of no use: the question itself can still be asked. */
export function withSoundHelp(question: TutorQuestion): TutorQuestion {
  const { hints, solution, mistakes } = question
  return {
    ...question,
    hints: hints.map((hint) => hint.trim()).filter((hint) => hint !== '' && !tells(question, hint)),
    solution: solution && !contradicts(question, solution) ? solution : null,
    mistakes: mistakes.filter(({ answer, remedy }) => remedy?.trim() && isWrong(question, answer)),
  }
}

/** Whether the value that a solution ends with is another one than the key's; a text without a number contradicts nothing. */
function contradicts({ expected }: TutorQuestion, solution: string): boolean {
  const answer = numberIn(expected)
  if (answer === null) return false
  const end = solution.slice(solution.lastIndexOf('=') + 1)
  const said = saidNumbers(end).filter(({ inWords }) => !inWords)
  const [first] = said
  const at = solution.includes('=') ? first?.at : Math.max(...said.map((number) => number.at))
  const last = said.filter((number) => number.at === at)
  return last.length > 0 && !last.some(({ value }) => valueFits(answer)(String(value)))
}

function isWrong(question: TutorQuestion, answer: string): boolean {
  const { text, options, expected } = question
  const key = textKey(question.key)
  if (normalText(answer) === normalText(expected)) return false
  if (!key) return answer.trim() !== ''
  const asked = { text, ...(options ? { options } : {}) }
  const { verdict } = judgeAnswer(answer, key, asked)
  return verdict === 'wrong' || verdict === 'close'
}
