import { randomBytes } from 'node:crypto'
import type { CourseDependencies } from './activities/course-dependencies.ts'
import { createCourseTutorActivities } from './activities/course-tutor.ts'
import type { Config } from './config.ts'
import type { Course } from './contracts/course-pack.ts'
import { createBuiltInAuthority } from './exams/built-in-authority.ts'
import { createHttpAuthority } from './exams/http-authority.ts'
import { ingestCourses } from './retrieval/course-files.ts'
import { serverKey } from './store/course-records.ts'
import type { Db } from './store/database.ts'
import type { Mind } from './tutor/mind.ts'
import { createOfflineMind } from './tutor/offline/offline-mind.ts'
import { createDrillSealer } from './tutor/steps/course/drill-token.ts'

/** The settings of the course tutor, from the environment. */
export interface CourseSettings {
  examApiUrl: string | null
  /** Keys that seal drills, the first in use; none: one of the server's own, kept in the database. */
  encryptionKeys: string[]
}

export function courseSettings(env: NodeJS.ProcessEnv = process.env): CourseSettings {
  const keys = (env.MENO_ENCRYPTION_KEYS ?? '').split(',').map((key) => key.trim())
  return { examApiUrl: env.EXAM_API_URL || null, encryptionKeys: keys.filter((key) => key !== '') }
}

/** The activities of the course tutor as the settings want them. */
export async function courseTutorActivities(
  { coursesFolder, dayMs }: Pick<Config, 'coursesFolder' | 'dayMs'>,
  mind: Mind | null,
  db: Db,
  courses: readonly Course[],
): Promise<ReturnType<typeof createCourseTutorActivities>> {
  return createCourseTutorActivities(
    await courseDependencies({ db, courses, coursesFolder, dayMs, mind }),
  )
}

/** All the course tutor needs, the courses taken into the search. `mind` is the model's, where one is connected. */
export async function courseDependencies(parts: {
  db: Db
  courses: readonly Course[]
  coursesFolder: string
  dayMs: number
  mind?: Mind | null
  settings?: CourseSettings
}): Promise<CourseDependencies> {
  const { db, courses, dayMs, settings = courseSettings() } = parts
  const warn = (problem: string) => process.emitWarning(problem)
  await ingestCourses(db, courses, parts.coursesFolder, { warn })
  const make = () => randomBytes(32).toString('base64')
  const [first, ...others] = settings.encryptionKeys
  const secret = first ?? (await serverKey(db, 'course-drills', make))
  const { examApiUrl } = settings
  return {
    db,
    courses,
    dayMs,
    mind: parts.mind ?? createOfflineMind(),
    exams:
      examApiUrl === null ? createBuiltInAuthority(db, dayMs) : createHttpAuthority(examApiUrl),
    sealer: createDrillSealer([secret, ...others]),
  }
}
