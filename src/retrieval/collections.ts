import { sql } from 'kysely'
import type { Course, Unit } from '../contracts/course-pack.ts'
import { picturesInWords } from '../contracts/plot.ts'
import type { Trx } from '../store/database.ts'
import { type Chunk, markdownChunks } from './chunking.ts'
import { searchConfig } from './search-config.ts'

/** How much a word of an anchor counts by where it stands. */
const TERM_WEIGHT = { named: 1, anchor: 0.6, idea: 0.5, misconception: 0.4, lesson: 0.15 }

export interface UnitChunk extends Chunk {
  unitId: string
  sourceId: string
  position: number
  chunkType: 'lesson' | 'misconception' | 'pdf' | 'transcript'
}

export function unitChunks(unit: Unit): UnitChunk[] {
  const { unitId, title } = unit
  const example = unit.workedExample
  const lesson = [
    ...markdownChunks(picturesInWords(unit.lesson), title),
    {
      section: 'Worked example',
      page: null,
      text: [example.problem, ...example.steps, `Answer: ${example.answer}`].join('\n'),
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

export async function writeAnchor(trx: Trx, course: Course, unit: Unit) {
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
    [TERM_WEIGHT.lesson, picturesInWords(unit.lesson)],
  ]
  for (const [weight, text] of parts) {
    await sql`
      insert into unit_anchor_terms (course_id, unit_id, term, weight)
      select ${courseId}, ${unit.unitId}, lexeme, ${weight}
      from unnest(${vectorOf(text)}) where lexeme ~ '[[:alpha:]]{2}'
      on conflict (course_id, term, unit_id) do nothing`.execute(trx)
  }
}

export async function writeChunks(
  trx: Trx,
  { courseId, language }: { courseId: string; language: string },
  chunks: readonly UnitChunk[],
): Promise<void> {
  const config = searchConfig(language)
  const rows = chunks.map((item) => ({
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

export async function writeExams(
  trx: Trx,
  course: Course,
  unit: Unit,
  first: number,
): Promise<void> {
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

export async function writeSupport(
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
