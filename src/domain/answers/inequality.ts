import { proportional } from '../notation/equivalence.ts'
import { type Expression, readExpression } from '../notation/expression.ts'
import { EVERYTHING, halfLine, type Interval, intersection, union } from '../notation/intervals.ts'
import { compareNumbers, readNumber } from '../notation/numbers.ts'
import { plainMath } from '../notation/plain-math.ts'
import type { AskedQuestion, InequalityKey, Judgement } from './answer-key.ts'
import { dividesByLetter, foldedLike, isPaste, knownLetters } from './judge-expression.ts'
import { withoutLeadIn } from './question-text.ts'
import { stepsOf } from './worked-line.ts'

const RELATION = /(<=|>=|!=|<|>)/
const MIRRORED: Record<string, string> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '!=': '!=' }
/** Relations in words. */
const WORDS: [RegExp, string][] = [
  [/\b(?:is )?(?:less|smaller) than or equal to\b|\b(?:is )?at most\b/gi, '<='],
  [/\b(?:is )?(?:greater|more|bigger|larger) than or equal to\b|\b(?:is )?at least\b/gi, '>='],
  [/\b(?:is )?(?:less|smaller) than\b/gi, '<'],
  [/\b(?:is )?(?:greater|more|bigger|larger) than\b/gi, '>'],
  [/\b(?:is )?not equal to\b/gi, '!='],
]

/** What an inequality in one letter, solved for it, says; null letter: an interval such as "(1, 5]". */
interface Solved {
  letter: string | null
  region: Interval[]
}
/** One relation as it stands: `greater` > `lesser`, or ≥ unless strict. */
interface Relation {
  greater: Expression
  lesser: Expression
  strict: boolean
}

/**
 * Judges an inequality: "3 > x" for "x < 3", "1 < x <= 5" and "(1, 5]", "x < 1 or x > 5"; in two letters, up to
 * rearrangement and a positive factor. A boundary wrongly in or out is `close`, and so is a relation not yet solved.
 */
export function judgeInequality(
  text: string,
  key: InequalityKey,
  question: AskedQuestion,
): Judgement {
  const keyText = inSigns(key.value)
  const expected = readSolved(keyText)
  const relation = readRelation(keyText)
  if (expected === null && relation === null) return { verdict: 'unjudged', reason: 'bad-key' }
  const said = foldedLike(key.value, withoutLeadIn(text))
  const plain = bareCondition(inSigns(said.replace(/\n/g, '; ')).replace(/[.!]+$/, ''))
  if (isPaste(said, key.value, question)) {
    return { verdict: 'unjudged', value: plain, reason: 'pasted-question' }
  }
  const solved = readSolved(plain)
  if (expected && solved) return { ...judgeRegion(solved, expected), value: plain }
  const own = readRelation(plain, relation && knownLetters(over(relation), question))
  if (relation === null || own === null) {
    const last = stepsOf(plain).at(-1) ?? plain
    return last === plain
      ? { verdict: 'unjudged', reason: 'unreadable' }
      : judgeInequality(last, key, question)
  }
  return { ...judgeRelation(own, relation, expected !== null), value: plain }
}

function judgeRegion(said: Solved, expected: Solved): Judgement {
  if (said.letter !== null && expected.letter !== null && said.letter !== expected.letter) {
    return { verdict: 'unjudged', reason: 'other-letter' }
  }
  if (!isSameRegion(said.region, expected.region, false)) {
    return { verdict: 'wrong', reason: 'different' }
  }
  return isSameRegion(said.region, expected.region, true)
    ? { verdict: 'correct', reason: 'equivalent' }
    : { verdict: 'close', reason: 'boundary' }
}

function judgeRelation(said: Relation, expected: Relation, keyIsSolved: boolean): Judgement {
  const same = proportional(over(said), over(expected), true)
  if (same === 'unknown' || (same === 'no' && hasLetterBelow(said))) {
    return { verdict: 'unjudged', reason: 'undecided' }
  }
  if (same === 'no') return { verdict: 'wrong', reason: 'not-equivalent' }
  if (said.strict !== expected.strict) return { verdict: 'close', reason: 'boundary' }
  return keyIsSolved
    ? { verdict: 'close', reason: 'wrong-form' }
    : { verdict: 'correct', reason: 'equivalent' }
}

function inSigns(text: string): string {
  return WORDS.reduce((plain, [words, sign]) => plain.replace(words, sign), plainMath(text))
}

