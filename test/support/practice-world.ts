import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import pino from 'pino'
import type { z } from 'zod'
import { practiceProduct } from '../../src/activities/practice/product.ts'
import type { AnyProduct } from '../../src/activities/spine/product.ts'
import { createApp } from '../../src/api/app.ts'
import type { Api } from '../../src/api/http/environment.ts'
import type { LmsSettings } from '../../src/channels/lms-webhook.ts'
import type { Dependencies } from '../../src/commands/context.ts'
import { wakeEntity } from '../../src/commands/wake.ts'
import { readConfig } from '../../src/config.ts'
import type { AnsweredTurn } from '../../src/contracts/practice.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import type { FreshDatabase } from './database.ts'
import { type Crew, type House, openHouse, type Servers } from './house.ts'
import { spineCrew } from './spine-crew.ts'

export type Turn = z.infer<typeof AnsweredTurn> & { status?: number; detail?: string }

export interface Reply<T> {
  status: number
  body: T
  headers: Headers
}

/** What a test may break. */
interface Faults {
  /** Called after a decision was written and before the workflow hears of it; may throw. */
  afterCommit: (() => void) | null
  /** Takes the place of a part of the product, to make it fail. */
  broken: Partial<AnyProduct>
  /** Faults of ours that were counted. */
  faults: number
}

export interface PracticeWorld extends House, Faults {
  readonly own: FreshDatabase
  readonly api: Api
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
  mind?: Mind | null
  lms?: LmsSettings | null
  /** Those of the test run, unless told. */
  servers?: Servers
}

/** A Temporal server, a database, workers with the activities of practice sessions, and the whole API. */
export async function createPracticeWorld(options: WorldOptions = {}): Promise<PracticeWorld> {
  const { server = 'development', mind = null, lms = null, ...more } = options
  const faults: Faults = { afterCommit: null, broken: {}, faults: 0 }
  const crew = (house: House) =>
    crewOf(house, practiceProduct({ db: house.db, courses: [], mind, lms }), faults)
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
  } satisfies Omit<PracticeWorld, keyof Faults>)
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
  const wake: Dependencies['wake'] = (entity) => wakeEntity(env.client, entity)
  const log = pino({ level: 'silent' })
  return { config, db, temporal: env.client, events: hub, wake, courses: [], log }
}

function crewOf(house: House, product: AnyProduct, faults: Faults): Crew {
  const parts = Object.keys(product) as (keyof AnyProduct)[]
  const breakable = Object.fromEntries(
    parts.map((part) => [part, { get: () => faults.broken[part] ?? product[part] }]),
  )
  return spineCrew(house, [Object.defineProperties({}, breakable) as AnyProduct], {
    afterCommit: (by) => by === 'advance' && faults.afterCommit?.(),
    onFault: () => {
      faults.faults += 1
    },
  })
}
