import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import pino from 'pino'
import type { z } from 'zod'
import { createPracticeDeliveryActivities } from '../../src/activities/practice-delivery.ts'
import { createPracticeStepActivities } from '../../src/activities/practice-steps.ts'
import { createPracticeStoreActivities } from '../../src/activities/practice-store.ts'
import { createApp } from '../../src/api/app.ts'
import type { Api, Dependencies } from '../../src/api/environment.ts'
import type { LmsSettings } from '../../src/channels/lms-webhook.ts'
import { readConfig } from '../../src/config.ts'
import type { AnsweredTurn } from '../../src/contracts/practice.ts'
import type { PracticeMind } from '../../src/tutor/practice/mind.ts'
import { createOfflineMind } from '../../src/tutor/practice/offline-mind.ts'
import type { FreshDatabase } from './database.ts'
import { type Crew, type House, openHouse, type Servers } from './house.ts'

export type Turn = z.infer<typeof AnsweredTurn> & { status?: number; detail?: string }

export interface Reply<T> {
  status: number
  body: T
  headers: Headers
}

export interface PracticeWorld extends House {
  readonly own: FreshDatabase
  readonly api: Api
  /** Called after a commit was written and before the workflow hears of it; may throw. */
  afterCommit: (() => void) | null
  post<T = Turn>(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply<T>>
  get<T>(path: string, headers?: Record<string, string>): Promise<Reply<T>>
  /** A session over the built-in set, and a student in it. */
  student(problemIds?: string[]): Promise<PracticeStudent>
}

export interface PracticeStudent {
  readonly sessionId: string
  readonly studentId: string
  say(message: string, messageId?: string): Promise<Turn>
}

export interface WorldOptions {
  server?: 'skipping' | 'development'
  /** The mind that takes the place of a model; none is offline. */
  mind?: PracticeMind | null
  lms?: LmsSettings | null
  /** Those of the test run, unless told. */
  servers?: Servers
}

/** A Temporal server, a database, workers with the activities of practice sessions, and the whole API. */
export async function createPracticeWorld(options: WorldOptions = {}): Promise<PracticeWorld> {
  const { server = 'development', mind = null, lms = null, ...more } = options
  const faults: Pick<PracticeWorld, 'afterCommit'> = { afterCommit: null }
  const crew = (house: House) => crewOf(faults, house, mind, lms)
  const house = await openHouse({ server, crew, ...more })
  const world: PracticeWorld = Object.assign(faults, {
    ...house,
    own: house.database,
    api: createApp(dependenciesOf(house, mind !== null)),
    async post<T = Turn>(path: string, body: unknown, headers: Record<string, string> = {}) {
      return read<T>(
        await world.api.request(path, {
          method: 'POST',
          body: typeof body === 'string' ? body : JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        }),
      )
    },
    get: async <T>(path: string, headers: Record<string, string> = {}) =>
      read<T>(await world.api.request(path, { headers })),
    async student(problemIds?: string[]) {
      const studentId = `student-${randomUUID()}`
      const { body } = await world.post<{ session_id: string }>('/sessions', {
        student_id: studentId,
        question_set_id: 'algebra_basics_set_1',
        ...(problemIds ? { problem_ids: problemIds } : {}),
      })
      return studentOf(world, body.session_id, studentId)
    },
  } satisfies Omit<PracticeWorld, 'afterCommit'>)
  return world
}

export function studentOf(
  world: PracticeWorld,
  sessionId: string,
  studentId: string,
): PracticeStudent {
  return {
    sessionId,
    studentId,
    async say(message, messageId) {
      const { body, status } = await world.post('/webhook/tutor/message', {
        session_id: sessionId,
        student_id: studentId,
        message,
        ...(messageId === undefined ? {} : { message_id: messageId }),
      })
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      return body
    },
  }
}

async function read<T>(response: Response): Promise<Reply<T>> {
  const body = (await response.json().catch(() => null)) as T
  return { status: response.status, body, headers: response.headers }
}

function dependenciesOf({ db, env, hub }: House, hasModel: boolean): Dependencies {
  const model = hasModel ? { ANTHROPIC_API_KEY: 'any' } : {}
  const config = { ...readConfig({ ...model }), coursesFolder: resolve('courses') }
  const log = pino({ level: 'silent' })
  return { config, db, temporal: env.client, hub, courses: [], log } as Dependencies
}

function crewOf(
  world: Pick<PracticeWorld, 'afterCommit'>,
  { db, env }: House,
  mind: PracticeMind | null,
  lms: LmsSettings | null,
): Crew {
  const store = createPracticeStoreActivities({ db, deliver: lms !== null })
  return {
    store: {
      ...store,
      ...createPracticeDeliveryActivities({ db, lms }),
      // Messages carry the time of the server that skips it, not of the database.
      async readPracticeMessage(view: Parameters<typeof store.readPracticeMessage>[0]) {
        const found = await store.readPracticeMessage(view)
        if (found.taken || !env.supportsTimeSkipping) return found
        return { ...found, at: found.at + (await env.currentTimeMs()) - Date.now() }
      },
      async commitPractice(commit: Parameters<typeof store.commitPractice>[0]) {
        const outcome = await store.commitPractice(commit)
        world.afterCommit?.()
        return outcome
      },
    },
    model: createPracticeStepActivities({
      db,
      minds: { anthropic: mind, offline: createOfflineMind() },
    }),
  }
}
