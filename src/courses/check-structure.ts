import type { Course } from '../contracts/course-pack.ts'
import { descendants, findCycles, graphFrom, longestDepths } from '../domain/mind-map/graph.ts'
import { labelKey } from '../domain/mind-map/label.ts'
import { MAP_LIMITS } from '../domain/mind-map/validation.ts'

/** What is wrong with the ids, titles and prerequisites of a course, in words. */
export function checkStructure(course: Course): string[] {
  return [
    ...checkIds(course),
    ...checkTitles(course),
    ...checkPrerequisites(course),
    ...checkGlossary(course),
  ]
}

function checkIds(course: Course): string[] {
  const ids = course.units.flatMap((unit) => [
    unit.unitId,
    ...[...unit.questions, ...unit.templates].map((question) => question.id),
    ...unit.exams.map((exam) => exam.questionId),
  ])
  const misnamed = course.units.flatMap((unit) => [
    ...unit.questions.filter(({ id }) => !id.startsWith(`${unit.unitId}-Q`)),
    ...unit.templates.filter(({ id }) => !id.startsWith(`${unit.unitId}-T`)),
    ...unit.exams
      .map(({ questionId }) => ({ id: questionId }))
      .filter(({ id }) => !id.startsWith(`EX-${unit.unitId}-`)),
  ])
  return [
    ...repeated(ids).map((id) => `${id}: the id is used more than once`),
    ...misnamed.map(({ id }) => `${id}: the id does not begin as its unit's ids do`),
  ]
}

function checkTitles(course: Course): string[] {
  const titles = course.units.map((unit) => labelKey(unit.title))
  return repeated(titles).map((title) => `${course.courseId}: two units are called "${title}"`)
}

/** A term belongs to a unit of the course, and each word stands for one thing. */
function checkGlossary({ courseId, units, glossary = [] }: Course): string[] {
  const ids = new Set(units.map(({ unitId }) => unitId))
  const words = glossary.flatMap(({ term, also }) => [term, ...also].map(labelKey))
  return [
    ...glossary
      .filter(({ unit }) => !ids.has(unit))
      .map(
        ({ term, unit }) => `${courseId}: "${term}" is of the unit ${unit}, which does not exist`,
      ),
    ...repeated(words).map((word) => `${courseId}: the glossary has "${word}" more than once`),
  ]
}

function checkPrerequisites(course: Course): string[] {
  const ids = course.units.map((unit) => unit.unitId)
  const unknown = course.prereqEdges.filter(([prerequisite]) => !ids.includes(prerequisite))
  const problems = unknown.map(([from, to]) => `${to}: the prerequisite ${from} does not exist`)
  if (!ids.includes(course.entryUnitId)) {
    return [...problems, `${course.courseId}: the entry unit ${course.entryUnitId} does not exist`]
  }
  const graph = graphFrom(ids, course.prereqEdges)
  const reached = descendants(graph, [course.entryUnitId])
  const depths = longestDepths(graph)
  const cycles = findCycles(graph).map((cycle) => cycle.join(' → '))
  return [
    ...problems,
    ...cycles.map((cycle) => `${course.courseId}: prerequisites in a circle, ${cycle}`),
    ...ids
      .filter((id) => !reached.has(id))
      .map((id) => `${id}: no prerequisites lead here from ${course.entryUnitId}`),
    ...ids
      .filter((id) => (depths.get(id) ?? 0) > MAP_LIMITS.maxDepth)
      .map(
        (id) =>
          `${id}: ${depths.get(id)} prerequisites deep, at most ${MAP_LIMITS.maxDepth} are allowed`,
      ),
    ...((graph.parents.get(course.entryUnitId) ?? []).length > 0
      ? [`${course.entryUnitId}: the entry unit has prerequisites`]
      : []),
  ]
}

/** Each value that occurs more than once, once. */
export function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))]
}
