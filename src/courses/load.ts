import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import type { z } from 'zod'
import type { Course, Unit } from '../contracts/course-pack.ts'
import { CourseFile, ExamBank, Glossary, QuestionBank, UnitFile } from '../contracts/course-pack.ts'
import { ProgramBank } from '../contracts/course-programs.ts'
import { type Picture, withPicturePaths } from '../contracts/picture.ts'

const loaded = new Map<string, Promise<Course>>()

/**
 * The course pack in a folder, read once per process.
 * @param cache a folder in which what the YAML says is kept: it takes a hundred times as long to read as JSON
 * @throws Error that names the file and, for a field that breaks the format, the path to it
 */
export function loadCourse(folder: string, cache?: string): Promise<Course> {
  const path = resolve(folder)
  const known = loaded.get(path)
  if (known) return known
  const course = readCourse(path, cache)
  loaded.set(path, course)
  course.catch(() => loaded.delete(path))
  return course
}

/**
 * Every course pack directly under `root`, by folder name; a folder without `course.yml` is none.
 * @throws Error as `loadCourse` does
 */
export async function loadCourses(root: string, cache?: string): Promise<Course[]> {
  const entries = await readdir(root, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const packs: string[] = []
  for (const folder of folders.sort()) {
    if (await isFile(join(root, folder, 'course.yml'))) packs.push(join(root, folder))
  }
  return Promise.all(packs.map((folder) => loadCourse(folder, cache)))
}

async function readCourse(folder: string, cache?: string): Promise<Course> {
  const file = join(folder, 'course.yml')
  const { units: unitIds, ...course } = await readYaml(file, CourseFile, cache)
  const units = await Promise.all(
    unitIds.map((unitId) => readUnit(join(folder, 'units', unitId), cache)),
  )
  for (const [index, unit] of units.entries()) {
    if (unit.unitId === unitIds[index]) continue
    const misnamed = join(folder, 'units', unitIds[index] ?? '', 'unit.yml')
    throw new Error(`${misnamed}: unitId: "${unit.unitId}" is not the name of its folder`)
  }
  const prereqEdges = units.flatMap((unit) =>
    unit.prerequisites.map((prerequisite): [string, string] => [prerequisite, unit.unitId]),
  )
  const glossary = await readOptional(join(folder, 'glossary.yml'), Glossary, cache)
  const pictures = await readPictures(join(folder, 'pictures'))
  return {
    ...course,
    units: units.map((unit) => ({
      ...unit,
      lesson: withPicturePaths(unit.lesson, course.courseId, pictures),
    })),
    prereqEdges,
    ...(glossary ? { glossary } : {}),
    ...(pictures.length > 0 ? { pictures } : {}),
  }
}

/** The SVG files of a folder that need not be there. */
async function readPictures(folder: string): Promise<Picture[]> {
  const files = await readdir(folder).catch(() => [])
  const names = files.filter((name) => name.endsWith('.svg')).sort()
  return Promise.all(names.map(async (name) => ({ name, svg: await readText(join(folder, name)) })))
}

async function readUnit(folder: string, cache?: string): Promise<Unit> {
  const [unit, bank, exams, lesson, programs] = await Promise.all([
    readYaml(join(folder, 'unit.yml'), UnitFile, cache),
    readYaml(join(folder, 'questions.yml'), QuestionBank, cache),
    readYaml(join(folder, 'exams.yml'), ExamBank, cache),
    readText(join(folder, 'lesson.md')),
    readOptional(join(folder, 'programs.yml'), ProgramBank, cache),
  ])
  return { ...unit, ...bank, ...exams, lesson: lesson.trim(), ...(programs ? { programs } : {}) }
}

/** The same of a file that need not be there; then null. */
const readOptional = async <T>(
  file: string,
  schema: z.ZodType<T>,
  cache?: string,
): Promise<T | null> => ((await isFile(file)) ? readYaml(file, schema, cache) : null)

async function readYaml<T>(file: string, schema: z.ZodType<T>, cache?: string): Promise<T> {
  const source = await readText(file)
  const content = cache ? await parsedBefore(file, source, cache) : parseYaml(file, source)
  const result = schema.safeParse(content)
  if (result.success) return result.data
  const faults = result.error.issues.map(
    (issue) => `${file}: ${issue.path.join('.') || '(the whole file)'}: ${issue.message}`,
  )
  throw new Error(faults.join('\n'))
}

/** What a source says, from the cache where it was read before; without the cache it is slower, and no worse. */
async function parsedBefore(file: string, source: string, cache: string): Promise<unknown> {
  const kept = join(cache, `${createHash('sha256').update(source).digest('hex')}.json`)
  try {
    return JSON.parse(await readFile(kept, 'utf8'))
  } catch {
    // Not read before, or not whole.
  }
  const content = parseYaml(file, source)
  const writing = `${kept}.${process.pid}`
  await mkdir(cache, { recursive: true })
    .then(() => writeFile(writing, JSON.stringify(content)))
    .then(() => rename(writing, kept))
    .catch(() => {})
  return content
}

function parseYaml(file: string, source: string): unknown {
  try {
    return parse(source)
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error(`${file}: cannot be read`, { cause: error })
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
