import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { vi } from 'vitest'
import { agendaProduct } from '../../src/activities/agenda/product.ts'
import { createArcProduct } from '../../src/activities/arc/product.ts'
import { createHousekeepingActivities } from '../../src/activities/housekeeping.ts'
import { practiceProduct } from '../../src/activities/practice/product.ts'
import type { AnyProduct } from '../../src/activities/spine/product.ts'
import type { Channel } from '../../src/channels/channel.ts'
import { beginArc } from '../../src/commands/arc/arcs.ts'
import type { Dependencies } from '../../src/commands/context.ts'
import { wakeEntity } from '../../src/commands/wake.ts'
import { readConfig } from '../../src/config.ts'
import { CreateArc } from '../../src/contracts/arc.ts'
import type { Course } from '../../src/contracts/course-pack.ts'
import type { Standing } from '../../src/domain/spine/decision.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import type { Db } from '../../src/store/database.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import type { Live, Mind } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import type { StepContext } from '../../src/tutor/steps/arc/context.ts'
import { ArcHand } from './arc-hand.ts'
import { calm } from './calm.ts'
import { type Crew, type House, type HouseOptions, openHouse } from './house.ts'
import { noSandbox } from './no-sandbox.ts'
import { smallCourse } from './small-course.ts'
import { spineCrew, wakeIn } from './spine-crew.ts'

export const DAY_MS = 86_400_000

/** A decision that was written, as its workflow hears of it. */
export interface Written {
  arcId: string
  by: 'advance' | 'think'
  standing: Standing
}

/** What a test may have go wrong; all of it can be changed while arcs run. */
export interface Faults {
  /** Called before every step of the model's tutor; may take its time, or throw a `TutorFailure`. */
  beforeStep: ((context: StepContext, live: Live) => Promise<void>) | null
  /** Changes what the model's tutor says. */
  afterStep: ((context: StepContext, output: unknown) => unknown) | null
  /** Called after a write has been committed and before the workflow hears of it; may throw. */
  afterCommit: ((written: Written) => Promise<void> | void) | null
}

export interface ArcWorld extends House {
  readonly faults: Faults
  readonly dependencies: Dependencies
  /** Every decision that its workflow heard of, in order. */
  readonly written: Written[]
  /** Every step a model was really asked for, in order. */
  readonly asked: { key: string; kind: string }[]
  /** The server's time in UTC ms. */
  now(): Promise<number>
  /** Lets the server's time pass. */
  sleep(ms: number): Promise<void>
  begin(options?: BeginOptions): Promise<ArcHand>
}

export interface BeginOptions {
  settings?: Record<string, unknown>
  /** `model`: a tutor on the model's path, which says what the offline one says and obeys `faults`. */
  tutor?: 'offline' | 'model'
  /** Whether the arc is taught from the course; a model's is not unless told. */
  course?: boolean
  goal?: string
  learner?: string
}

export interface ArcWorldOptions extends Partial<Omit<HouseOptions, 'crew'>> {
  dayMs?: number
  /** Further products of the same house. */
  beside?: (db: Db) => Promise<AnyProduct[]>
  /** What runs programs; nothing does unless told. */
  sandbox?: Sandbox
  /** What nudges go out on besides the page. */
  channels?: readonly Channel[]
}

/**
 * A house with the real activities and tutor, and a small course; the time-skipping server unless told. One for a test
 * file: its clock is everybody's.
 */
