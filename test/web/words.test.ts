import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = path.resolve(import.meta.dirname, '../../web/i18n')

type Words = { [key: string]: string | Words }

const read = (file: string) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Words

/** Every text by its key, from the root down. */
function texts(words: Words, above = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([key, value]) =>
      typeof value === 'string'
        ? [[above + key, value] as const]
        : [...texts(value, `${above}${key}.`)],
    ),
  )
}

const placeholders = (text: string) =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

// English is in two files: what every screen may say, and what the desks alone do.
const english = new Map([...texts(read('en.json')), ...texts(read('en-desks.json'))])
const others = readdirSync(FOLDER).filter(
  (file) => file.endsWith('.json') && !file.startsWith('en'),
)

it('says everything in one of its files only', () => {
  expect(english.size).toBe(texts(read('en.json')).size + texts(read('en-desks.json')).size)
})

it('is in more than one language', () => {
  expect(others).toContain('de.json')
})

it.each(others)('%s says all that English says, and no more', (file) => {
  expect([...texts(read(file)).keys()].sort()).toEqual([...english.keys()].sort())
})

it.each(others)('%s has the same placeholders in every text', (file) => {
  const translated = texts(read(file))
  const differing = [...english].filter(
    ([key, text]) => placeholders(text).join() !== placeholders(translated.get(key) ?? '').join(),
  )
  expect(differing).toEqual([])
})

it.each(others)('%s leaves no text empty', (file) => {
  expect([...texts(read(file))].filter(([, text]) => text.trim() === '')).toEqual([])
})
