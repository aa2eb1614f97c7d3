import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { DefaultLogger } from '@temporalio/worker'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArcProduct } from '../../src/activities/arc/product.ts'
import { createSpineActivities } from '../../src/activities/spine/activities.ts'
import { ArcSettings } from '../../src/contracts/arc.ts'
import type { Standing } from '../../src/domain/spine/decision.ts'
import { createArc, findArc } from '../../src/store/arc/arcs.ts'
import { storeMessage } from '../../src/store/arc/messages.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { readEvents } from '../../src/store/spine/events.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { noSandbox } from '../support/no-sandbox.ts'
import { smallCourse } from '../support/small-course.ts'

const AT = Date.UTC(2030, 0, 1)
const ABOUT_SUMS = 'Counting on from the larger number.'

let database: FreshDatabase
/** The arc in hand. */
let id: string

/** A model that finds one concept in any topic. */
const model: Mind = {
  name: 'anthropic',
  run: async () => ({
    output: { concepts: [{ label: 'Sums', description: ABOUT_SUMS }] } as never,
    model: 'scripted',
    inputTokens: 1,
    outputTokens: 1,
  }),
}

beforeAll(async () => {
  database = await freshDatabase()
})
beforeEach(() => begin('sums'))
afterAll(() => database.drop())

async function begin(courseId: string | null): Promise<void> {
  const learner = await ensureLearner(database.db, 'ada')
  const arc = await createArc(database.db, {
    learnerId: learner.id,
    topic: 'Sums',
    goal: null,
    courseId,
    goalUnitIds: [],
    tutor: 'anthropic',
    settings: ArcSettings.parse({}),
  })
  id = arc.id
}

function activities(anthropic: Mind | null) {
  const { db } = database
  const minds = { offline: createOfflineMind(), anthropic }
  return createSpineActivities({
    db,
    products: [
      createArcProduct({
        db,
        minds,
        courses: [smallCourse()],
        sandbox: noSandbox,
        dayMs: 86_400_000,
      }),
    ],
    wake: () => {},
    log: pino({ level: 'silent' }),
    onFault: () => {},
  })
}

const advance = (anthropic: Mind | null = null, at = AT): Promise<Standing> =>
  activities(anthropic).advance({ product: 'arc', id, at, controls: [], failed: [] })

/** Runs the one step that is wanted. */
async function thinkWith(anthropic: Mind | null): Promise<Standing> {
  const { think } = await advance(anthropic)
  expect(think).toMatchObject([{ queue: 'meno-llm', label: expect.stringContaining('inventory') }])
  const place = new MockActivityEnvironment(
    { currentAttemptScheduledTimestampMs: AT },
    { logger: new DefaultLogger('ERROR') },
  )
  const request = { product: 'arc', id, key: think[0]?.key ?? '' }
  return place.run(() => activities(anthropic).think(request))
}

const messages = () =>
  database.db
    .selectFrom('arc_messages')
    .selectAll()
    .where('arc_id', '=', id)
    .orderBy('position')
    .execute()

const inputs = () =>
  database.db
    .selectFrom('inbox')
    .selectAll()
    .where('entity_id', '=', id)
    .orderBy('position')
    .execute()

const send = (messageId: string, text = 'plan') =>
  storeMessage(database.db, {
    arcId: id,
    id: messageId,
    text,
    action: null,
    questionId: null,
    channel: 'web',
  })

describe('an arc that a model was to teach, and no model is connected', () => {
  test('is taught from its course, on the spot', async () => {
    expect(await advance()).toMatchObject({ think: [], view: { phase: 'DIAGNOSING' } })
    expect(await findArc(database.db, id)).toMatchObject({
      phase: 'DIAGNOSING',
      pending_question: expect.any(String),
    })
  })

  test('and without a course says what an operator has to do', async () => {
    await begin(null)
    expect(await thinkWith(null)).toMatchObject({ think: [], wakeAt: expect.any(Number) })
    const { blocked } = (await findArc(database.db, id)) ?? {}
    expect(JSON.stringify(blocked)).toContain('ANTHROPIC_API_KEY')
  })
})

test('what a workflow hears of a step has none of its text, which is in the store', async () => {
  await begin(null)
  const standing = await thinkWith(model)
  expect(JSON.stringify(standing)).not.toContain(ABOUT_SUMS)
  const kept = await database.db
    .selectFrom('model_steps')
    .select('output')
    .where('entity_id', '=', id)
    .execute()
  expect(JSON.stringify(kept)).toContain(ABOUT_SUMS)
})

describe('a message', () => {
  test('sent thirty times at once is one row and one input; the first text wins', async () => {
    const stored = await Promise.all(Array.from({ length: 30 }, (_, i) => send('m', `text ${i}`)))
    expect(stored.filter(({ isNew }) => isNew)).toHaveLength(1)
    const rows = await messages()
    expect(rows).toHaveLength(1)
    expect(await inputs()).toMatchObject([{ id: 'm', payload: { text: rows[0]?.text } }])
    expect(new Set(stored.map(({ row }) => row?.text))).toEqual(new Set([rows[0]?.text]))
  })

  test('and decisions at the same time number the events without a gap', async () => {
    await advance()
    const decide = async () => {
      for (let times = 0; times < 20; times += 1) await advance(null, AT + times)
    }
    await Promise.all([...Array.from({ length: 30 }, (_, i) => send(`m${i}`)), decide(), decide()])
    while ((await advance(null, AT + 60_000)).more);
    expect((await inputs()).filter(({ answered_at }) => answered_at === null)).toEqual([])
    const events = await readEvents(database.db, id, 0)
    expect(events.length).toBeGreaterThan(60)
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  })

  test('is taken up by one turn, whose replies are told once, however often it is decided', async () => {
    await advance()
    await send('m')
    await Promise.all(Array.from({ length: 5 }, () => advance(null, AT + 1_000)))
    const [input] = await inputs()
    expect(input).toMatchObject({ taken_at: new Date(AT + 1_000), answered_at: expect.any(Date) })
    const all = await messages()
    const { turn } = all.find((message) => message.id === 'm') ?? {}
    expect(turn).toEqual(expect.any(Number))
    const replies = all.filter((message) => message.turn === turn && message.role !== 'learner')
    expect(replies.length).toBeGreaterThan(0)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(replies.length)
    expect(all.at(-1)?.turn).toBe(turn)
  })

  test('to an arc that is not there is not stored', async () => {
    id = randomUUID()
    expect(await send('m')).toEqual({ arc: null, row: null, isNew: false })
    expect(await inputs()).toEqual([])
  })
})