export async function createArcWorld(
  course: Course = smallCourse(),
  options: ArcWorldOptions = {},
): Promise<ArcWorld> {
  if (process.env.VITEST) vi.setConfig({ testTimeout: 120_000 })
  const {
    server = 'skipping',
    dayMs = DAY_MS,
    beside,
    sandbox = noSandbox,
    channels = [],
    ...more
  } = options
  const faults: Faults = { beforeStep: null, afterStep: null, afterCommit: null }
  const written: ArcWorld['written'] = []
  const asked: ArcWorld['asked'] = []
  const crew = async (house: House) =>
    crewOf(
      house,
      { course, sandbox, channels, dayMs, faults, written, asked },
      (await beside?.(house.db)) ?? [],
    )
  const house = await openHouse({ server, crew, ...more })
  const { env } = house
  const world: ArcWorld = {
    ...house,
    faults,
    dependencies: dependenciesOf(house, course),
    written,
    asked,
    now: () => env.currentTimeMs(),
    async sleep(ms) {
      await calm(house)
      await env.sleep(ms)
    },
    begin: (begun = {}) => begin(world, begun),
  }
  return world
}

interface Parts {
  course: Course
  sandbox: Sandbox
  channels: readonly Channel[]
  dayMs: number
  faults: Faults
  written: ArcWorld['written']
  asked: ArcWorld['asked']
}

/** The products beside arcs that arcs meet. */
export const productsOf = (
  db: Db,
  channels: readonly Channel[] = [],
  dayMs = DAY_MS,
  courses: readonly Course[] = [],
): AnyProduct[] => [
  practiceProduct({ db, courses, mind: null, lms: null }),
  agendaProduct({ db, channels, courses, mind: null, pageUrl: 'http://localhost:3000', dayMs }),
]

function crewOf(house: House, parts: Parts, beside: AnyProduct[]): Crew {
  const { db } = house
  const { course, sandbox, channels, dayMs, faults, written } = parts
  const offline = createOfflineMind()
  const minds = { offline, anthropic: obedient(offline, parts) }
  const arcs = createArcProduct({ db, sandbox, minds, courses: [course], dayMs })
  const products = [arcs, ...productsOf(db, channels, dayMs, [course]), ...beside]
  const { store, model } = spineCrew(house, products, {
    log: pino({ level: 'warn' }, pino.destination(2)),
    async afterCommit(by, arcId, standing) {
      const note = { arcId, by, standing }
      written.push(note)
      await faults.afterCommit?.(note)
    },
  })
  return {
    store: { ...store, ...createHousekeepingActivities({ db, dayMs, wake: wakeIn(house) }) },
    model,
  }
}

/** On the model's path, with the offline tutor's answers: slow, silent or failing as `faults` say. */
function obedient(offline: Mind, { course, faults, asked }: Parts): Mind {
  return {
    name: 'anthropic',
    async run(step, context, live) {
      const about = context as unknown as StepContext
      asked.push({ key: `${about.kind} ${about.seed}`, kind: about.kind })
      await faults.beforeStep?.(about, live)
      const unitId = about.concept?.unitId
      const unit = course.units.find((one) => one.unitId === unitId) ?? null
      const answer = await offline.run(step, { ...context, course, unit }, live)
      if (!faults.afterStep) return answer
      return { ...answer, output: faults.afterStep(about, answer.output) as typeof answer.output }
    },
  }
}

function dependenciesOf({ db, env, hub }: House, course: Course): Dependencies {
  return {
    config: readConfig({}),
    db,
    temporal: env.client,
    events: hub,
    wake: (entity) => wakeEntity(env.client, entity),
    courses: [course],
    log: pino({ level: 'warn' }, pino.destination(2)),
  }
}

async function begin(world: ArcWorld, options: BeginOptions): Promise<ArcHand> {
  const { db } = world
  const learner = await ensureLearner(db, options.learner ?? randomUUID())
  const { config } = world.dependencies
  const model = { apiKey: 'none', baseUrl: null, tutor: 'test', fast: 'test' }
  const arc = await beginArc(
    {
      ...world.dependencies,
      config: { ...config, model: options.tutor === 'model' ? model : null },
    },
    { learner, roles: ['learner'] },
    CreateArc.parse({
      ...((options.course ?? options.tutor !== 'model')
        ? { topic: 'Sums', courseId: 'sums' }
        : { topic: 'Adding up' }),
      settings: options.settings ?? {},
      ...(options.goal ? { goal: options.goal } : {}),
    }),
  )
  return new ArcHand(world, arc)
}
