import type { Course } from '../contracts/course-pack.ts'
import { matchTopic } from './match.ts'

/** The course that teaches; null where a model teaches the topic freely. */
export interface CourseChoice {
  courseId: string | null
  goal: string | null
  /** The units that are the goal; empty when the whole course is. */
  goalUnitIds: string[]
}

/** No installed course covers the topic, and no model is there to teach it. */
export class TopicNotCovered extends Error {
  readonly offered: { courseId: string; title: string }[]

  constructor(topic: string, courses: readonly Course[]) {
    const names = courses.map(({ title }) => title).join(', ')
    super(
      `No language model is connected, and no installed course covers “${topic}”. Installed: ${names}.`,
    )
    this.name = 'TopicNotCovered'
    this.offered = courses.map(({ courseId, title }) => ({ courseId, title }))
  }
}

/** The course of this id, with the units its goal names; null for an unknown course. */
export function courseNamed(
  courseId: string,
  goal: string | null,
  courses: readonly Course[],
): CourseChoice | null {
  const course = courses.find((one) => one.courseId === courseId)
  return course ? { courseId, goal, goalUnitIds: unitsFor(goal, course) } : null
}

/**
 * The course that a topic names, by its id or title or by the titles of its units; null where it names none. Likeness is
 * not enough: with a model there is another tutor for the topic.
 */
export function courseByName(
  topic: string,
  goal: string | null,
  courses: readonly Course[],
): CourseChoice | null {
  const named = folded(topic)
  for (const course of courses) {
    const { courseId, title, units } = course
    if ([courseId, title].map(folded).includes(named)) return courseNamed(courseId, goal, courses)
    const unitIds = unitsByTitle(named, units)
    if (unitIds.length > 0) return { courseId, goal: goal ?? topic, goalUnitIds: unitIds }
  }
  return null
}

const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The units whose titles a text consists of; none where something else stands in it. */
function unitsByTitle(named: string, units: Course['units']): string[] {
  let rest = ` ${named} `
  const byLength = units
    .map(({ unitId, title }) => ({ unitId, title: folded(title) }))
    .sort((a, b) => b.title.length - a.title.length)
  const found = byLength.filter(({ title }) => {
    const before = rest
    rest = rest.replace(` ${title} `, '  ')
    return rest !== before
  })
  const isAll = rest.replace(/ (?:and|und) /g, ' ').trim() === ''
  if (!isAll) return []
  return units.flatMap(({ unitId }) => (found.some((one) => one.unitId === unitId) ? unitId : []))
}

/**
 * Who plans a topic, and for which goal: the model where there is one, else the course that covers the topic. A topic
 * that names units of a course has them for its goal.
 * @throws {TopicNotCovered} offline, when no course does
 */
export function courseFor(
  topic: string,
  goal: string | null,
  courses: readonly Course[],
  offline: boolean,
): CourseChoice {
  if (!offline) return { courseId: null, goal, goalUnitIds: [] }
  const match = matchTopic(topic, courses)
  if (!match) throw new TopicNotCovered(topic, courses)
  const { course, unitIds } = match
  const namesUnits = unitIds.length > 0
  return {
    courseId: course.courseId,
    goal: goal ?? (namesUnits ? topic : null),
    goalUnitIds: namesUnits ? unitIds : unitsFor(goal, course),
  }
}

/** The course that a topic would be taught from, with the units that are its goal; null where none is. */
export function courseForTopic(
  topic: string,
  goal: string | null,
  courses: readonly Course[],
  offline: boolean,
): CourseChoice | null {
  const named = courseByName(topic, goal, courses)
  if (named) return named
  try {
    return courseFor(topic, goal, courses, offline)
  } catch (error) {
    if (error instanceof TopicNotCovered) return null
    throw error
  }
}

const unitsFor = (goal: string | null, course: Course): string[] =>
  (goal === null ? null : matchTopic(goal, [course]))?.unitIds ?? []
