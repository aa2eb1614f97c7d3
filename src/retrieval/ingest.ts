import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Course, Unit } from '../contracts/course-pack.ts'
import type { Db, Trx } from '../store/database.ts'
import { type Chunk, markdownChunks, pageChunks, transcriptChunks } from './chunking.ts'
import type { Embedder } from './embedder.ts'
import { pdfPages } from './pdf.ts'
import { searchConfig } from './search-config.ts'

/** Raised when what is stored for the same content changes, so that everything is taken in anew. */
const FORMAT = 1

/** How much a word of an anchor counts by where it stands. */
const TERM_WEIGHT = { named: 1, anchor: 0.6, idea: 0.5, misconception: 0.4, lesson: 0.15 }

/** A unit's PDF or transcript; `sourceId` names it within the course. */
export interface UnitSource {
  courseId: string
  unitId: string
  sourceId: string
  language: string
  title: string
  content: { type: 'pdf'; bytes: Uint8Array } | { type: 'transcript'; text: string }
}

/**
 * Takes a course pack into the four collections, in one transaction; the same pack again changes nothing.
 * Documents that were added to its units stay.
 * @returns whether anything was written
 */
export async function ingestCourse(
  db: Db,
  course: Course,
  embedder: Embedder | null = null,
): Promise<boolean> {
  const sourceId = 'course-pack'
  const digest = digestOf(JSON.stringify([course, embedder !== null]))
  const { courseId } = course
  if (await isTakenIn(db, courseId, sourceId, digest)) return false
  const anchors = await embedded(course.units, anchorText, embedder)
  const chunks = await embedded(course.units.flatMap(unitChunks), ({ text }) => text, embedder)
  return db.transaction().execute(async (trx) => {
    if (!(await claim(trx, courseId, sourceId, digest))) return false
    await trx.deleteFrom('unit_anchors').where('course_id', '=', courseId).execute()
    await trx.deleteFrom('exam_candidates').where('course_id', '=', courseId).execute()
    await trx
      .deleteFrom('unit_content_chunks')
      .where('course_id', '=', courseId)
      .where('chunk_type', 'in', ['lesson', 'misconception'])
      .execute()
    await trx
      .deleteFrom('exam_support_chunks')
      .where('course_id', '=', courseId)
      .where('chunk_type', '=', 'memo')
      .execute()
    for (const { item, vector } of anchors) await writeAnchor(trx, course, item, vector)
    await writeChunks(trx, course, chunks)
    for (const [position, unit] of course.units.entries()) {
      await writeExams(trx, course, unit, position * 1_000)
    }
    return true
  })
}

/**
 * Takes in a unit's PDF or transcript, chunked by section; of a PDF every chunk keeps its page.
 * @returns whether anything was written
 * @throws Error when a PDF cannot be read
 */
export async function ingestSource(
  db: Db,
  source: UnitSource,
  embedder: Embedder | null = null,
): Promise<boolean> {
  const { courseId, unitId, sourceId, content, title, language } = source
  const digest = digestOf(content.type === 'pdf' ? content.bytes : content.text)
  if (await isTakenIn(db, courseId, sourceId, digest)) return false
  const chunks =
    content.type === 'pdf'
      ? pageChunks(await pdfPages(content.bytes), title)
      : transcriptChunks(content.text, title)
  const located = chunks.map((chunk, position) => ({
    ...chunk,
    unitId,
    sourceId,
    position,
    chunkType: content.type,
  }))
  const rows = await embedded(located, ({ text }) => text, embedder)
  return db.transaction().execute(async (trx) => {
    if (!(await claim(trx, courseId, sourceId, digest))) return false
    await trx
      .deleteFrom('unit_content_chunks')
      .where('course_id', '=', courseId)
      .where('source_id', '=', sourceId)
      .execute()
    await writeChunks(trx, { courseId, language }, rows)
    return true
  })
}

