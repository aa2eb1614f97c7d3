import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Course } from '../../src/contracts/course-pack.ts'
import { loadCourse } from '../../src/courses/load.ts'
import { ingestCourses } from '../../src/retrieval/course-files.ts'
import { ingestCourse, ingestSource } from '../../src/retrieval/ingest.ts'
import { retrieve, searchAnchors } from '../../src/retrieval/search.ts'
import { readerOf } from '../../src/store/database.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let own: FreshDatabase
let course: Course

beforeAll(async () => {
  own = await freshDatabase()
  course = await loadCourse(resolve('courses/algebra-basics'))
  await ingestCourse(own.db, course)
})
afterAll(() => own.drop())

const scope = (text: string) => ({ courseId: 'algebra-basics', language: 'en', text })
const chunksFor = async (text: string, unitId = 'ALG-01') =>
  (
    await retrieve(own.db, readerOf(own.db), {
      ...scope(text),
      scopedUnitIds: [unitId],
      focusUnitId: unitId,
      desiredExamTier: 'bronze',
      behind: [],
    })
  ).unitContentChunks

/** A PDF of one line of text per entry, page by page. */
function pdfOf(pages: string[][]): Uint8Array {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>']
  const ids = pages.map((_, n) => 4 + n * 2)
  objects.push(
    `<< /Type /Pages /Kids [${ids.map((id) => `${id} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  )
  for (const [n, lines] of pages.entries()) {
    const shown = lines.map((line) => `(${line}) Tj 0 -20 Td`).join(' ')
    const stream = `BT /F1 12 Tf 50 700 Td ${shown} ET`
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${(ids[n] ?? 0) + 1} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    )
  }
  let pdf = '%PDF-1.4\n'
  const offsets = objects.map((object, n) => {
    const offset = pdf.length
    pdf += `${n + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = pdf.length
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  pdf += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  pdf += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`
  return new TextEncoder().encode(pdf)
}

describe('taking material into the search', () => {
  it('writes the same pack once', async () => {
    expect(await ingestCourse(own.db, course)).toBe(false)
    const changed = { ...course, units: course.units.slice(0, -1) }
    expect(await ingestCourse(own.db, changed)).toBe(true)
    const gone = await searchAnchors(
      own.db,
      readerOf(own.db),
      scope('make a letter the subject of a formula'),
    )
    expect(gone.map(({ unitId }) => unitId)).not.toContain('ALG-16')
    expect(await ingestCourse(own.db, course)).toBe(true)
  })

  it('can be done by two at once', async () => {
    const changed = { ...course, description: 'another' }
    const written = await Promise.all([
      ingestCourse(own.db, changed),
      ingestCourse(own.db, changed),
    ])
    expect(written.filter(Boolean)).toHaveLength(1)
  })

  it('keeps the page of what a PDF says, and its unit', async () => {
    const bytes = pdfOf([
      ['Balance', 'A seesaw stays level while both ends carry the same weight.'],
      ['Zebra problems', 'A zebra eats three bales of hay and then some more.'],
    ])
    const source = { courseId: 'algebra-basics', unitId: 'ALG-01', language: 'en', title: 'Frame' }
    const sourceId = 'ALG-01/frame.pdf'
    const content = { type: 'pdf' as const, bytes }
    expect(await ingestSource(own.db, { ...source, sourceId, content })).toBe(true)
    expect(await ingestSource(own.db, { ...source, sourceId, content })).toBe(false)
    const [first] = await chunksFor('how much hay does the zebra eat')
    expect(first).toMatchObject({ chunkType: 'pdf', sourceId, page: 2, unitId: 'ALG-01' })
    expect(first?.text).toContain('zebra')
    expect(await chunksFor('zebra hay', 'ALG-02')).not.toContainEqual(
      expect.objectContaining({ sourceId }),
    )
  })

  it('refuses what is no PDF', async () => {
    const content = { type: 'pdf' as const, bytes: new TextEncoder().encode('not a PDF at all') }
    const source = { courseId: 'algebra-basics', unitId: 'ALG-01', language: 'en', title: 'x' }
    await expect(ingestSource(own.db, { ...source, sourceId: 'x', content })).rejects.toThrow()
  })

  it('finds what lies beside the lessons, and tells what it cannot read', async () => {
    const root = await mkdtemp(join(tmpdir(), 'course-files-'))
    const unit = join(root, 'algebra-basics/units/ALG-02')
    await mkdir(join(unit, 'exams'), { recursive: true })
    const vtt = 'WEBVTT\n\n00:01.000 --> 00:02.000\nA walrus collects like terms on the beach.'
    await writeFile(join(unit, 'lesson.vtt'), vtt)
    await writeFile(join(unit, 'broken.pdf'), 'nothing')
    await writeFile(join(unit, 'exams/EX-ALG-02-B1.vtt'), vtt.replace('walrus', 'penguin'))
    const problems: string[] = []
    await ingestCourses(own.db, [course], root, { warn: (problem) => problems.push(problem) })
    await rm(root, { recursive: true })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('broken.pdf')
    const [first] = await chunksFor('what does the walrus do', 'ALG-02')
    expect(first).toMatchObject({ chunkType: 'transcript', sourceId: 'ALG-02/lesson.vtt' })
    const { examSupportChunks } = await retrieve(own.db, readerOf(own.db), {
      ...scope('penguin'),
      scopedUnitIds: ['ALG-02'],
      focusUnitId: 'ALG-02',
      desiredExamTier: 'bronze',
      behind: ['EX-ALG-02-B1'],
    })
    expect(examSupportChunks.map(({ chunkType }) => chunkType)).toEqual(['transcript', 'memo'])
  })
})
