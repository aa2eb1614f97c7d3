import { resolve } from 'node:path'
import pino from 'pino'
import { agendaProduct } from '../../src/activities/agenda/product.ts'
import {
  type CourseDependencies,
  courseDependencies,
} from '../../src/activities/course/dependencies.ts'
import { courseProduct } from '../../src/activities/course/product.ts'
import { createApp } from '../../src/api/app.ts'
import type { Api } from '../../src/api/http/environment.ts'
import type { Dependencies } from '../../src/commands/context.ts'
import { wakeEntity } from '../../src/commands/wake.ts'
import { readConfig } from '../../src/config.ts'
import type { Course } from '../../src/contracts/course-pack.ts'
import type {
  ClientEvent,
  DrillGradeResponse,
  McqSubmitResponse,
  SupportViewedResponse,
  TurnResponse,
  TutorCard,
} from '../../src/contracts/course-tutor.ts'
import { loadCourses } from '../../src/courses/load.ts'
import type { Evidence } from '../../src/domain/course/snapshot/evidence.ts'
import type { Db } from '../../src/store/database.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import type { EntityToWake } from '../../src/store/spine/entities.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import type { FreshDatabase } from './database.ts'
import { type House, openHouse, type Servers } from './house.ts'
import { spineCrew } from './spine-crew.ts'

/** What a test may break. */
interface Faults {
  /** Called after a decision was written and before the workflow hears of it; may throw. */
  afterCommit: (() => void) | null
  /** Faults of ours, so far. */
  faults: number
}

export interface CourseWorld extends House, Faults {
  readonly own: FreshDatabase
  readonly api: Api
  readonly courses: Course[]
  readonly learnerId: string
  /** What the activities work with; a test may put another mind or exam authority in its place. */
  readonly parts: CourseDependencies
  wake(entity: EntityToWake): Promise<void>
}

export interface CourseWorldOptions {
  /** The servers of the test run, unless told. */
  servers?: Servers
  dayMs?: number
  /** Where an exam authority outside answers; the built-in one where there is none. */
  examApiUrl?: string | null
}

/**
 * A Temporal server, a database, a worker with the course tutor's activities, and the whole API. The server skips time,
 * or is the development server with a namespace of its own: only that one lets workers come and go.
 */
export async function createCourseWorld(
  server: 'skipping' | 'development' = 'skipping',
  mind: Mind | null = null,
  { servers, dayMs = 86_400_000, examApiUrl = null }: CourseWorldOptions = {},
): Promise<CourseWorld> {
  const coursesFolder = resolve('courses')
  const courses = await loadCourses(coursesFolder)
  const settings = { examApiUrl, encryptionKeys: [] }
  const faults: Faults = { afterCommit: null, faults: 0 }
  let parts: CourseDependencies | null = null
  const crew = async (house: House) => {
    const config = { coursesFolder, dayMs }
    parts ??= await courseDependencies({ db: house.db, courses, config, settings, mind, log })
    const pageUrl = 'http://localhost:3000'
    const agenda = agendaProduct({ db: house.db, channels: [], courses, mind, pageUrl, dayMs })
    return spineCrew(house, [courseProduct(parts), agenda], {
      afterCommit: (by) => by === 'advance' && faults.afterCommit?.(),
      onFault: () => {
        faults.faults += 1
      },
    })
  }
  const house = await openHouse({ server, crew, ...(servers ? { servers } : {}) })
  const learner = await ensureLearner(house.db, 'me')
  const dependencies = dependenciesOf(house, courses)
  return Object.assign(faults, {
    ...house,
    own: house.database,
    courses,
    parts: parts as unknown as CourseDependencies,
    learnerId: learner.id,
    wake: dependencies.wake,
    api: createApp(dependencies),
  })
}

const log = pino({ level: 'silent' })

function dependenciesOf({ db, env, hub }: House, courses: Course[]): Dependencies {
  const config = readConfig({ MENO_AUTH: 'local' })
  const wake: Dependencies['wake'] = (entity) => wakeEntity(env.client, entity)
  return { config, db, temporal: env.client, events: hub, wake, courses, log }
}

export interface Answer<T> {
  status: number
  body: T & { detail?: string }
  headers: Headers
}

