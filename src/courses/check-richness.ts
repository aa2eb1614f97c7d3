import type { Course, Unit } from '../contracts/course-pack.ts'
import { drawQuestion } from './templates.ts'

const DIFFICULTIES = ['easy', 'medium', 'hard'] as const
const KINDS = ['word_problem', 'find_mistake'] as const
const TEMPLATES = 8
const TEMPLATES_PER_DIFFICULTY = 2
const DISTINCT_PER_DIFFICULTY = 200
const DRAWS = 1_000

/**
 * What a course lacks for a learner who needs many questions, in words; none of it keeps it from being used: eight
 * templates a unit, two of each difficulty, a word problem and a mistake to find, and 200 different questions of each
 * difficulty; a second worked example and one whose last step is open.
 */
export function adviseCourse(course: Course): string[] {
  return course.units.flatMap((unit) =>
    [...templateAdvice(unit), ...exampleAdvice(unit)].map((advice) => `${unit.unitId}: ${advice}`),
  )
}

function templateAdvice({ templates }: Unit): string[] {
  const advice: string[] = []
  if (templates.length < TEMPLATES) {
    advice.push(`${templates.length} templates, ${TEMPLATES} carry a learner who comes back`)
  }
  for (const kind of KINDS) {
    if (!templates.some((template) => template.kind === kind)) {
      advice.push(`no template of the kind ${kind}`)
    }
  }
  for (const difficulty of DIFFICULTIES) {
    const own = templates.filter((template) => template.difficulty === difficulty)
    if (own.length < TEMPLATES_PER_DIFFICULTY) {
      advice.push(`${own.length} ${difficulty} templates, ${TEMPLATES_PER_DIFFICULTY} are wanted`)
    }
    const distinct = distinctTexts(own)
    if (distinct < DISTINCT_PER_DIFFICULTY) {
      advice.push(
        `the ${difficulty} templates make ${distinct} different questions, ${DISTINCT_PER_DIFFICULTY} are wanted`,
      )
    }
  }
  return advice
}

function exampleAdvice({ workedExamples, fadedExample }: Unit): string[] {
  return [
    ...(workedExamples.length === 0 ? ['no second worked example'] : []),
    ...(fadedExample ? [] : ['no example whose last step is open']),
  ]
}

/** How many different questions the templates make, counted no further than is wanted. */
function distinctTexts(templates: Unit['templates']): number {
  const texts = new Set<string>()
  for (let seed = 1; seed <= DRAWS; seed++) {
    for (const template of templates) texts.add(drawQuestion(template, seed).text)
    if (texts.size >= DISTINCT_PER_DIFFICULTY) break
  }
  return texts.size
}
