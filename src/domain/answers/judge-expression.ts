import { approximate } from '../notation/approximate.ts'
import { type Equivalence, equivalentTrees, proportional } from '../notation/equivalence.ts'
import { type Expression, lettersOf, nodesOf, readExpression } from '../notation/expression.ts'
import { compareNumbers } from '../notation/numbers.ts'
import { plainMath } from '../notation/plain-math.ts'
import type { AskedQuestion, EquationKey, ExpressionKey, Judgement } from './answer-key.ts'
import { hasForm } from './expression-form.ts'
import {
  answeringPart,
  isFormulaOf,
  lettersInQuestion,
  pastedTheQuestion,
  withoutLeadIn,
  writtenForm,
} from './question-text.ts'
import { conclusion, sidesOf, stepsOf } from './worked-line.ts'

/** Judges an expression by equivalence and by the form the key asks for. */
export function judgeExpression(
  text: string,
  key: ExpressionKey,
  question: AskedQuestion,
): Judgement {
  const expected = readExpression(key.value)
  if (expected === null) return { verdict: 'unjudged', reason: 'bad-key' }
  const said = lastSide(
    foldedLike(key.value, answeringPart(text, question.text)),
    expected,
    question,
  )
  const value = plainMath(said)
  const pasted = isPaste(said, key.value, question)
  const form = key.form ?? 'any'
  if (pasted && form === 'any') return { verdict: 'unjudged', value, reason: 'pasted-question' }
  const letters = knownLetters(expected, question)
  const tree = readExpression(said, { letters })
  if (tree === null) {
    return { verdict: 'unjudged', value, reason: pasted ? 'pasted-question' : 'unreadable' }
  }
  const equivalence = equivalentTrees(tree, expected)
  if (equivalence === 'yes' && !hasForm(tree, expected, form)) {
    return { verdict: 'close', value, reason: 'wrong-form' }
  }
  if (pasted) return { verdict: 'unjudged', value, reason: 'pasted-question' }
  if (equivalence === 'yes') return { verdict: 'correct', value, reason: 'equivalent' }
  if (equivalence === 'unknown') return { verdict: 'unjudged', value, reason: 'undecided' }
  const tight = readExpression(said, { letters, tight: true })
  if (tight && equivalentTrees(tight, expected) === 'yes') {
    return { verdict: 'unjudged', value, reason: 'ambiguous' }
  }
  return { ...nearness(tree, expected), value }
}

/** Judges an equation: the key's, rearranged, or multiplied by a number other than zero. */
export function judgeEquation(text: string, key: EquationKey, question: AskedQuestion): Judgement {
  const expected = readEquation(key.value)
  if (expected === null) return { verdict: 'unjudged', reason: 'bad-key' }
  const said = foldedLike(key.value, withoutLeadIn(text))
  const value = plainMath(said)
  if (isPaste(said, key.value, question)) {
    return { verdict: 'unjudged', value, reason: 'pasted-question' }
  }
  const letters = knownLetters(difference(expected), question)
  const equation = readEquation(said, { letters })
  if (equation === null) {
    const last = stepsOf(said).at(-1) ?? said
    return last === said
      ? judgeOneSide(said, expected, letters)
      : judgeEquation(last, key, question)
  }
  const same = proportional(difference(equation), difference(expected))
  if (same === 'yes') return { verdict: 'correct', value, reason: 'equivalent' }
  if (same === 'unknown' || equation.some(dividesByLetter)) {
    return { verdict: 'unjudged', value, reason: 'undecided' }
  }
  const tight = readEquation(said, { letters, tight: true })
  if (tight && proportional(difference(tight), difference(expected)) === 'yes') {
    return { verdict: 'unjudged', value, reason: 'ambiguous' }
  }
  return { verdict: 'wrong', value, reason: 'not-equivalent' }
}

/**
 * The last side of a chain such as "3(x + 2) = 3x + 6": every side before it is a name, a formula of the question, or
 * equivalent to the last. Any other text is left whole.
 */
function lastSide(text: string, key: Expression, question: AskedQuestion): string {
  const said = conclusion(text)
  const sides = sidesOf(said)
  const letters = knownLetters(key, question)
  const last = readExpression(sides.at(-1) ?? '', { letters })
  if (sides.length < 2 || last === null) return said
  const mayLead = (side: string) => {
    if (/^[a-zA-Z]$/.test(side)) return !lettersOf(last).has(side)
    if (isFormulaOf(side, question.text)) return true
    const tree = readExpression(side, { letters })
    return tree !== null && equivalentTrees(tree, last) === 'yes'
  }
  return sides.slice(0, -1).every(mayLead) ? (sides.at(-1) ?? '') : said
}

/** Without a capital in the key, capitals mean nothing: a phone writes "X = 4". */
export function foldedLike(keyText: string, said: string): string {
  return /[A-Z]/.test(plainMath(keyText)) ? said : said.toLowerCase()
}

/** A paste that is not also the key as written: "which is larger, 1/2 or 1/3?" may be answered from its own text. */
export function isPaste(said: string, keyText: string, question: AskedQuestion): boolean {
  return pastedTheQuestion(said, question.text) && writtenForm(said) !== writtenForm(keyText)
}

/** The letters a student can be expected to use: those of the key and of the question. */
export function knownLetters(key: Expression, question: AskedQuestion): Set<string> {
  return new Set([...lettersOf(key), ...lettersInQuestion(question.text)])
}

export function dividesByLetter(tree: Expression): boolean {
  return [...nodesOf(tree)].some(
    (node) =>
      (node.kind === 'divide' && lettersOf(node.right).size > 0) ||
      (node.kind === 'power' && node.right.kind === 'negate'),
  )
}

type Equation = [left: Expression, right: Expression]

function readEquation(
  text: string,
  options: Parameters<typeof readExpression>[1] = {},
): Equation | null {
  const sides = plainMath(text.replace(/[.!]+$/, '')).split(/(?<![<>!])=/)
  if (sides.length !== 2) return null
  const [left, right] = sides.map((side) => readExpression(side, options))
  return left && right ? [left, right] : null
}

function difference([left, right]: Equation): Expression {
  return { kind: 'subtract', left, right }
}

/** "2x + 1" for "y = 2x + 1": the right side without its equation. */
function judgeOneSide(said: string, [left, right]: Equation, letters: Set<string>): Judgement {
  const value = plainMath(said)
  const tree = readExpression(said, { letters })
  if (tree === null) return { verdict: 'unjudged', value, reason: 'unreadable' }
  const same: Equivalence = left.kind === 'symbol' ? equivalentTrees(tree, right) : 'unknown'
  if (same === 'yes') return { verdict: 'close', value, reason: 'not-an-equation' }
  return { verdict: 'unjudged', value, reason: 'not-an-equation' }
}

/** Constants that are not equal may still be near: a rounded root is close. */
function nearness(said: Expression, expected: Expression): Judgement {
  if (lettersOf(said).size + lettersOf(expected).size > 0) {
    return { verdict: 'wrong', reason: 'not-equivalent' }
  }
  const near = compareNumbers(approximate(said).value, approximate(expected).value)
  if (near === 'wrong') return { verdict: 'wrong', reason: 'not-equivalent' }
  return { verdict: 'close', reason: near === 'correct' ? 'rounded' : 'near' }
}
