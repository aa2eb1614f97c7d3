import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Config } from '../../config.ts'
import type { Course } from '../../contracts/course-pack.ts'
import type { LoadedCourse } from '../../domain/course/state.ts'
import type { ExamAuthority } from '../../exams/exam-authority.ts'
import { createHttpAuthority } from '../../exams/http-authority.ts'
import { ingestCourses } from '../../retrieval/course-files.ts'
import type { Db } from '../../store/database.ts'
import { installationKey } from '../../store/installation-keys.ts'
import type { EntityToWake } from '../../store/spine/entities.ts'
import type { Mind } from '../../tutor/mind.ts'
import { createOfflineMind } from '../../tutor/offline/offline-mind.ts'
import { createDrillSealer, type DrillSealer } from '../../tutor/steps/course/drill-token.ts'
import type { Awaited } from '../agenda/seen.ts'

export interface CourseDependencies {
  db: Db
  courses: readonly Course[]
  mind: Mind
  /** Null: the built-in one, which answers in the transaction of the decision. */
  exams: ExamAuthority | null
  sealer: DrillSealer
  dayMs: number
  log: Pick<Logger, 'error'>
}

/** A course with the open arc that teaches it, if the student has one. */
export interface CourseWithArc extends LoadedCourse {
  arc: EntityToWake | null
  /** The student, as their agenda knows them. */
  awaited: Awaited
}

/** The settings of the course tutor, from the environment. */
export interface CourseSettings {
  examApiUrl: string | null
  /** Keys that seal drills, the first in use; none: one of the server's own, kept in the database. */
  encryptionKeys: string[]
}

function courseSettings(env: NodeJS.ProcessEnv = process.env): CourseSettings {
  const keys = (env.MENO_ENCRYPTION_KEYS ?? '').split(',').map((key) => key.trim())
  return { examApiUrl: env.EXAM_API_URL || null, encryptionKeys: keys.filter((key) => key !== '') }
}

/** All the course tutor needs, the courses taken into the search. `mind` is the model's, where one is connected. */
export async function courseDependencies(parts: {
  db: Db
  courses: readonly Course[]
  config: Pick<Config, 'coursesFolder' | 'dayMs'>
  log: CourseDependencies['log']
  mind: Mind | null
  settings?: CourseSettings
}): Promise<CourseDependencies> {
  const { db, courses, config, log, settings = courseSettings() } = parts
  const { coursesFolder, dayMs } = config
  const warn = (problem: string) => process.emitWarning(problem)
  await ingestCourses(db, courses, coursesFolder, { warn })
  const [first, ...others] = settings.encryptionKeys
  const make = () => ({ secret: randomBytes(32).toString('base64') })
  const secret = first ?? (await installationKey(db, 'course-drills', make)).secret
  const { examApiUrl } = settings
  const mind = parts.mind ?? createOfflineMind()
  const exams = examApiUrl === null ? null : createHttpAuthority(examApiUrl)
  const sealer = createDrillSealer([secret, ...others])
  return { db, courses, mind, exams, sealer, dayMs, log }
}
