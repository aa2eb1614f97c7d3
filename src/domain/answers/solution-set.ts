import { equivalentTrees } from '../notation/equivalence.ts'
import { type Expression, lettersOf, readExpression } from '../notation/expression.ts'
import { compareNumbers, readNumber } from '../notation/numbers.ts'
import { plainMath } from '../notation/plain-math.ts'
import type { AskedQuestion, Judgement, SetKey } from './answer-key.ts'
import { isOtherName, namesAsked } from './asked.ts'
import { foldedLike } from './judge-expression.ts'
import { normalText } from './normal-text.ts'
import { pastedTheQuestion, withoutLeadIn, writtenForm } from './question-text.ts'
import { stepsOf } from './worked-line.ts'

const MAX_SOLUTIONS = 20
const CONNECTION = /(?<![\p{L}])(?:or|and|und|oder|et|ou)(?![\p{L}])\s*|[;&∨∧]\s*/gu
const NO_SOLUTION = /^(?:∅|\{ ?\}|none|empty set|(?:there (?:is|are) )?no (?:real )?solutions?)$/

/** "x = " or "x is" before a solution. */
const LABEL = /^([a-zA-Z])(?:_?\d)?(?: ?= ?| is )(?=.)/
/** Letters in a row that are a word rather than a product. */
const WORD = /[a-zA-Z]{3}/
const FUNCTION_NAMES = /sqrt|abs|sin|cos|tan|log|ln|exp|pi/gi

/** One solution: a number, an expression, a point "(1, 2)", or words; "x = 2" carries its letter. */
interface Solution {
  letter: string | null
  parts: Part[]
}
type Part = { text: string; number: number | null; tree: Expression | null }

/**
 * Judges solutions in any order: "x = 2 or x = -3", "{2, -3}", "2; -3", "x = ±2". A comma between two digits parts two
 * solutions or stands for a decimal point: either reading may be the right one.
 */
export function judgeSet(text: string, key: SetKey, question: AskedQuestion): Judgement {
  const expected = key.values.flatMap((value) => withBothSigns(plainMath(value)).map(solution))
  if (expected.length === 0) return { verdict: 'unjudged', reason: 'bad-key' }
  const said = foldedLike(key.values.join(' '), withoutLeadIn(text))
  if (pastedTheQuestion(said, question.text) && !isOneOf(said, key.values)) {
    return { verdict: 'unjudged', value: plainMath(said), reason: 'pasted-question' }
  }
  const asked = namesAsked(question.text)
  const whole = readings(said)
  const last = stepsOf(said).at(-1) ?? said
  const read = [...whole, ...(last === said ? [] : readings(last))].map((reading) =>
    judgeReading(reading, expected, asked),
  )
  const readable = read.filter(({ verdict }) => verdict !== 'unjudged')
  const judgements = readable.length > 0 ? readable : read
  const [first = { verdict: 'unjudged', reason: 'unreadable' }] = judgements
  const right = judgements.find(({ verdict }) => verdict === 'correct')
  if (right || judgements.every(({ verdict }) => verdict === first.verdict)) return right ?? first
  return { verdict: 'unjudged', value: plainMath(said), reason: 'ambiguous' }
}

function isOneOf(said: string, values: string[]): boolean {
  return values.some((value) => writtenForm(value) === writtenForm(said))
}

function judgeReading(
  texts: string[],
  expected: Solution[],
  asked: ReadonlySet<string> | null,
): Judgement {
  const said = texts.flatMap(withBothSigns).map(solution)
  const value = `{${said.map(({ parts }) => parts.map((part) => part.text).join(', ')).join(', ')}}`
  if (said.length === 0 || said.length > MAX_SOLUTIONS || !isReadableLike(said, expected)) {
    return { verdict: 'unjudged', reason: 'unreadable' }
  }
  const labels = expected.flatMap(({ letter }) => letter ?? [])
  const own = said.flatMap(({ letter }) => letter ?? [])
  if (labels.length === 0 && own.some((letter) => isOtherName(letter, asked))) {
    return { verdict: 'unjudged', value, reason: 'other-letter' }
  }
  const right = said.filter((one) => expected.some((other) => isSame(one, other)))
  const found = expected.filter((one) => said.some((other) => isSame(one, other)))
  if (right.length === said.length) {
    return found.length === expected.length
      ? { verdict: 'correct', value, reason: 'same-set' }
      : { verdict: 'close', value, reason: 'solution-missing' }
  }
  if (said.some((one) => expected.some((other) => isUndecided(one, other)))) {
    return { verdict: 'unjudged', value, reason: 'undecided' }
  }
  return { verdict: 'wrong', value, reason: found.length > 0 ? 'solution-extra' : 'different' }
}

