import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { readCommand } from '../../../src/domain/talk/commands.ts'
import { withUmlauts } from '../../../src/domain/talk/umlauts.ts'
import { readWish } from '../../../src/domain/talk/wishes.ts'

const TALK = path.resolve(import.meta.dirname, '../../../src/domain/talk')

it.each([
  ['ueberspringen', 'skip'],
  ['zeig mir die loesung', 'show'],
  ['was kommt als naechstes', 'plan'],
  ['ich moechte aufhoeren', 'pause'],
  ['Uebung', 'practice'],
  ['ich weiss es nicht', 'dont_know'],
])('“%s” is the command %s, on a keyboard without umlauts', (said, command) => {
  expect(readCommand(said)).toBe(command)
})

it.each([
  ['noch einmal erklaeren', 'explain'],
  ['hae?', 'explain'],
  ['koennen wir was anderes machen', 'other'],
])('“%s” is the wish %s, on a keyboard without umlauts', (said, wish) => {
  expect(readWish(said)).toBe(wish)
})

it.each(['ich will mich toeten', 'ich waere gerne tot', 'mein Vater schlaegt mich'])(
  '“%s” is heard as distress',
  (said) => {
    expect(readWish(said)).toBe('distress')
  },
)

it('leaves every other word as it is', () => {
  const text = 'the true value does continue: blue question, poem, aerial, less, passt, neue, muss'
  expect(withUmlauts(text)).toBe(text)
})

it('knows every word with an umlaut that talk is known by', () => {
  const words = readdirSync(TALK)
    .filter((file) => file !== 'umlauts.ts' && file !== 'distress.ts')
    .flatMap((file) => readFileSync(path.join(TALK, file), 'utf8').match(/[a-zäöüß]{2,}/g) ?? [])
    .filter((word) => /[äöüß]/.test(word))
  const fold = (word: string) =>
    word.replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue').replace(/ß/g, 'ss')
  const lost = [...new Set(words)].filter((word) => withUmlauts(fold(word)) !== word)
  expect(lost).toEqual([])
})