/** Takes in the transcript of an exam question's video. */
export async function ingestExamTranscript(
  db: Db,
  source: { courseId: string; questionId: string; language: string; text: string },
): Promise<boolean> {
  const { courseId, questionId, language, text } = source
  const sourceId = `video-${questionId}`
  const digest = digestOf(text)
  if (await isTakenIn(db, courseId, sourceId, digest)) return false
  const chunks = transcriptChunks(text, questionId)
  return db.transaction().execute(async (trx) => {
    if (!(await claim(trx, courseId, sourceId, digest))) return false
    await trx
      .deleteFrom('exam_support_chunks')
      .where('course_id', '=', courseId)
      .where('source_id', '=', sourceId)
      .execute()
    for (const [position, chunk] of chunks.entries()) {
      await writeSupport(
        trx,
        { courseId, questionId, language, sourceId, position, text: chunk.text },
        'transcript',
      )
    }
    return true
  })
}

function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(`${FORMAT}\n`).update(content).digest('hex')
}

async function isTakenIn(db: Db, courseId: string, sourceId: string, digest: string) {
  const row = await db
    .selectFrom('retrieval_sources')
    .select('digest')
    .where('course_id', '=', courseId)
    .where('source_id', '=', sourceId)
    .executeTakeFirst()
  return row?.digest === digest
}

/** Of two that take in the same at once, the second finds it done. */
async function claim(trx: Trx, courseId: string, sourceId: string, digest: string) {
  const claimed = await trx
    .insertInto('retrieval_sources')
    .values({ course_id: courseId, source_id: sourceId, digest })
    .onConflict((conflict) =>
      conflict
        .columns(['course_id', 'source_id'])
        .doUpdateSet({ digest })
        .where('retrieval_sources.digest', '!=', digest),
    )
    .returning('digest')
    .executeTakeFirst()
  return claimed !== undefined
}

async function embedded<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  embedder: Embedder | null,
): Promise<{ item: T; vector: number[] | null }[]> {
  const vectors = embedder ? await embedder.embed(items.map(textOf)) : []
  return items.map((item, index) => ({ item, vector: vectors[index] ?? null }))
}

function anchorText(unit: Unit): string {
  return [unit.title, ...unit.aliases, unit.anchor, ...unit.keyIdeas].join('\n')
}

interface UnitChunk extends Chunk {
  unitId: string
  sourceId: string
  position: number
  chunkType: 'lesson' | 'misconception' | 'pdf' | 'transcript'
}

function unitChunks(unit: Unit): UnitChunk[] {
  const { unitId, title } = unit
  const example = unit.workedExample
  const lesson = [
    ...markdownChunks(unit.lesson, title),
    {
      section: 'Worked example',
      page: null,
      text: [example.problem, ...example.steps, example.answer].join('\n'),
    },
  ]
  return [
    ...lesson.map((chunk, position) => ({
      ...chunk,
      unitId,
      sourceId: `lesson-${unitId}`,
      position,
      chunkType: 'lesson' as const,
    })),
    ...unit.misconceptions.map(({ tag, description, remedy }, position) => ({
      section: tag,
      page: null,
      text: `${description} ${remedy}`,
      unitId,
      sourceId: `misconceptions-${unitId}`,
      position,
      chunkType: 'misconception' as const,
    })),
  ]
}

const spaced = (tags: readonly string[]) => tags.map((tag) => tag.replaceAll('_', ' '))

