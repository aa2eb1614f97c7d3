import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { Worker } from '@temporalio/worker'
import pino from 'pino'
import { inject } from 'vitest'
import type { CourseDependencies } from '../../src/activities/course-dependencies.ts'
import { createCourseTutorActivities } from '../../src/activities/course-tutor.ts'
import { createApp } from '../../src/api/app.ts'
import type { Api } from '../../src/api/environment.ts'
import type { Dependencies } from '../../src/commands/context.ts'
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
import { LLM_TASK_QUEUE, TASK_QUEUE } from '../../src/contracts/temporal.ts'
import { courseDependencies } from '../../src/course-setup.ts'
import { loadCourses } from '../../src/courses/load.ts'
import { EventHub } from '../../src/store/event-hub.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { loadTemporalDevConfig } from '../../src/temporal-dev-config.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import { type OwnDatabase, ownDatabase } from '../store/course-database.ts'
import { quietRuntime } from './arc-world.ts'
import { type Servers, serversOfRun } from './practice-world.ts'

export interface CourseWorld {
  readonly env: TestWorkflowEnvironment
  readonly own: OwnDatabase
  readonly api: Api
  readonly courses: Course[]
  readonly learnerId: string
  /** What the activities work with; a test may put another mind or exam authority in its place. */
  readonly parts: CourseDependencies
  /** Called after a request's commit was written and before the workflow hears of it; may throw. */
  afterCommit: ((requestId: string) => void) | null
  workersDown(): Promise<void>
  workersUp(): Promise<void>
  stop(): Promise<void>
}

export interface CourseWorldOptions {
  /** The servers of the test run, unless told. */
  servers?: Servers
  dayMs?: number
}

/**
 * A Temporal server, a database, a worker with the course tutor's activities, and the whole API. The server skips time,
 * or is the development server with a namespace of its own: only that one lets workers come and go.
 */
export async function createCourseWorld(
  server: 'skipping' | 'development' = 'skipping',
  mind: Mind | null = null,
  { servers = serversOfRun(), dayMs = 86_400_000 }: CourseWorldOptions = {},
): Promise<CourseWorld> {
  quietRuntime()
  const [env, own, courses] = await Promise.all([
    server === 'skipping' ? skippingServer() : developmentServer(servers.temporalAddress),
    ownDatabase(servers.postgresUrl),
    loadCourses(resolve('courses')),
  ])
  const { db } = own
  const settings = { examApiUrl: null, encryptionKeys: [] }
  const coursesFolder = resolve('courses')
  const parts = await courseDependencies({
    db,
    courses,
    coursesFolder,
    dayMs,
    settings,
    mind,
  })
  const learner = await ensureLearner(db, 'me')
  const hub = new EventHub(own.url)
  await hub.start()
  let workers: Worker[] = []
  let running: Promise<void>[] = []
  const world: CourseWorld = {
    env,
    own,
    courses,
    parts,
    learnerId: learner.id,
    api: createApp(dependenciesOf(env, own, hub, courses)),
    afterCommit: null,
    async workersUp() {
      workers = await createWorkers(world, servers.workflowBundlePath)
      running = workers.map((worker) => worker.run())
    },
    async workersDown() {
      for (const worker of workers) worker.shutdown()
      await Promise.all(running)
      workers = []
      running = []
    },
    async stop() {
      await world.workersDown()
      await hub.stop()
      await env.teardown()
      await own.close()
    },
  }
  await world.workersUp()
  return world
}

function dependenciesOf(
  env: TestWorkflowEnvironment,
  own: OwnDatabase,
  hub: EventHub,
  courses: Course[],
) {
  const config = readConfig({ MENO_AUTH: 'local' })
  const log = pino({ level: 'silent' })
  return { config, db: own.db, temporal: env.client, hub, courses, log } as Dependencies
}

async function createWorkers(world: CourseWorld, codePath: string): Promise<Worker[]> {
  const { store, model } = createCourseTutorActivities(world.parts)
  const shared = {
    connection: world.env.nativeConnection,
    namespace: world.env.client.options.namespace,
    stickyQueueScheduleToStartTimeout: '1s',
  } as const
  return Promise.all([
    Worker.create({
      ...shared,
      taskQueue: TASK_QUEUE,
      workflowBundle: { codePath },
      activities: {
        ...store,
        async commitRequest(request: Parameters<typeof store.commitRequest>[0]) {
          const outcome = await store.commitRequest(request)
          world.afterCommit?.(request.requestId)
          return outcome
        },
      },
    }),
    Worker.create({ ...shared, taskQueue: LLM_TASK_QUEUE, activities: { ...model } }),
  ])
}

/** The SDK gives it five seconds to come up, which a busy machine may not have. */
async function skippingServer(tries = 4): Promise<TestWorkflowEnvironment> {
  const executable = { type: 'existing-path' as const, path: inject('testServerPath') }
  const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } }).catch(
    (error) => (tries > 1 ? null : Promise.reject(error)),
  )
  if (env === null) return skippingServer(tries - 1)
  await addSearchAttributes(env, 'default')
  return env
}

async function developmentServer(address: string): Promise<TestWorkflowEnvironment> {
  const namespace = `course-${randomUUID()}`
  const env = await TestWorkflowEnvironment.createFromExistingServer({ address, namespace })
  await env.connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  })
  for (let tries = 1; ; tries += 1) {
    try {
      await addSearchAttributes(env, namespace)
      return env
    } catch (error) {
      if (tries === 40) throw error
      await sleep(250)
    }
  }
}

/** The numbers are the wire's. */
async function addSearchAttributes({ connection }: TestWorkflowEnvironment, namespace: string) {
  const number = { Keyword: 2, Double: 4, Datetime: 6 } as Record<string, number>
  const attributes = Object.entries(loadTemporalDevConfig().searchAttributes)
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      attributes.map(([name, type]) => [name, number[type] ?? 2]),
    ),
  })
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
