import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createModelStepActivities } from '../../src/activities/model-step.ts'
import { ArcSettings } from '../../src/contracts/arc.ts'
import { STEP_FAILURE } from '../../src/contracts/step-failure.ts'
import type { ModelStep } from '../../src/domain/arc/model-step.ts'
import { type ArcRow, createArc } from '../../src/store/arcs.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { type Live, type Mind, TutorFailure } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { smallCourse } from '../support/small-course.ts'

let database: FreshDatabase
let arc: ArcRow
let asked: number
/** What the model does in this test, before it answers as the course would. */
let beforeAnswer: (live: Live) => Promise<void>

const quiet = { logger: new DefaultLogger('ERROR') }
const offline = createOfflineMind()
const model: Mind = {
  name: 'anthropic',
  async run(step, context, live) {
    asked += 1
    await beforeAnswer(live)
    return offline.run(step, context, live)
  },
}

beforeAll(async () => {
  database = await freshDatabase()
})

beforeEach(async () => {
  asked = 0
  beforeAnswer = async () => {}
  const learner = await ensureLearner(database.db, 'ada')
  arc = await createArc(database.db, {
    learnerId: learner.id,
    topic: 'Sums',
    goal: null,
    courseId: 'sums',
    goalUnitIds: [],
    tutor: 'anthropic',
    settings: ArcSettings.parse({}),
  })
})

afterAll(() => database.drop())

const step = (key: string, kind: ModelStep['kind'] = 'inventory'): ModelStep => ({
  arcId: arc.id,
  turn: 1,
  key: `${arc.id}/1/${key}`,
  kind,
  input: {},
})

function run(of: ModelStep, { anthropic = model as Mind | null, courses = [smallCourse()] } = {}) {
  const { runStep } = createModelStepActivities({
    db: database.db,
    tutors: { offline, anthropic },
    courses,
    announce: () => {},
  })
  return new MockActivityEnvironment({}, quiet).run(runStep, of)
}

const kept = async () =>
  database.db
    .selectFrom('model_steps')
    .select(['step_key', 'output'])
    .where('arc_id', '=', arc.id)
    .execute()

describe('a model step', () => {
  test('is asked once, however often it is run', async () => {
    const first = await run(step('inventory:topic'))
    expect(await run(step('inventory:topic'))).toEqual(first)
    expect(asked).toBe(1)
    expect(await kept()).toHaveLength(1)
  })

  test('run twice at once keeps one answer, and both get that one', async () => {
    const [one, two] = await Promise.all([
      run(step('inventory:topic')),
      run(step('inventory:topic')),
    ])
    expect(two).toEqual(one)
    expect(await kept()).toHaveLength(1)
  })

  test('returns a digest without text', async () => {
    const digest = await run(step('inventory:topic'))
    expect(JSON.stringify(digest)).not.toContain('description')
    expect(JSON.stringify((await kept())[0]?.output)).toContain('description')
  })

  test.each([
    ['unavailable', STEP_FAILURE.unavailable, false],
    ['overloaded', STEP_FAILURE.overloaded, false],
    ['refused', STEP_FAILURE.refused, true],
    ['malformed', STEP_FAILURE.malformed, true],
  ] as const)('that is %s fails as %s, for good: %s', async (kind, type, nonRetryable) => {
    beforeAnswer = async () => {
      throw new TutorFailure(kind, 'so it is', kind === 'overloaded' ? 7_000 : null)
    }
    const failure = await run(step('inventory:topic')).catch((error) => error)
    expect(failure).toMatchObject({ type, nonRetryable, message: 'so it is' })
    if (kind === 'overloaded') expect(failure).toMatchObject({ nextRetryDelay: 7_000 })
    expect(await kept()).toEqual([])
  })

  test('of an unknown error may be tried again', async () => {
    beforeAnswer = async () => {
      throw new TypeError('a bug')
    }
    const failure = await run(step('inventory:topic')).catch((error) => error)
    expect(failure).toMatchObject({ type: STEP_FAILURE.unavailable, nonRetryable: false })
  })

  test('without a model comes from the course, and without a course is refused', async () => {
    expect(await run(step('inventory:topic'), { anthropic: null })).toHaveProperty('concepts')
    const none = { anthropic: null, courses: [] }
    await expect(run(step('graph:topic', 'graph'), none)).rejects.toMatchObject({
      type: STEP_FAILURE.refused,
      nonRetryable: true,
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
  })

  test('that is cancelled ends as cancelled and keeps nothing', async () => {
    const environment = new MockActivityEnvironment({}, quiet)
    beforeAnswer = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
        environment.cancel('CANCELLED')
      })
    const { runStep } = createModelStepActivities({
      db: database.db,
      tutors: { offline, anthropic: model },
      courses: [smallCourse()],
      announce: () => {},
    })
    await expect(environment.run(runStep, step('inventory:topic'))).rejects.toMatchObject({
      name: 'CancelledFailure',
    })
    expect(await kept()).toEqual([])
  })

  test('of an arc that is gone is refused', async () => {
    const gone = { ...step('inventory:topic'), arcId: '00000000-0000-4000-8000-000000000000' }
    await expect(run(gone)).rejects.toMatchObject({ type: STEP_FAILURE.refused })
  })
})