/** The solutions that an answer lists, without their labels, each sign of "±" by itself; its first reading. */
export function solutionsIn(said: string): string[] {
  const [first = []] = readings(withoutLeadIn(said))
  return first.flatMap(withBothSigns).map((text) => text.replace(LABEL, ''))
}

/** "+/-3", "+-3", "plus or minus 3". */
const BOTH_SIGNS = /\+ ?\/? ?-(?= ?[\d(a-z])|\bplus(?: or |\/| |-)minus\b/gi

/** The answer as a list of texts, in the ways a comma between digits can be read. */
function readings(said: string): string[][] {
  const plain = plainMath(said.replace(/\n/g, ';')).replace(/[.!]+$/, '')
  if (NO_SOLUTION.test(normalText(plain))) return [[plain]]
  const bare = plain
    .replace(BOTH_SIGNS, '±')
    .replace(/^[a-z] in /, '')
    .replace(/^(?:(?:[a-z]|[LS]|𝕃|𝕊) ?= ?)?\{(.*)\}$/iu, '$1')
    .replace(CONNECTION, '\n')
  if (bare.endsWith('\n')) return []
  const listed = split(bare)
  if (!/\d,\d/.test(bare)) return [listed]
  return [listed, split(bare.replace(/(\d),(?=\d)/g, '$1.'))]
}

/** Parts a text at line breaks and at commas outside brackets; an empty part before "and" is none. */
function split(text: string): string[] {
  const parts = ['']
  let depth = 0
  for (const sign of text) {
    if ('([{'.includes(sign)) depth++
    if (')]}'.includes(sign)) depth--
    if (sign === '\n' || (sign === ',' && depth === 0)) parts.push('')
    else parts[parts.length - 1] += sign
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

function withBothSigns(text: string): string[] {
  return text.includes('±') ? [text.replaceAll('±', '+'), text.replaceAll('±', '-')] : [text]
}

function solution(text: string): Solution {
  const labelled = LABEL.exec(text)
  const body = text.slice(labelled?.[0].length ?? 0)
  const point = /^\((.*)\)$/.exec(body)
  const parts = point ? split(point[1] ?? '') : []
  return {
    letter: labelled?.[1] ?? null,
    parts: (parts.length > 1 ? parts : [body]).map(part),
  }
}

function part(text: string): Part {
  const normal = normalText(text)
  if (NO_SOLUTION.test(normal)) return { text: 'no solution', number: null, tree: null }
  const tree = WORD.test(text.replace(FUNCTION_NAMES, ' ')) ? null : readExpression(text)
  return { text: tree ? text : normal, number: readNumber(text), tree }
}

/** Whether every solution said is of the kinds the key has: letters, expressions or words only where the key has them. */
function isReadableLike(said: Solution[], expected: Solution[]): boolean {
  const labels = new Set(expected.map(({ letter }) => letter))
  const keyLabelled = !labels.has(null) && labels.size > 1
  const saidLetters = new Set(said.flatMap(({ letter }) => letter ?? []))
  if (keyLabelled ? said.some(({ letter }) => letter === null) : saidLetters.size > 1) return false
  const known = new Set(expected.flatMap(({ parts }) => parts.flatMap(lettersIn)))
  const sizes = new Set(expected.map(({ parts }) => parts.length))
  if (said.some(({ parts }) => !sizes.has(parts.length))) return false
  const words = expected.some(({ parts }) => parts.some(isWords))
  return said.every(({ parts }) =>
    parts.every((one) =>
      one.tree === null
        ? words || one.number !== null || one.text === 'no solution'
        : lettersIn(one).every((letter) => known.has(letter)),
    ),
  )
}

function isWords({ number, tree }: Part): boolean {
  return number === null && tree === null
}

function lettersIn({ tree }: Part): string[] {
  return tree ? [...lettersOf(tree)] : []
}

function isSame(a: Solution, b: Solution): boolean {
  if (a.letter !== null && b.letter !== null && a.letter !== b.letter) return false
  return (
    a.parts.length === b.parts.length &&
    a.parts.every((one, i) => {
      const other = b.parts[i]
      return other !== undefined && isSamePart(one, other)
    })
  )
}

function isSamePart(a: Part, b: Part): boolean {
  if (a.number !== null && b.number !== null)
    return compareNumbers(a.number, b.number) === 'correct'
  if (a.tree && b.tree) return equivalentTrees(a.tree, b.tree) === 'yes'
  return isWords(a) && isWords(b) && a.text === b.text
}

function isUndecided(a: Solution, b: Solution): boolean {
  return a.parts.some((one, i) => {
    const other = b.parts[i]
    if (!one.tree || !other?.tree || (one.number !== null && other.number !== null)) return false
    return equivalentTrees(one.tree, other.tree) === 'unknown'
  })
}
