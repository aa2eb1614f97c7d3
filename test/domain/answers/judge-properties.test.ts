import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerKey } from '../../../src/domain/answers/answer-key.ts'
import { judgeAnswer } from '../../../src/domain/answers/judge.ts'
import { readingOf } from '../../../src/domain/answers/reading.ts'

const QUESTION = { text: 'A question about $x$ and $y$.' }
const SEED = { seed: 7, numRuns: 400 }

interface Keyed {
  key: AnswerKey
  /** Ways to write the right answer, made from the numbers themselves. */
  writings: string[]
}

const whole = fc.integer({ min: -99, max: 99 })
const nonZero = whole.filter((n) => n !== 0)
const sum = (a: number, b: number) => `${a}x ${b < 0 ? '-' : '+'} ${Math.abs(b)}`
const word = fc.constantFrom('mean', 'numerator', 'while', 'append', 'True', 'slope', 'KeyError')

const keyed: fc.Arbitrary<Keyed> = fc.oneof(
  whole.map((n) => ({
    key: { type: 'number' as const, value: `${n}` },
    writings: [`${n}`, `x = ${n}`, `$${n}$`, `${n}.0`, `${n - 5} + 5 = ${n}`],
  })),
  fc.tuple(nonZero, nonZero).map(([a, b]) => ({
    key: { type: 'expression' as const, value: sum(a, b) },
    writings: [sum(a, b), `${b} + ${a}x`, `${a}*x - (${-b})`],
  })),
  fc.tuple(nonZero, whole).map(([a, b]) => ({
    key: { type: 'equation' as const, value: `y = ${sum(a, b)}` },
    writings: [`y = ${sum(a, b)}`, `y - (${b}) = ${a}x`],
  })),
  fc.uniqueArray(whole, { minLength: 1, maxLength: 3 }).map((values) => ({
    key: { type: 'set' as const, values: values.map(String) },
    writings: [
      values.join('; '),
      `{${values.join('; ')}}`,
      [...values]
        .reverse()
        .map((n) => `x = ${n}`)
        .join(' or '),
    ],
  })),
  fc.tuple(fc.constantFrom('<', '>', '<=', '>='), whole).map(([sign, n]) => ({
    key: { type: 'inequality' as const, value: `x ${sign} ${n}` },
    writings: [`x ${sign} ${n}`, `x${sign}${n}`, `{x | x ${sign} ${n}}`],
  })),
  fc.tuple(whole, whole).map(([a, b]) => ({
    key: { type: 'pair' as const, value: `(${a}, ${b})` },
    writings: [`(${a}; ${b})`, `${a}; ${b}`, `x = ${a}, y = ${b}`, `y = ${b} and x = ${a}`],
  })),
  fc.array(whole, { minLength: 1, maxLength: 4 }).map((items) => ({
    key: { type: 'code' as const, value: `[${items.join(', ')}]` },
    writings: [`[${items.join(',')}]`, `[ ${items.join(', ')} ]`],
  })),
  word.map((text) => ({ key: { type: 'text' as const, accepted: [text] }, writings: [text] })),
)

/** A key with one of its writings. */
const answered = keyed.chain(({ key, writings }) =>
  fc.constantFrom(...writings).map((text) => ({ key, text })),
)

const hedge = fc.constantFrom<(text: string) => string>(
  (text) => `I think it's ${text}?`,
  (text) => `${text} I guess`,
  (text) => `maybe ${text}??`,
  (text) => `Hmm… ${text} 🙂`,
  (text) => `${text}, please`,
  (text) => `not sure, but ${text}`,
  (text) => `ich glaube ${text}`,
)

const NOISE = fc.array(
  fc.oneof(
    fc.constantFrom(
      'x',
      ' = ',
      '(',
      ')',
      '|',
      ';',
      ', ',
      ' or ',
      ' so ',
      '±',
      '/',
      '^',
      '{',
      '}',
      '$',
    ),
    fc.constantFrom(
      'maybe ',
      '?',
      ' cm',
      ' lines',
      '2',
      '-3',
      '0.5',
      '\\frac{',
      "'",
      '"',
      '\n',
      'y',
    ),
    fc.string({ unit: 'binary', maxLength: 5 }),
  ),
  { maxLength: 15 },
)

describe('the judge of answers', () => {
  it('accepts a right answer in every writing, hedged or not', () => {
    fc.assert(
      fc.property(answered, hedge, ({ key, text }, around) => {
        for (const said of [text, around(text)]) {
          expect(judgeAnswer(said, key, QUESTION).verdict, said).toBe('correct')
        }
      }),
      SEED,
    )
  })

  it('judges what it has read as it judged the answer', () => {
    fc.assert(
      fc.property(answered, answered, ({ key }, { text }) => {
        const first = judgeAnswer(text, key, QUESTION)
        if (first.verdict === 'unjudged' || first.value === undefined) return
        const again = judgeAnswer(first.value, key, QUESTION)
        expect(again, text).toMatchObject({ verdict: first.verdict, value: first.value })
      }),
      SEED,
    )
  })

  it('never accepts one answer by two keys of a kind that differ', () => {
    const both = fc
      .tuple(answered, answered)
      .filter(([a, b]) => a.key.type === b.key.type && !isSame(a.key, b.key))
    fc.assert(
      fc.property(both, hedge, ([{ key, text }, { key: other }], around) => {
        expect(judgeAnswer(text, key, QUESTION).verdict, text).toBe('correct')
        expect(judgeAnswer(text, other, QUESTION).verdict, text).not.toBe('correct')
        expect(judgeAnswer(around(text), other, QUESTION).verdict).not.toBe('correct')
      }),
      SEED,
    )
  })

  it('throws at nothing, with the key or without', () => {
    fc.assert(
      fc.property(answered, NOISE, ({ key, text }, pieces) => {
        for (const said of [pieces.join(''), text + pieces.join(''), pieces.join('') + text]) {
          judgeAnswer(said, key, QUESTION)
          readingOf(said, key.type, QUESTION)
        }
      }),
      SEED,
    )
  })
})

/** Whether two keys ask for the same: sets in any order. */
function isSame(a: AnswerKey, b: AnswerKey): boolean {
  const form = (key: AnswerKey) =>
    JSON.stringify(key.type === 'set' ? [...key.values].sort() : { ...key })
  return form(a) === form(b)
}
