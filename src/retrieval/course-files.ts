import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import type { Course } from '../contracts/course-pack.ts'
import type { Db } from '../store/database.ts'
import { ingestCourse, ingestExamTranscript, ingestSource } from './ingest.ts'

const TRANSCRIPT = /\.(vtt|srt|transcript\.(md|txt))$/i

/**
 * Takes in every course and what lies beside its lessons: `units/<unitId>/*.pdf`, transcripts (`.vtt`, `.srt`,
 * `.transcript.md`, `.transcript.txt`), and under `units/<unitId>/exams/` the transcript of a question's video, named by
 * its id. A file that cannot be read is left out and told to `warn`.
 */
export async function ingestCourses(
  db: Db,
  courses: readonly Course[],
  root: string,
  options: { warn?: (problem: string) => void } = {},
): Promise<void> {
  const { warn = () => {} } = options
  for (const course of courses) {
    await ingestCourse(db, course)
    for (const { unitId } of course.units) {
      const folder = join(root, course.courseId, 'units', unitId)
      for (const file of await filesIn(folder)) {
        await ingestFile(db, course, unitId, folder, file).catch((error) =>
          warn(`${join(folder, file)} is left out of the search: ${String(error)}`),
        )
      }
      await ingestExamVideos(db, course, join(folder, 'exams'))
    }
  }
}

async function ingestFile(
  db: Db,
  { courseId, language }: Course,
  unitId: string,
  folder: string,
  file: string,
): Promise<void> {
  const source = { courseId, unitId, language, sourceId: `${unitId}/${file}`, title: titleOf(file) }
  if (/\.pdf$/i.test(file)) {
    const bytes = await readFile(join(folder, file))
    await ingestSource(db, { ...source, content: { type: 'pdf', bytes } })
  } else if (TRANSCRIPT.test(file)) {
    const text = await readFile(join(folder, file), 'utf8')
    await ingestSource(db, { ...source, content: { type: 'transcript', text } })
  }
}

async function ingestExamVideos(db: Db, { courseId, language }: Course, folder: string) {
  for (const file of await filesIn(folder)) {
    if (!TRANSCRIPT.test(file)) continue
    const questionId = file.replace(TRANSCRIPT, '')
    const text = await readFile(join(folder, file), 'utf8')
    await ingestExamTranscript(db, { courseId, questionId, language, text })
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

function titleOf(file: string): string {
  return parse(file.replace(TRANSCRIPT, '')).name.replaceAll(/[-_]+/g, ' ')
}
