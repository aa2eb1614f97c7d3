import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ArcSettings } from '../../src/contracts/arc.ts'
import type { ArcCommit, Effect } from '../../src/domain/arc/commit.ts'
import { newFlow } from '../../src/domain/arc/flow.ts'
import type { MindMap, MindMapNode } from '../../src/domain/mind-map/mind-map.ts'
import { createArc } from '../../src/store/arcs.ts'
import { writeCommit } from '../../src/store/commit.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { readMap } from '../../src/store/mind-maps.ts'
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

test('a node that was graded and then moved by a re-plan, in one write, keeps its new place', async () => {
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
  const commit = (generation: number, effects: Effect[]): ArcCommit => ({
    arcId: arc.id,
    generation,
    key: `write ${generation}`,
    at: Date.now(),
    flow: newFlow(0),
    nextReviewAt: null,
    messageId: null,
    endsTurn: true,
    effects,
  })
  const write = (generation: number, effects: Effect[]) =>
    writeCommit(db, commit(generation, effects), {
      say: new Map(),
      question: new Map(),
      descriptions: new Map(),
      facts: [],
      diagnosis: null,
    })
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
