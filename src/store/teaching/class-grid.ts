import type { Course } from '../../contracts/course-pack.ts'
import type { ClassGrid } from '../../contracts/teaching.ts'
import { byNeed, needOf } from '../../domain/teaching/need.ts'
import type { DbOrTrx } from '../database.ts'
import { readMistakes } from './mistakes.ts'
import { type PupilRow, readPupils } from './pupils.ts'
import { readTopics, strugglingOf, type Topic } from './standings.ts'

/**
 * How a class stands in a course, by its key; without one, in the course that most of them learn. Null where there is no
 * such class.
 */
export async function readClassGrid(
  db: DbOrTrx,
  classId: string,
  wanted: string | undefined,
  courses: readonly Course[],
  now: number,
): Promise<ClassGrid | null> {
  const found = await db
    .selectFrom('classes')
    .select(['id', 'title'])
    .where('id', '=', classId)
    .executeTakeFirst()
  if (!found) return null
  const members = await db
    .selectFrom('class_students')
    .select('student_id')
    .where('class_id', '=', classId)
    .execute()
  const pupils = await readPupils(
    db,
    members.map(({ student_id }) => student_id),
  )
  const [topics, mistakes] = await Promise.all([
    readTopics(
      db,
      pupils.flatMap(({ learnerId }) => learnerId ?? []),
      courses,
    ),
    readMistakes(db, pupils, courses),
  ])
  const learnt = coursesOf(topics)
  const course = learnt.find(({ key }) => key === wanted) ?? learnt[0] ?? null
  const shown = topics.filter((topic) => topic.course.key === course?.key)
  const concepts = course ? conceptsOf(shown, course.key, courses) : []
  return {
    ...found,
    courses: learnt,
    course: course?.key ?? null,
    concepts,
    pupils: rowsOf(pupils, strugglingOf(topics), now).map(({ pupil, ...row }) => ({
      ...row,
      standings: concepts.map(({ id }) => standingOf(shown, pupil, id)),
    })),
    mistakes,
  }
}

/** The pupils in the order in which help is needed. */
function rowsOf(pupils: readonly PupilRow[], struggling: Map<string, number>, now: number) {
  const standings = pupils.map((pupil) => ({
    pupil,
    name: pupil.name,
    isStuck: pupil.stuckAt !== null,
    struggling: pupil.learnerId ? (struggling.get(pupil.learnerId) ?? 0) : 0,
    lastActiveAt: pupil.lastActiveAt,
  }))
  return byNeed(standings, now).map((standing) => ({
    pupil: standing.pupil,
    id: standing.pupil.id,
    name: standing.name,
    need: needOf(standing, now),
    struggling: standing.struggling,
    stuckAt: standing.pupil.stuckAt,
    lastActiveAt: standing.lastActiveAt ? new Date(standing.lastActiveAt).toISOString() : null,
  }))
}

/** What is learnt, by how many, the most first. */
function coursesOf(topics: readonly Topic[]): ClassGrid['courses'] {
  const learners = new Map<string, { title: string; ids: Set<string> }>()
  for (const { course, learnerId } of topics) {
    const known = learners.get(course.key) ?? { title: course.title, ids: new Set() }
    known.ids.add(learnerId)
    learners.set(course.key, known)
  }
  return [...learners]
    .map(([key, { title, ids }]) => ({ key, title, pupils: ids.size }))
    .sort((a, b) => b.pupils - a.pupils || a.title.localeCompare(b.title))
}

/** The concepts of those topics: of a course in its order, else in the order of the maps. */
function conceptsOf(topics: readonly Topic[], course: string, courses: readonly Course[]) {
  const labels = new Map<string, string>()
  for (const { concepts } of topics) {
    for (const { key, label } of concepts) if (!labels.has(key)) labels.set(key, label)
  }
  const units = courses.find(({ courseId }) => courseId === course)?.units ?? []
  const inOrder = units.map(({ unitId }) => unitId).filter((id) => labels.has(id))
  const others = [...labels.keys()].filter((key) => !inOrder.includes(key))
  return [...inOrder, ...others].map((id) => ({ id, label: labels.get(id) ?? id }))
}

/** Where a pupil has a concept in two topics, the one that was begun last counts. */
function standingOf(topics: readonly Topic[], { learnerId }: PupilRow, key: string) {
  for (const topic of topics) {
    if (topic.learnerId !== learnerId) continue
    const found = topic.concepts.find((concept) => concept.key === key)
    if (found) {
      const { status, score, isStruggling } = found
      return { status, score, isStruggling }
    }
  }
  return null
}
