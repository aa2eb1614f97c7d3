import { createHash } from 'node:crypto'
import type { Course } from '../contracts/course-pack.ts'
import type { Db, Trx } from '../store/database.ts'
import { pageChunks, transcriptChunks } from './chunking.ts'
import { unitChunks, writeAnchor, writeChunks, writeExams, writeSupport } from './collections.ts'
import { pdfPages } from './pdf.ts'

/** Raised when what is stored for the same content changes, so that everything is taken in anew. */
const FORMAT = 1

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
export async function ingestCourse(db: Db, course: Course): Promise<boolean> {
  const sourceId = 'course-pack'
  const digest = digestOf(JSON.stringify(course))
  const { courseId } = course
  if (await isTakenIn(db, courseId, sourceId, digest)) return false
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
    for (const unit of course.units) await writeAnchor(trx, course, unit)
    await writeChunks(trx, course, course.units.flatMap(unitChunks))
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
export async function ingestSource(db: Db, source: UnitSource): Promise<boolean> {
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
  return db.transaction().execute(async (trx) => {
    if (!(await claim(trx, courseId, sourceId, digest))) return false
    await trx
      .deleteFrom('unit_content_chunks')
      .where('course_id', '=', courseId)
      .where('source_id', '=', sourceId)
      .execute()
    await writeChunks(trx, { courseId, language }, located)
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
