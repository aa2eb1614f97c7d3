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

/** What some screens alone say comes with them: the rooms of these screens, by file. */
const PARTS = {
  'en-desks.json': ['teacher', 'operator'],
  'en-me.json': ['me'],
  'en-tutor.json': ['tutor'],
}

const ofEnglish = ['en.json', ...Object.keys(PARTS)].map((file) => texts(read(file)))
const english = new Map(ofEnglish.flatMap((words) => [...words]))
const others = readdirSync(FOLDER).filter(
  (file) => file.endsWith('.json') && !file.startsWith('en'),
)

it('says everything in one of its files only', () => {
  expect(english.size).toBe(ofEnglish.reduce((sum, { size }) => sum + size, 0))
})

it.each(Object.entries(PARTS))('%s is spoken in its rooms only', (file, rooms) => {
  const sections = Object.keys(read(file)).filter((section) => !(section in read('en.json')))
  const key = new RegExp(`['"\`](?:${sections.join('|')})\\.\\w`)
  const web = path.join(FOLDER, '..')
  const elsewhere = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && ![...rooms, 'dist'].includes(name.split(path.sep)[0] ?? ''),
  )
  expect(elsewhere.filter((name) => key.test(readFileSync(path.join(web, name), 'utf8')))).toEqual(
    [],
  )
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
