import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'
import type { z } from 'zod'
import type { Course, Unit } from '../contracts/course-pack.ts'
import { CourseFile, ExamBank, QuestionBank, UnitFile } from '../contracts/course-pack.ts'
import { ProgramBank } from '../contracts/course-programs.ts'

const loaded = new Map<string, Promise<Course>>()

/**
 * The course pack in a folder, read once per process.
 * @throws Error that names the file and, for a field that breaks the format, the path to it
 */
export function loadCourse(folder: string): Promise<Course> {
  const path = resolve(folder)
  const known = loaded.get(path)
  if (known) return known
  const course = readCourse(path)
  loaded.set(path, course)
  course.catch(() => loaded.delete(path))
  return course
}

/**
 * Every course pack directly under `root`, by folder name; a folder without `course.yml` is none.
 * @throws Error as `loadCourse` does
 */
export async function loadCourses(root: string): Promise<Course[]> {
  const entries = await readdir(root, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  const packs: string[] = []
  for (const folder of folders.sort()) {
    if (await isFile(join(root, folder, 'course.yml'))) packs.push(join(root, folder))
  }
  return Promise.all(packs.map(loadCourse))
}

async function readCourse(folder: string): Promise<Course> {
  const { units: unitIds, ...course } = await readYaml(join(folder, 'course.yml'), CourseFile)
  const units = await Promise.all(unitIds.map((unitId) => readUnit(join(folder, 'units', unitId))))
  for (const [index, unit] of units.entries()) {
    if (unit.unitId === unitIds[index]) continue
    const file = join(folder, 'units', unitIds[index] ?? '', 'unit.yml')
    throw new Error(`${file}: unitId: "${unit.unitId}" is not the name of its folder`)
  }
  const prereqEdges = units.flatMap((unit) =>
    unit.prerequisites.map((prerequisite): [string, string] => [prerequisite, unit.unitId]),
  )
  return { ...course, units, prereqEdges }
}

async function readUnit(folder: string): Promise<Unit> {
  const programsFile = join(folder, 'programs.yml')
  const [unit, bank, exams, lesson, programs] = await Promise.all([
    readYaml(join(folder, 'unit.yml'), UnitFile),
    readYaml(join(folder, 'questions.yml'), QuestionBank),
    readYaml(join(folder, 'exams.yml'), ExamBank),
    readText(join(folder, 'lesson.md')),
    isFile(programsFile).then((exists) => (exists ? readYaml(programsFile, ProgramBank) : null)),
  ])
  return { ...unit, ...bank, ...exams, lesson: lesson.trim(), ...(programs ? { programs } : {}) }
}

async function readYaml<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  const source = await readText(file)
  const result = schema.safeParse(parseYaml(file, source))
  if (result.success) return result.data
  const faults = result.error.issues.map(
    (issue) => `${file}: ${issue.path.join('.') || '(the whole file)'}: ${issue.message}`,
  )
  throw new Error(faults.join('\n'))
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
