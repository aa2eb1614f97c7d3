import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readNumber } from '../../../src/domain/notation/numbers.ts'
import { saidNumbers } from '../../../src/domain/practice/said-numbers.ts'

const COURSES = path.resolve(import.meta.dirname, '../../../courses')

/** Every run of up to five words, read one by one: what a text says without any thought of where a number may begin. */
function readOneByOne(text: string): number[] {
  const words = [...text.matchAll(/\p{L}+(?:[-‐]\p{L}+)*/gu)]
  return words.flatMap(({ index }, first) =>
    words.slice(first, first + 5).flatMap((last) => {
      const value = readNumber(text.slice(index, last.index + last[0].length))
      return value === null ? [] : [value]
    }),
  )
}

const inWords = (text: string) =>
  saidNumbers(text)
    .filter((number) => number.inWords)
    .map(({ value }) => value)

it.each([
  ['about twenty-one steps, then minus two thirds of it', [21, -2 / 3]],
  ['Es sind dreiundzwanzig, also zwei Drittel von anderthalb Stunden.', [23, 2 / 3, 1.5]],
  ['fifty percent of a hundred is half of it', [0.5, 100]],
  ['T = 2\\pi or T = \\pi, that is π', [2 * Math.PI, Math.PI]],
  ['tausend und eine Nacht', [1000, 1001]],
])('hears numbers in words: %s', (text, heard) => {
  for (const value of heard) {
    expect(inWords(text).some((said) => Math.abs(said - value) < 1e-9)).toBe(true)
  }
})

it.each(['algebra-basics', 'python-fundamentals'])(
  'hears in the course %s what is read word by word',
  (course) => {
    const texts = readdirSync(path.join(COURSES, course), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.md'))
      .map((file) => readFileSync(path.join(COURSES, course, file), 'utf8').slice(0, 4_000))
    for (const text of texts.slice(0, 8)) expect(inWords(text)).toEqual(readOneByOne(text))
  },
)
