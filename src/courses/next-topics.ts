import type { Course } from '../contracts/course-pack.ts'

/** Something to learn next: a unit, or a whole course. */
export interface NextTopic {
  kind: 'unit' | 'course'
  topic: string
  courseId: string
  minutes: number
}

/** What a learner has behind them: the course and the units of the topic that ends, and the courses begun before. */
export interface Behind {
  courseId: string | null
  /** The units of the topic's map, learned or not. */
  unitIds: ReadonlySet<string>
  /** Those of them that count as known. */
  known: ReadonlySet<string>
  begunCourseIds: ReadonlySet<string>
}

/**
 * What the installed courses have for afterwards: of the same course the first unit that the map had not and whose
 * prerequisites are known, then the courses that were never begun.
 */
export function nextTopics(courses: readonly Course[], behind: Behind): NextTopic[] {
  const course = courses.find(({ courseId }) => courseId === behind.courseId)
  const unit = course?.units.find(
    ({ unitId, prerequisites }) =>
      !behind.unitIds.has(unitId) && prerequisites.every((id) => behind.known.has(id)),
  )
  const others = courses.filter(
    ({ courseId }) => courseId !== behind.courseId && !behind.begunCourseIds.has(courseId),
  )
  return [
    ...(course && unit
      ? [
          {
            kind: 'unit' as const,
            topic: unit.title,
            courseId: course.courseId,
            minutes: unit.effortMinutes,
          },
        ]
      : []),
    ...others.map(({ courseId, title, units }) => ({
      kind: 'course' as const,
      topic: title,
      courseId,
      minutes: units.reduce((total, { effortMinutes }) => total + effortMinutes, 0),
    })),
  ]
}