/** A student at the screen of one thread. */
export interface Student {
  threadId: string
  post<T>(path: string, body: object, headers?: Record<string, string>): Promise<Answer<T>>
  get<T>(path: string): Promise<Answer<T>>
  say(messageText: string): Promise<Answer<TurnResponse>>
  press(clientEvent: ClientEvent): Promise<Answer<TurnResponse>>
  grade(card: DrillCard, studentAnswer: string): Promise<Answer<DrillGradeResponse>>
  submit(card: ExamCard, selectedOptionId: string): Promise<Answer<McqSubmitResponse>>
  view(card: ExamCard, supportType?: 'memo' | 'video'): Promise<Answer<SupportViewedResponse>>
}
export type DrillCard = Extract<TutorCard, { type: 'DRILL' }>
export type ExamCard = Extract<TutorCard, { type: 'EXAM' }>

/** Opens a thread and sits down in front of it. */
export async function newStudent(api: Api, courseId = 'algebra-basics'): Promise<Student> {
  const call = async <T>(path: string, init: RequestInit = {}): Promise<Answer<T>> => {
    const response = await api.request(path, init)
    const body = (await response.json()) as Answer<T>['body']
    return { status: response.status, body, headers: response.headers }
  }
  const postTo = <T>(path: string, body: object, headers: Record<string, string> = {}) =>
    call<T>(path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const { body } = await postTo<{ threadId: string }>('/api/tutor/threads', { courseId })
  const { threadId } = body
  const under = (path: string) => `/api/tutor/threads/${threadId}${path && `/${path}`}`
  const student: Student = {
    threadId,
    post: (path, sent, headers) => postTo(under(path), sent, headers),
    get: (path) => call(under(path)),
    say: (messageText) => student.post('turn', { courseId, messageText }),
    press: (clientEvent) => student.post('turn', { courseId, clientEvent }),
    grade: ({ unitId, prompt, questionLatex, token }, studentAnswer) =>
      student.post('drill/grade', {
        courseId,
        unitId,
        drill: { prompt, question_latex: questionLatex, token },
        studentAnswer,
      }),
    submit: ({ questionId }, selectedOptionId) =>
      student.post('exam/mcq-submit', { courseId, questionId, selectedOptionId }),
    view: ({ questionId }, supportType = 'memo') =>
      student.post('exam/support-viewed', { courseId, questionId, supportType }),
  }
  return student
}

/** The card of a turn's last message, which has to be of that type. */
export function cardOf<T extends TutorCard['type']>(
  turn: Answer<TurnResponse>,
  type: T,
): Extract<TutorCard, { type: T }> {
  const card = turn.body.messages?.at(-1)?.card
  if (card?.type !== type) {
    throw new Error(`no ${type} card but ${JSON.stringify(turn.body, null, 1).slice(0, 2_000)}`)
  }
  return card as Extract<TutorCard, { type: T }>
}

/** The right answer of a drill, read with the server's own key. */
export function rightAnswer({ parts }: CourseWorld, card: DrillCard): string {
  const drill = parts.sealer.open(card.token)
  if (!drill) throw new Error('the token does not open')
  return drill.expectedAnswer
}

/** The option of an exam question that is right, or one that is wrong. */
export function optionOf({ courses }: CourseWorld, card: ExamCard, right: boolean): string {
  const exams = courses.flatMap((course) => course.units.flatMap(({ exams: all }) => all))
  const exam = exams.find(
    ({ questionId, questionLatex }) =>
      questionId === card.questionId && questionLatex === card.questionLatex,
  )
  const option = exam?.options.find(({ id }) => (id === exam.correct) === right)
  if (!option) throw new Error(`no such question ${card.questionId}`)
  return option.id
}

/** A student's evidence in a course, in the order it came in. */
export async function readEvidence(
  db: Db,
  learnerId: string,
  courseId: string,
): Promise<Evidence[]> {
  const rows = await db
    .selectFrom('course_evidence')
    .select('data')
    .where('learner_id', '=', learnerId)
    .where('course_id', '=', courseId)
    .orderBy('position')
    .execute()
  return rows.map(({ data }) => data)
}
