import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { vi } from 'vitest'
import { createArcPracticeActivities } from '../../src/activities/arc-practice.ts'
import { createArcStoreActivities } from '../../src/activities/arc-store.ts'
import { createHousekeepingActivities } from '../../src/activities/housekeeping.ts'
import { createModelStepActivities } from '../../src/activities/model-step.ts'
import { createPracticeDeliveryActivities } from '../../src/activities/practice-delivery.ts'
import { createPracticeStepActivities } from '../../src/activities/practice-steps.ts'
import { createPracticeStoreActivities } from '../../src/activities/practice-store.ts'
import { beginArc } from '../../src/api/arc-commands.ts'
import type { Dependencies } from '../../src/api/environment.ts'
import { readConfig } from '../../src/config.ts'
import { CreateArc } from '../../src/contracts/arc.ts'
import type { Course } from '../../src/contracts/course-pack.ts'
import type { ArcCommit } from '../../src/domain/arc/commit.ts'
import type { Db } from '../../src/store/database.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { createOfflineTutor } from '../../src/tutor/offline/offline-tutor.ts'
import { createOfflineMind } from '../../src/tutor/practice/offline-mind.ts'
import type { Live, StepContext, StepOutputs, Tutor } from '../../src/tutor/tutor.ts'
import { ArcHand } from './arc-hand.ts'
import { type Crew, type House, type HouseOptions, openHouse } from './house.ts'
import { smallCourse } from './small-course.ts'

export const DAY_MS = 86_400_000

/** What a test may have go wrong; all of it can be changed while arcs run. */
export interface Faults {
  /** Called before every step of the model's tutor; may take its time, or throw a `TutorFailure`. */
  beforeStep: ((context: StepContext, live: Live) => Promise<void>) | null
  /** Changes what the model's tutor says. */
  afterStep: ((context: StepContext, output: unknown) => unknown) | null
  /** Called after a write has been committed and before the workflow hears of it; may throw. */
  afterCommit: ((commit: ArcCommit, outcome: string) => Promise<void> | void) | null
}

export interface ArcWorld extends House {
  readonly faults: Faults
  readonly dependencies: Dependencies
  /** Every commit that reached the store, in order, with its answer. */
  readonly commits: { commit: ArcCommit; outcome: string }[]
  /** Every step a tutor was really asked for, in order. */
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
  goal?: string
  learner?: string
}

export interface ArcWorldOptions extends Partial<Omit<HouseOptions, 'crew'>> {
  dayMs?: number
}

/**
 * A house with the real activities and tutor, and a small course; the time-skipping server unless told. One for a test
 * file: its clock is everybody's.
 */
export async function createArcWorld(
  course: Course = smallCourse(),
  options: ArcWorldOptions = {},
): Promise<ArcWorld> {
  vi.setConfig({ testTimeout: 120_000 })
  const { server = 'skipping', dayMs = DAY_MS, ...more } = options
  const faults: Faults = { beforeStep: null, afterStep: null, afterCommit: null }
  const commits: ArcWorld['commits'] = []
  const asked: ArcWorld['asked'] = []
  const crew = ({ db }: House) => crewOf({ db, course, dayMs, faults, commits, asked })
  const house = await openHouse({ server, crew, ...more })
  const { env } = house
  const world: ArcWorld = {
    ...house,
    faults,
    dependencies: dependenciesOf(house, course),
    commits,
    asked,
    now: () => env.currentTimeMs(),
    sleep: (ms) => env.sleep(ms),
    begin: (begun = {}) => begin(world, begun),
  }
  return world
}

interface Parts {
  db: Db
  course: Course
  dayMs: number
  faults: Faults
  commits: ArcWorld['commits']
  asked: ArcWorld['asked']
}

function crewOf({ db, course, dayMs, faults, commits, asked }: Parts): Crew {
  const offline = listened(createOfflineTutor(), asked)
  const store = createArcStoreActivities({ db, dayMs })
  const practice = {
    ...createPracticeStoreActivities({ db, deliver: false }),
    ...createPracticeDeliveryActivities({ db, lms: null }),
    ...createArcPracticeActivities({ db, courses: [course] }),
  }
  const model = createModelStepActivities({
    db,
    tutors: { offline, anthropic: obedient(offline, faults) },
    courses: [course],
    announce: () => {},
  })
  return {
    store: {
      ...practice,
      ...createHousekeepingActivities({ db }),
      ...store,
      async commitArc(commit: ArcCommit) {
        const outcome = await store.commitArc(commit)
        commits.push({ commit, outcome })
        await faults.afterCommit?.(commit, outcome)
        return outcome
      },
    },
    model: {
      ...createPracticeStepActivities({
        db,
        minds: { anthropic: null, offline: createOfflineMind() },
      }),
      ...model,
    },
  }
}

/** A tutor whose every answer is noted, so that a test can tell what was asked twice. */
function listened(tutor: Tutor, asked: ArcWorld['asked']): Tutor {
  return {
    ...tutor,
    async run(context, live) {
      asked.push({ key: `${context.kind} ${context.seed}`, kind: context.kind })
      return tutor.run(context, live)
    },
  }
}

/** On the model's path, with the offline tutor's answers: slow, silent or failing as `faults` say. */
function obedient(offline: Tutor, faults: Faults): Tutor {
  return {
    name: 'anthropic',
    async run(context, live) {
      await faults.beforeStep?.(context, live)
      const result = await offline.run(context, live)
      if (!faults.afterStep) return result
      const output = faults.afterStep(context, result.output)
      return { ...result, output: output as StepOutputs[typeof context.kind] }
    },
  }
}

function dependenciesOf({ db, env, hub }: House, course: Course): Dependencies {
  return {
    config: readConfig({}),
    db,
    temporal: env.client,
    hub,
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
      topic: 'Sums',
      courseId: 'sums',
      settings: options.settings ?? {},
      ...(options.goal ? { goal: options.goal } : {}),
    }),
  )
  return new ArcHand(world, arc)
}
