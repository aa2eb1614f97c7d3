import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ArcSettings } from '../../src/contracts/arc.ts'
import type { ArcCommit, Effect } from '../../src/domain/arc/commit.ts'
import { newFlow } from '../../src/domain/arc/flow.ts'
import type { MindMap, MindMapNode } from '../../src/domain/mind-map/mind-map.ts'
import { createArc, findArc } from '../../src/store/arcs.ts'
import { writeCommit } from '../../src/store/commit.ts'
import { readEvents } from '../../src/store/events.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { readMap } from '../../src/store/maps/rows.ts'
import { listMessages, storeMessage } from '../../src/store/messages.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

let fresh: FreshDatabase
beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

const node = (label: string, sequence: number): MindMapNode => ({
  id: randomUUID(),
  label,
  unitId: null,
  depth: 0,
  sequence,
  effortMinutes: 10,
  masteryStatus: 'learning',
  masteryScore: 0,
  easeFactor: 2.5,
  repetitions: 0,
  intervalDays: 0,
  nextReviewAt: null,
  lastReviewedAt: null,
  masteredAt: null,
  metadata: {},
})

async function newArc() {
  const { db } = fresh
  const learner = await ensureLearner(db, 'me')
  const arc = await createArc(db, {
    learnerId: learner.id,
    topic: 'sums',
    goal: null,
    courseId: null,
    goalUnitIds: [],
    tutor: 'offline',
    settings: ArcSettings.parse({}),
  })
  const commit = (generation: number, key: string, effects: Effect[]): ArcCommit => ({
    arcId: arc.id,
    mindMapId: arc.mind_map_id,
    learnerId: arc.learner_id,
    topic: arc.topic,
    generation,
    key,
    at: Date.now(),
    flow: newFlow(0),
    nextReviewAt: null,
    messageId: null,
    endsTurn: true,
    effects,
  })
  const write = (generation: number, effects: Effect[], key = `write ${generation}`) =>
    writeCommit(db, commit(generation, key, effects), {
      say: new Map(effects.map((effect) => [effect, 'Hello.'])),
      question: new Map(),
      descriptions: new Map(),
      facts: [],
      diagnosis: null,
    })
  return { db, arc, write }
}

const hello: Effect = {
  type: 'say',
  from: 'tutor',
  say: [{ phrase: 'right' }],
  nodeId: null,
  phase: 'TEACHING',
  replaces: null,
  card: null,
}

test('of writers of one generation at once, one writes and the others are told', async () => {
  const { db, arc, write } = await newArc()
  for (let generation = 1; generation <= 10; generation += 1) {
    const same = `same ${generation}`
    const outcomes = await Promise.all([
      write(generation, [hello], same),
      write(generation, [hello], same),
      write(generation, [hello], `other ${generation}`),
    ])
    const count = (outcome: string) => outcomes.filter((found) => found === outcome).length
    expect(count('written')).toBe(1)
    expect(count('repeated')).toBe(outcomes[2] === 'written' ? 0 : 1)
    expect((await listMessages(db, arc.id, { limit: 100 })).length).toBe(generation)
  }
  expect(await write(5, [hello])).toBe('superseded')
  expect(await write(12, [hello])).toBe('superseded')
})

test('events of messages and writes that come at once are numbered without a gap', async () => {
  const { db, arc, write } = await newArc()
  const say = (id: string) =>
    storeMessage(db, {
      arcId: arc.id,
      id,
      text: 'hi',
      action: null,
      questionId: null,
      channel: 'web',
    })
  const stored = await Promise.all([
    ...Array.from({ length: 20 }, (_, i) => say(`message ${i % 10}`)),
    (async () => {
      for (let generation = 1; generation <= 5; generation += 1) await write(generation, [hello])
    })(),
  ])
  expect(stored.filter((message) => message?.standing)).toHaveLength(10)
  const events = await readEvents(db, arc.id, 0)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  expect((await findArc(db, arc.id))?.last_event).toBe(events.length)
  expect(events.filter(({ type }) => type === 'message')).toHaveLength(15)
  const shown = events.filter(({ type }) => type === 'message').map(({ data }) => data)
  expect(shown).toEqual(await listMessages(db, arc.id, { limit: 100 }))
})

test('a node that was graded and then moved by a re-plan, in one write, keeps its new place', async () => {
  const { db, arc, write } = await newArc()
  const [first, second] = [node('first', 0), node('second', 1)]
  const map = (nodes: MindMapNode[]): MindMap => ({
    id: arc.mind_map_id,
    status: 'active',
    rootNodeId: first.id,
    nodes,
    edges: [],
  })
  const plan: Effect = {
    type: 'plan',
    map: map([first, second]),
    step: 'none',
    goal: null,
    inferred: {},
  }
  expect(await write(1, [plan])).toBe('written')

  const graded = { ...second, masteryScore: 0.5 }
  const moved = map([
    { ...graded, sequence: 0 },
    { ...first, sequence: 1 },
  ])
  const replanned: Effect[] = [
    { type: 'node', node: graded },
    { type: 'extend', map: moved, step: null, goal: null },
  ]
  expect(await write(2, replanned)).toBe('written')
  const stored = await readMap(db, arc.mind_map_id)
  expect(stored?.nodes.map(({ label, masteryScore }) => [label, masteryScore])).toEqual([
    ['second', 0.5],
    ['first', 0],
  ])
})
