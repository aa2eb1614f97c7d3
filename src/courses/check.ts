import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Course } from '../contracts/course-pack.ts'
import { checkExams } from './check-exams.ts'
import { checkPictures } from './check-pictures.ts'
import { checkPlots } from './check-plots.ts'
import { checkPrograms } from './check-programs.ts'
import { checkPython } from './check-python.ts'
import { checkQuestions } from './check-questions.ts'
import { checkRendering } from './check-rendering.ts'
import { adviseCourse } from './check-richness.ts'
import { checkStructure } from './check-structure.ts'
import { loadCourses } from './load.ts'

/**
 * Everything that is wrong with a course beyond its format, one sentence each, led by the id of
 * what is at fault: structure, questions, templates (by 60 seeded draws), exams, pictures, programs, formulas.
 */
export async function checkCourse(course: Course): Promise<string[]> {
  return [
    ...checkStructure(course),
    ...course.units.flatMap((unit) => [
      ...checkQuestions(unit),
      ...checkExams(unit),
      ...checkPlots(unit),
    ]),
    ...checkPictures(course),
    ...checkPython(course),
    ...(await checkRendering(course)),
    ...(await checkPrograms(course)),
  ]
}

async function report(root: string): Promise<boolean> {
  const courses = await loadCourses(root)
  let sound = courses.length > 0
  if (!sound) console.error(`${root}: no course here`)
  for (const course of courses) {
    console.log(`${course.courseId}: ${summary(course)}`)
    const problems = await checkCourse(course)
    for (const problem of problems) console.error(`  ${problem}`)
    if (problems.length === 0) {
      for (const advice of adviseCourse(course)) console.warn(`  to be richer: ${advice}`)
    }
    sound &&= problems.length === 0
  }
  return sound
}

function summary({ units }: Course): string {
  const count = (list: (unit: Course['units'][number]) => unknown[]) =>
    units.reduce((sum, unit) => sum + list(unit).length, 0)
  const questions = count((unit) => unit.questions)
  const templates = count((unit) => unit.templates)
  const exams = count((unit) => unit.exams)
  const programs = count((unit) => unit.programs ?? [])
  return `${units.length} units, ${questions} questions, ${templates} templates, ${programs} programs, ${exams} exam questions`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(process.argv[2] ?? 'courses')
  try {
    if (!(await report(root))) process.exitCode = 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}
