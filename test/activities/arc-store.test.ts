import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createArcStoreActivities } from '../../src/activities/arc-store.ts'
import { ArcSettings } from '../../src/contracts/arc.ts'
import type { ArcCommit, Effect } from '../../src/domain/arc/commit.ts'
import { newFlow } from '../../src/domain/arc/flow.ts'
import { type ArcRow, createArc, findArc } from '../../src/store/arcs.ts'
import { readEvents } from '../../src/store/events.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { storeMessage } from '../../src/store/messages.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

const AT = Date.UTC(2030, 0, 1)

let database: FreshDatabase
let activities: ReturnType<typeof createArcStoreActivities>
let arc: ArcRow

beforeAll(async () => {
  database = await freshDatabase()
  activities = createArcStoreActivities({ db: database.db, dayMs: 86_400_000 })
})

beforeEach(async () => {
  const learner = await ensureLearner(database.db, 'ada')
  arc = await createArc(database.db, {
    learnerId: learner.id,
    topic: 'Sums',
    goal: null,
    courseId: null,
    goalUnitIds: [],
    tutor: 'offline',
    settings: ArcSettings.parse({}),
  })
})

afterAll(() => database.drop())

const NOTE: Effect = {
  type: 'say',
  from: 'system',
  say: [{ phrase: 'paused' }],
  nodeId: null,
  phase: 'DIAGNOSING',
  replaces: null,
  card: null,
}

function commit(generation: number, more: Partial<ArcCommit> = {}): ArcCommit {
  return {
    arcId: arc.id,
    mindMapId: arc.mind_map_id,
    learnerId: arc.learner_id,
    topic: arc.topic,
    generation,
    key: `write ${generation}`,
    at: AT + generation,
    flow: { ...newFlow(AT), phase: 'DIAGNOSING', turn: generation },
    nextReviewAt: null,
    messageId: null,
    endsTurn: true,
    effects: [NOTE],
    ...more,
  }
}

const messages = async () =>
  database.db
    .selectFrom('arc_messages')
    .selectAll()
    .where('arc_id', '=', arc.id)
    .orderBy('position')
    .execute()

const send = (id: string, text = 'hello') =>
  storeMessage(database.db, {
    arcId: arc.id,
    id,
    text,
    action: null,
    questionId: null,
    channel: 'web',
  })

describe('a write', () => {
  test('is made once: its repeat changes nothing and is answered as done', async () => {
    expect(await activities.commitArc(commit(1))).toBe('written')
    expect(await activities.commitArc(commit(1))).toBe('repeated')
    expect(await messages()).toHaveLength(1)
    expect(await findArc(database.db, arc.id)).toMatchObject({
      generation: 1,
      phase: 'DIAGNOSING',
      updated_at: new Date(AT + 1),
    })
  })

  test.each([
    ['of an older generation', [1, 2], 1, 'write 0'],
    ['of the same generation by another', [1], 1, 'another'],
    ['of a generation that leaves one out', [1], 3, 'write 3'],
  ])('%s is refused, and nothing of it is stored', async (_, before, generation, key) => {
    for (const earlier of before) await activities.commitArc(commit(earlier))
    const stored = await findArc(database.db, arc.id)
    const told = await messages()
    const flow = { ...newFlow(AT), phase: 'TEACHING' as const }
    expect(await activities.commitArc(commit(generation, { key, flow }))).toBe('superseded')
    expect(await findArc(database.db, arc.id)).toEqual(stored)
    expect(await messages()).toEqual(told)
  })

  test('of ten writers at once, one wins', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, writer) =>
        activities.commitArc(commit(1, { key: `writer ${writer}` })),
      ),
    )
    expect(outcomes.toSorted()).toEqual([
      ...Array.from({ length: 9 }, () => 'superseded'),
      'written',
    ])
    expect(await messages()).toHaveLength(1)
  })

  test('that breaks a rule of the tables is undone as a whole', async () => {
    const node = {
      id: randomUUID(),
      label: 'Adding',
      depth: 0,
      sequence: 1,
      effortMinutes: 5,
      masteryStatus: 'reviewing' as const,
      masteryScore: 0,
      easeFactor: 2.5,
      repetitions: 1,
      intervalDays: 1,
      // Every reviewing node has a date.
      nextReviewAt: null,
      lastReviewedAt: null,
      masteredAt: null,
      unitId: null,
      metadata: {},
    }
    const effects: Effect[] = [NOTE, { type: 'node', node: node as never }]
    await expect(activities.commitArc(commit(1, { effects }))).rejects.toThrow(/a_date/)
    expect(await findArc(database.db, arc.id)).toMatchObject({ generation: 0, phase: 'PENDING' })
    expect(await messages()).toEqual([])
    expect(await activities.commitArc(commit(1))).toBe('written')
  })

  test('brings back what it stored: flow and generation, as plain JSON', async () => {
    const flow = { ...newFlow(AT), phase: 'DIAGNOSING' as const, turn: 7, eased: ['a'] }
    await activities.commitArc(commit(1, { flow }))
    const loaded = await activities.loadArc({ arcId: arc.id })
    expect(loaded).toMatchObject({ generation: 1, flow, dayMs: 86_400_000 })
    expect(JSON.parse(JSON.stringify(loaded))).toEqual(loaded)
  })
})

test('an arc that is not there loads as null', async () => {
  expect(await activities.loadArc({ arcId: randomUUID() })).toBeNull()
})

describe('a message', () => {
  test('sent thirty times at once is one row; the first text wins', async () => {
    const stored = await Promise.all(Array.from({ length: 30 }, (_, i) => send('m', `text ${i}`)))
    expect(stored.filter((one) => one?.standing)).toHaveLength(1)
    const rows = await messages()
    expect(rows).toHaveLength(1)
    expect(new Set(stored.map((one) => one.row?.text))).toEqual(new Set([rows[0]?.text]))
  })

  test('and writes at the same time number the events without a gap', async () => {
    await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => send(`m${i}`)),
      (async () => {
        for (let generation = 1; generation <= 10; generation += 1) {
          expect(await activities.commitArc(commit(generation))).toBe('written')
        }
      })(),
    ])
    const events = await readEvents(database.db, arc.id, 0)
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1))
  })

  test('is taken by the turn that answers it, and read as taken by later ones', async () => {
    await send('m')
    const read = (turn: number) =>
      activities.readMessage({ arcId: arc.id, messageId: 'm', openQuestionId: null, turn })
    expect((await read(1)).reply).toEqual({ kind: 'remark' })
    await activities.commitArc(commit(1, { messageId: 'm' }))
    expect((await messages())[0]).toMatchObject({ turn: 1, taken_at: new Date(AT + 1) })
    expect((await read(2)).reply).toEqual({ kind: 'taken' })
    // The very turn that took it may be done again.
    expect((await read(1)).reply).toEqual({ kind: 'remark' })
  })

  test('that was never stored has nothing to be answered', async () => {
    const request = { arcId: arc.id, messageId: 'none', openQuestionId: null, turn: 1 }
    expect((await activities.readMessage(request)).reply).toEqual({ kind: 'taken' })
  })
})
