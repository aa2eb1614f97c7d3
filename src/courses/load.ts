import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { parse } from 'yaml'
import type { z } from 'zod'
import type { Course, Unit } from '../contracts/course-pack.ts'
import { CourseFile, ExamBank, Glossary, QuestionBank, UnitFile } from '../contracts/course-pack.ts'
import { ProgramBank } from '../contracts/course-programs.ts'
import { type Picture, withPicturePaths } from '../contracts/picture.ts'

/** The files that say what a course pack holds. */
const FORMAT = ['../contracts/course-pack.ts', '../contracts/course-programs.ts']

const loaded = new Map<string, Promise<Course>>()

/**
 * The course pack in a folder, read once per process.
 * @param cache a folder in which is kept what the files say, checked: as JSON it is read in a hundredth of the time
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
  const folders = readdirSync(root).map((name) => join(root, name))
  const packs = folders.filter((folder) => isFile(join(folder, 'course.yml')))
  return Promise.all(packs.sort().map((folder) => loadCourse(folder, cache)))
}

/** Reads file after file: at a start nothing else is to be done, and so it takes a third of the time. */
async function readCourse(folder: string, cache?: string): Promise<Course> {
  const file = join(folder, 'course.yml')
  const { units: unitIds, ...course } = readYaml(file, CourseFile, cache)
  const units = unitIds.map((unitId) => readUnit(join(folder, 'units', unitId), cache))
  for (const [index, unit] of units.entries()) {
    if (unit.unitId === unitIds[index]) continue
    const misnamed = join(folder, 'units', unitIds[index] ?? '', 'unit.yml')
    throw new Error(`${misnamed}: unitId: "${unit.unitId}" is not the name of its folder`)
  }
  const prereqEdges = units.flatMap((unit) =>
    unit.prerequisites.map((prerequisite): [string, string] => [prerequisite, unit.unitId]),
  )
  const pictures = readPictures(join(folder, 'pictures'))
  return {
    ...course,
    units: units.map((unit) => ({
      ...unit,
      lesson: withPicturePaths(unit.lesson, course.courseId, pictures),
    })),
    prereqEdges,
    ...readOptional(join(folder, 'glossary.yml'), 'glossary', Glossary, cache),
    ...(pictures.length > 0 ? { pictures } : {}),
  }
}

/** The SVG files of a folder that need not be there. */
function readPictures(folder: string): Picture[] {
  const files = existsSync(folder) ? readdirSync(folder) : []
  const names = files.filter((name) => name.endsWith('.svg')).sort()
  return names.map((name) => ({ name, svg: readText(join(folder, name)) }))
}

function readUnit(folder: string, cache?: string): Unit {
  return {
    ...readYaml(join(folder, 'unit.yml'), UnitFile, cache),
    ...readYaml(join(folder, 'questions.yml'), QuestionBank, cache),
    ...readYaml(join(folder, 'exams.yml'), ExamBank, cache),
    lesson: readText(join(folder, 'lesson.md')).trim(),
    ...readOptional(join(folder, 'programs.yml'), 'programs', ProgramBank, cache),
  }
}

/** The same under a name; nothing where there is no such file. */
const readOptional = <Name extends string, T>(
  file: string,
  name: Name,
  schema: z.ZodType<T>,
  cache?: string,
): { [K in Name]?: T } =>
  isFile(file) ? ({ [name]: readYaml(file, schema, cache) } as { [K in Name]?: T }) : {}

/** What a file says in its format, from the cache where it was read before; without the cache it is slower, and no worse. */
function readYaml<T>(file: string, schema: z.ZodType<T>, cache?: string): T {
  const source = readText(file)
  if (!cache) return checked(file, schema, source)
  const named = createHash('sha256').update(courseFormat()).update(basename(file)).update(source)
  const kept = join(cache, `${named.digest('hex')}.json`)
  try {
    return JSON.parse(readFileSync(kept, 'utf8')) as T
  } catch {
    // Not read before, or not whole.
  }
  const content = checked(file, schema, source)
  const writing = `${kept}.${process.pid}`
  try {
    mkdirSync(cache, { recursive: true })
    writeFileSync(writing, JSON.stringify(content))
    renameSync(writing, kept)
  } catch {
    // It is read from its source again next time.
  }
  return content
}

function checked<T>(file: string, schema: z.ZodType<T>, source: string): T {
  const result = schema.safeParse(parseYaml(file, source))
  if (result.success) return result.data
  const faults = result.error.issues.map(
    (issue) => `${file}: ${issue.path.join('.') || '(the whole file)'}: ${issue.message}`,
  )
  throw new Error(faults.join('\n'))
}

let format: string | undefined

/** What the format says: files that an earlier one let pass are checked again. */
function courseFormat(): string {
  format ??= FORMAT.map((file) => readText(join(import.meta.dirname, file))).join('\n')
  return format
}

function parseYaml(file: string, source: string): unknown {
  try {
    return parse(source)
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${file}: cannot be read`, { cause: error })
  }
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
