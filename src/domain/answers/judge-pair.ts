import { equivalentTrees } from '../notation/equivalence.ts'
import { lettersOf, readExpression } from '../notation/expression.ts'
import { compareNumbers, readNumber } from '../notation/numbers.ts'
import { plainMath } from '../notation/plain-math.ts'
import type { AskedQuestion, Judgement, PairKey } from './answer-key.ts'
import { pastedTheQuestion, withoutLeadIn } from './question-text.ts'
import { conclusion } from './worked-line.ts'

const NAMES = ['x', 'y', 'z']
/** "S(3|-2)", "vertex (5, 4)", "L = {(2; 3)}", "(x, y) = (2, 3)": what may stand around a point. */
const AROUND =
  /^(?:[A-Z]|𝕃|𝕊|(?:the )?(?:point|vertex|midpoint|solution|intersection|pair)|scheitelpunkt|punkt|point d'intersection)?\s*(?:=|:|is|at)?\s*(?=[([{\d+-])/iu
const NAMES_BEFORE = /^\( ?([a-z]) ?[,;|] ?([a-z])(?: ?[,;|] ?([a-z]))? ?\) ?= ?/i
const NAMED = /([a-zA-Z])(?:_?\d)? ?(?:=|:| is | equals | ist | vaut ) ?/g
const AND = /^(?:[\s,;&|∧/]|\b(?:and|und|et)\b)+|(?:[\s,;&|∧/]|\b(?:and|und|et)\b)+$/gi

/** The coordinates of a reading, by name where the answer names them. */
interface Reading {
  names: string[] | null
  parts: string[]
}

/**
 * Judges a point or a pair (or three) of named unknowns: "(3, -2)", "(3|-2)", "x = 3, y = -2" in any order, "3; -2". Half
 * an answer is wrong; other names than the question's are not read.
 */
export function judgePair(text: string, key: PairKey, question: AskedQuestion): Judgement {
  const expected = coordinatesIn(key.value).find(({ parts }) => parts.length > 1)?.parts
  if (expected === undefined) return { verdict: 'unjudged', reason: 'bad-key' }
  const names = key.names ?? NAMES.slice(0, expected.length)
  if (names.length !== expected.length) return { verdict: 'unjudged', reason: 'bad-key' }
  const said = withoutLeadIn(conclusion(text))
  if (pastedTheQuestion(said, question.text)) {
    return { verdict: 'unjudged', value: plainMath(said), reason: 'pasted-question' }
  }
  const judgements = coordinatesIn(said).map((reading) => judgeReading(reading, expected, names))
  return (
    judgements.find(({ verdict }) => verdict === 'correct') ??
    judgements.find(({ verdict }) => verdict === 'wrong') ??
    judgements[0] ?? { verdict: 'unjudged', reason: 'unreadable' }
  )
}

/** The ways to read a text as coordinates: a comma between two digits parts them or is a decimal point. */
export function coordinatesIn(text: string): Reading[] {
  const plain = plainMath(text.replace(/\n/g, ';')).replace(/[.!]+$/, '')
  const named = readNamed(plain)
  if (named) return [named]
  const [before = '', ...given] = NAMES_BEFORE.exec(plain) ?? []
  const names = before === '' ? null : given.filter((name) => name !== undefined)
  const bare = withoutBrackets(plain.slice(before.length))
  if (bare === null) return []
  const splits = /[;|]/.test(bare)
    ? [/[;|]/]
    : /\d,\s*-?\d/.test(bare) || bare.includes(',')
      ? [/,/]
      : [/ (?:and|und|et) /]
  return splits.map((sign) => ({ names, parts: bare.split(sign).map((part) => part.trim()) }))
}

/** "x = 3, y = -2", "x: 3 y: -2", "x is 3 and y is -2". */
function readNamed(plain: string): Reading | null {
  if (plain.startsWith('(') && NAMES_BEFORE.test(plain)) return null
  const bare = plain.replace(/^\{(.*)\}$/, '$1').trim()
  const marks = [...bare.matchAll(NAMED)]
  if (marks[0]?.index !== 0) return null
  const parts = marks.map((mark, at) =>
    bare
      .slice(mark.index + mark[0].length, marks[at + 1]?.index)
      .replace(AND, '')
      .trim(),
  )
  if (parts.some((part) => /[([{|]/.test(part) && parts.length === 1)) return null
  return { names: marks.map((mark) => mark[1] ?? ''), parts }
}

/** What stands in the brackets of a point, or a list without any; null where a bracket is left open. */
function withoutBrackets(plain: string): string | null {
  const bare = plain.replace(AROUND, '').trim()
  const inner = /^\{ ?(.*) ?\}$/.exec(bare)?.[1] ?? bare
  const point = /^[([] ?(.*) ?[)\]]$/.exec(inner)?.[1] ?? inner
  return /^[([{]|[)\]}]$/.test(point) && !/^\(.*\).*\(.*\)$/.test(point) ? null : point
}

function judgeReading(said: Reading, expected: string[], names: string[]): Judgement {
  const value = written(said)
  if (said.names && said.names.length > new Set(said.names).size) {
    return { verdict: 'unjudged', reason: 'unreadable' }
  }
  if (said.parts.some((part) => !isReadable(part)))
    return { verdict: 'unjudged', reason: 'unreadable' }
  const order = said.names ? placesOf(said.names, names) : said.parts.map((_, at) => at)
  if (order === null) return { verdict: 'unjudged', value, reason: 'other-letter' }
  if (said.parts.length < expected.length) {
    return said.names
      ? { verdict: 'wrong', value, reason: 'half' }
      : { verdict: 'unjudged', value, reason: 'unreadable' }
  }
  if (said.parts.length > expected.length) return { verdict: 'wrong', value, reason: 'different' }
  const same = said.parts.every((part, at) => isSame(part, expected[order[at] ?? -1] ?? ''))
  return same
    ? { verdict: 'correct', value, reason: 'equal' }
    : { verdict: 'wrong', value, reason: 'different' }
}

function written({ names, parts }: Reading): string {
  if (names === null || names.length < parts.length) return `(${parts.join('; ')})`
  return parts.map((part, at) => `${names[at]} = ${part}`).join('; ')
}

/** At which place of the key each name stands; null where one is not among its names. */
function placesOf(said: string[], names: string[]): number[] | null {
  const places = said.map((name) =>
    names.findIndex((one) => one.toLowerCase() === name.toLowerCase()),
  )
  return places.includes(-1) ? null : places
}

function isReadable(part: string): boolean {
  return part !== '' && (readNumber(part) !== null || treeOf(part) !== null)
}

function treeOf(part: string) {
  const tree = /[a-z]{3}/i.test(part.replace(/sqrt|pi/g, '')) ? null : readExpression(part)
  return tree && lettersOf(tree).size === 0 ? tree : null
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [readNumber(a), readNumber(b)]
  if (left !== null && right !== null) return compareNumbers(left, right) === 'correct'
  const [mine, theirs] = [treeOf(a), treeOf(b)]
  return mine !== null && theirs !== null && equivalentTrees(mine, theirs) === 'yes'
}
