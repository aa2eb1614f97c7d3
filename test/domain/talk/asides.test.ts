import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCourse } from '../../../src/courses/load.ts'
import { readAside } from '../../../src/domain/talk/asides.ts'
import { readWish } from '../../../src/domain/talk/wishes.ts'

/** Written without sight of the reader, by somebody else: the kind that a teacher would name, and what a learner types. */
const TABLE = readFileSync(path.join(import.meta.dirname, 'asides.tsv'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [string, string])

const KINDS = ['time', 'schedule', 'exam', 'use', 'hard', 'stakes', 'tools']

const asideIn = (text: string): string => {
  const wish = readWish(text) ?? 'none'
  return KINDS.includes(wish) ? wish : 'none'
}

describe('questions about the learning', () => {
  it.each(TABLE.filter(([kind]) => kind === 'none'))('(%s) “%s” is none', (_, text) => {
    expect(asideIn(text)).toBe('none')
  })

  it.each(KINDS)(
    'about %s are met by at least three in four of those that people write',
    (kind) => {
      const read = TABLE.filter(([wanted]) => wanted === kind).map(([, text]) => asideIn(text))
      expect(read.length).toBeGreaterThanOrEqual(20)
      expect(read.filter((found) => found === kind).length / read.length).toBeGreaterThanOrEqual(
        0.75,
      )
      expect(read.filter((found) => found !== kind && found !== 'none')).toEqual([])
    },
  )

  it('are none of the questions, answers and words of a course', async () => {
    for (const id of ['algebra-basics', 'python-fundamentals']) {
      const course = await loadCourse(path.resolve('courses', id))
      const texts = course.units.flatMap(({ title, questions }) => [
        title,
        ...questions.flatMap(({ text, options }) => [
          text,
          ...(options ?? []).map((option) => (typeof option === 'string' ? option : option.text)),
        ]),
      ])
      expect(texts.length).toBeGreaterThan(200)
      for (const text of texts) expect(readAside(text.toLowerCase()), text).toBeNull()
    }
  })
})