/** A condition out of its set: "L = {x | x < 5}", "{x in R : x < 5}"; an interval without "x in" or "L =". */
function bareCondition(plain: string): string {
  const bare = plain.trim().replace(/^(?:[LS]|𝕃|𝕊) ?= ?(?=[[\]({])/iu, '')
  const set = /^\{ ?[a-zA-Z](?: in (?:R|ℝ|Q|ℚ))? ?[|:] ?(.*?) ?\}$/.exec(bare)
  return set?.[1] ?? bare.replace(/^([a-zA-Z]) in (?=[[(\]])/, '')
}

function readSolved(plain: string): Solved | null {
  const alternatives = plain.split(/ (?:or|oder|ou) |∨/i)
  const read = alternatives.map(readTogether)
  const letters = new Set(read.flatMap((one) => one?.letter ?? []))
  if (read.includes(null) || letters.size > 1) return null
  return {
    letter: [...letters][0] ?? null,
    region: union(read.flatMap((one) => one?.region ?? [])),
  }
}

/** Conditions that hold together: "x > 1 and x < 5", "x > 1, x < 5"; or one interval. */
function readTogether(text: string): Solved | null {
  const interval = readInterval(text.trim())
  if (interval) return { letter: null, region: [interval] }
  const read = text.split(/ (?:and|und|et) |∧|,(?!\d)|,(?=.*[<>])/i).map(readChain)
  const letters = new Set(read.map((one) => one?.letter))
  if (read.includes(null) || letters.size !== 1) return null
  return {
    letter: read[0]?.letter ?? null,
    region: read.reduce<Interval[]>(
      (region, one) => intersection(region, one?.region ?? []),
      [EVERYTHING],
    ),
  }
}

/** "x < 3", "3 > x", "1 < x <= 5". */
function readChain(text: string): Solved | null {
  const [first = '', relation = '', second = '', further, third] = text
    .split(RELATION)
    .map((piece) => piece.trim())
  if (third !== undefined && text.split(RELATION).length > 5) return null
  if (further === undefined || third === undefined) {
    return (
      solvedPair(first, relation, second) ?? solvedPair(second, MIRRORED[relation] ?? '', first)
    )
  }
  const left = solvedPair(second, MIRRORED[relation] ?? '', first)
  const right = solvedPair(second, further, third)
  if (!left || !right || relation === '!=' || further === '!=') return null
  return { letter: left.letter, region: intersection(left.region, right.region) }
}

function solvedPair(letter: string, relation: string, bound: string): Solved | null {
  const value = readNumber(bound)
  if (!/^[a-zA-Z]$/.test(letter) || value === null || relation === '') return null
  return { letter, region: halfLine(relation, value) }
}

function readInterval(text: string): Interval | null {
  const [, open, from = '', to = '', close] =
    /^([[\](])([^;]+);([^;]+)([\][)])$/.exec(text) ??
    /^([[\](])([^,;]+),([^,;]+)([\][)])$/.exec(text) ??
    []
  if (open === undefined) return null
  const left = /^ ?- ?(?:inf(?:inity)?|oo) ?$/.test(from)
    ? Number.NEGATIVE_INFINITY
    : readNumber(from)
  const right = /^ ?\+? ?(?:inf(?:inity)?|oo) ?$/.test(to)
    ? Number.POSITIVE_INFINITY
    : readNumber(to)
  if (left === null || right === null || left > right) return null
  return {
    from: left,
    to: right,
    fromIncluded: open === '[' && left !== Number.NEGATIVE_INFINITY,
    toIncluded: close === ']' && right !== Number.POSITIVE_INFINITY,
  }
}

function isSameRegion(a: Interval[], b: Interval[], withBoundaries: boolean): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i]
      if (!other || !isSameBound(one.from, other.from) || !isSameBound(one.to, other.to))
        return false
      const alike = one.fromIncluded === other.fromIncluded && one.toIncluded === other.toIncluded
      return alike || !withBoundaries
    })
  )
}

function isSameBound(a: number, b: number): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a === b
  return compareNumbers(a, b) === 'correct'
}

function readRelation(plain: string, letters: ReadonlySet<string> | null = null): Relation | null {
  const pieces = plain.split(RELATION)
  if (pieces.length !== 3) return null
  const options = letters ? { letters } : {}
  const left = readExpression(pieces[0] ?? '', options)
  const right = readExpression(pieces[2] ?? '', options)
  const sign = pieces[1] ?? ''
  if (!left || !right || sign === '!=') return null
  const [greater, lesser] = sign.startsWith('>') ? [left, right] : [right, left]
  return { greater, lesser, strict: !sign.endsWith('=') }
}

function over({ greater, lesser }: Relation): Expression {
  return { kind: 'subtract', left: greater, right: lesser }
}

function hasLetterBelow({ greater, lesser }: Relation): boolean {
  return dividesByLetter(greater) || dividesByLetter(lesser)
}