async function writeAnchor(trx: Trx, course: Course, unit: Unit, vector: number[] | null) {
  const { courseId } = course
  const config = searchConfig(course.language)
  const misconceptions = unit.misconceptions.map(({ tag }) => tag)
  const named = [unit.title, ...unit.aliases, ...spaced(unit.tags)].join('\n')
  const vectorOf = (text: string) =>
    sql<string>`to_tsvector(${config}::regconfig, unaccent(${text}))`
  await trx
    .insertInto('unit_anchors')
    .values({
      course_id: courseId,
      unit_id: unit.unitId,
      title: unit.title,
      tags: unit.tags,
      misconceptions,
      aliases: [unit.title, ...unit.aliases].map((alias) => alias.toLowerCase()),
      anchor_text: unit.anchor,
      search: sql`setweight(${vectorOf(named)}, 'A') || setweight(${vectorOf(unit.anchor)}, 'B')`,
      embedding: vector,
    })
    .execute()
  const parts: [number, string][] = [
    [TERM_WEIGHT.named, named],
    [TERM_WEIGHT.anchor, unit.anchor],
    [TERM_WEIGHT.idea, unit.keyIdeas.join('\n')],
    [
      TERM_WEIGHT.misconception,
      [
        ...spaced(misconceptions),
        ...unit.misconceptions.map(({ description }) => description),
      ].join('\n'),
    ],
    [TERM_WEIGHT.lesson, unit.lesson],
  ]
  for (const [weight, text] of parts) {
    await sql`
      insert into unit_anchor_terms (course_id, unit_id, term, weight)
      select ${courseId}, ${unit.unitId}, lexeme, ${weight}
      from unnest(${vectorOf(text)}) where lexeme ~ '[[:alpha:]]{2}'
      on conflict (course_id, term, unit_id) do nothing`.execute(trx)
  }
}

async function writeChunks(
  trx: Trx,
  { courseId, language }: { courseId: string; language: string },
  chunks: { item: UnitChunk; vector: number[] | null }[],
): Promise<void> {
  const config = searchConfig(language)
  const rows = chunks.map(({ item, vector }) => ({
    course_id: courseId,
    unit_id: item.unitId,
    source_id: item.sourceId,
    position: item.position,
    chunk_type: item.chunkType,
    section: item.section,
    page: item.page,
    text: withoutNul(item.text),
    search: sql<string>`setweight(to_tsvector(${config}::regconfig, unaccent(${withoutNul(item.section)})), 'A')
      || setweight(to_tsvector(${config}::regconfig, unaccent(${withoutNul(item.text)})), 'C')`,
    embedding: vector,
  }))
  for (let start = 0; start < rows.length; start += 500) {
    await trx
      .insertInto('unit_content_chunks')
      .values(rows.slice(start, start + 500))
      .execute()
  }
}

/** PostgreSQL holds every character but this one. */
function withoutNul(text: string): string {
  return text.replaceAll('\u0000', ' ')
}

async function writeExams(trx: Trx, course: Course, unit: Unit, first: number): Promise<void> {
  const { courseId, language } = course
  const config = searchConfig(language)
  for (const [index, exam] of unit.exams.entries()) {
    const { questionId } = exam
    await trx
      .insertInto('exam_candidates')
      .values({
        course_id: courseId,
        question_id: questionId,
        unit_ids: [unit.unitId],
        difficulty_tier: exam.tier,
        tags: exam.tags,
        position: first + index,
        search: sql`to_tsvector(${config}::regconfig, unaccent(${[...spaced(exam.tags), exam.questionLatex].join(' ')}))`,
      })
      .execute()
    const memo = { courseId, questionId, language, sourceId: `memo-${questionId}`, position: 0 }
    await writeSupport(trx, { ...memo, text: exam.memo }, 'memo')
  }
}

async function writeSupport(
  trx: Trx,
  chunk: {
    courseId: string
    questionId: string
    language: string
    sourceId: string
    position: number
    text: string
  },
  chunkType: 'memo' | 'transcript',
): Promise<void> {
  const config = searchConfig(chunk.language)
  await trx
    .insertInto('exam_support_chunks')
    .values({
      course_id: chunk.courseId,
      question_id: chunk.questionId,
      source_id: chunk.sourceId,
      position: chunk.position,
      chunk_type: chunkType,
      text: withoutNul(chunk.text),
      search: sql`to_tsvector(${config}::regconfig, unaccent(${withoutNul(chunk.text)}))`,
    })
    .execute()
}
