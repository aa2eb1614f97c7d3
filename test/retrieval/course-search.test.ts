import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadCourses } from '../../src/courses/load.ts'
import { ingestCourse } from '../../src/retrieval/ingest.ts'
import { retrieve, searchAnchors, TOP_K } from '../../src/retrieval/search.ts'
import { readerOf } from '../../src/store/database.ts'
import { proves } from '../spec/scenario.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { LABELLED } from './course-questions.ts'

let own: FreshDatabase
const scope = (courseId: string, text: string) => ({ courseId, language: 'en', text })

beforeAll(async () => {
  own = await freshDatabase()
  for (const course of await loadCourses(resolve('courses'))) await ingestCourse(own.db, course)
})
afterAll(() => own.drop())

describe('the search for the unit a message is about', () => {
  const questions = Object.entries(LABELLED).flatMap(([courseId, units]) =>
    Object.entries(units).flatMap(([unitId, texts]) =>
      texts.map((text) => ({ courseId, unitId, text })),
    ),
  )

  it('has at least 100 labelled questions', () => {
    expect(questions.length).toBeGreaterThanOrEqual(100)
  })

  it('puts the right unit among the first six for at least 95 % of them', async () => {
    const misses: string[] = []
    const firsts: string[] = []
    for (const { courseId, unitId, text } of questions) {
      const found = await searchAnchors(own.db, readerOf(own.db), scope(courseId, text))
      const rank = found.findIndex((unit) => unit.unitId === unitId)
      if (rank < 0 || rank >= 6) misses.push(`${courseId} ${unitId}: ${text} (${rank})`)
      if (rank === 0) firsts.push(text)
    }
    expect(misses.length / questions.length, misses.join('\n')).toBeLessThanOrEqual(0.05)
    expect(firsts.length / questions.length).toBeGreaterThan(0.7)
  })

  it('gives scores in 0..1, best first', async () => {
    const found = await searchAnchors(
      own.db,
      readerOf(own.db),
      scope('algebra-basics', 'slope of a line'),
    )
    const scores = found.map(({ confidence }) => confidence)
    expect(scores.length).toBeGreaterThan(0)
    expect(scores.every((score) => score > 0 && score <= 1)).toBe(true)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  it.each(['yes', 'ok', 'x = 4', '2x + 3', '', '???', '\u0000', "'; drop table unit_anchors; --"])(
    'is not sure of any unit for "%s"',
    async (text) => {
      const found = await searchAnchors(own.db, readerOf(own.db), scope('algebra-basics', text))
      expect(found[0]?.confidence ?? 0).toBeLessThan(0.55)
    },
  )

  it('is sure of a unit that is named, also with a slip of the pen', async () => {
    const named = [
      ['linear equations', 'ALG-01'],
      ['I need help with simultanous equations', 'ALG-11'],
      ['parabolla', 'ALG-15'],
    ] as const
    for (const [text, unitId] of named) {
      const [first] = await searchAnchors(own.db, readerOf(own.db), scope('algebra-basics', text))
      expect(first?.unitId, text).toBe(unitId)
      expect(first?.confidence).toBeGreaterThanOrEqual(0.55)
    }
  })
})

describe('what is retrieved for a turn', () => {
  it(
    'stays in the scope, whatever the message names',
    proves('004 Retrieval (PF-3.5): What is retrieved stays within the scoped units'),
    async () => {
      const found = await retrieve(own.db, readerOf(own.db), {
        ...scope('algebra-basics', 'parabolas and their vertex, simultaneous equations'),
        scopedUnitIds: ['ALG-01', 'ALG-00'],
        focusUnitId: 'ALG-01',
        desiredExamTier: 'silver',
        behind: [],
      })
      expect(found.unitAnchors.map(({ unitId }) => unitId)).toEqual(['ALG-01', 'ALG-00'])
      expect(found.unitContentChunks).toHaveLength(TOP_K.chunks)
      for (const { unitId } of found.unitContentChunks)
        expect(['ALG-01', 'ALG-00']).toContain(unitId)
      expect(found.examCandidates.length).toBeGreaterThanOrEqual(2)
      for (const exam of found.examCandidates) {
        expect(exam).toMatchObject({ unitIds: ['ALG-01'], difficultyTier: 'silver' })
        expect(Object.keys(exam).sort()).toEqual([
          'difficultyTier',
          'questionId',
          'tags',
          'unitIds',
        ])
      }
    },
  )

  it('puts the section the message is about first', async () => {
    const { unitContentChunks } = await retrieve(own.db, readerOf(own.db), {
      ...scope('algebra-basics', 'what does a minus in front of a bracket do'),
      scopedUnitIds: ['ALG-02', 'ENTRY-00'],
      focusUnitId: 'ALG-02',
      desiredExamTier: 'bronze',
      behind: [],
    })
    expect(`${unitContentChunks[0]?.section} ${unitContentChunks[0]?.text}`).toMatch(/minus/i)
  })

  it('does not mix courses whose units share an id', async () => {
    const { unitAnchors } = await retrieve(own.db, readerOf(own.db), {
      ...scope('python-fundamentals', 'numbers'),
      scopedUnitIds: ['ENTRY-00'],
      focusUnitId: 'ENTRY-00',
      desiredExamTier: 'bronze',
      behind: [],
    })
    expect(unitAnchors).toHaveLength(1)
    expect(unitAnchors[0]?.title).toContain('program')
  })

  it('gives memos of the named questions only', async () => {
    const supportOf = async (behind: string[]) => {
      const found = await retrieve(own.db, readerOf(own.db), {
        ...scope('algebra-basics', 'x'),
        scopedUnitIds: ['ALG-01'],
        focusUnitId: 'ALG-01',
        desiredExamTier: 'bronze',
        behind,
      })
      return found.examSupportChunks.map(({ questionId }) => questionId)
    }
    expect(await supportOf(['EX-ALG-01-B1'])).toEqual(['EX-ALG-01-B1'])
    expect(await supportOf([])).toEqual([])
  })
})
