import { randomUUID } from 'node:crypto'
import { MockActivityEnvironment } from '@temporalio/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHousekeepingActivities } from '../../src/activities/housekeeping.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import { readMemory } from '../../src/store/memory.ts'
import {
  lastEvent,
  readEvents,
  TEACHERS,
  teacherEventsInsert,
} from '../../src/store/spine/events.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'

const DAY_MS = 24 * 60 * 60_000

let database: FreshDatabase

beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('what teachers’ pages heard of is forgotten after 30 days, and numbered on', async () => {
  const { db } = database
  const now = Date.UTC(2026, 10, 21, 3)
  const heard = async (daysAgo: number) => {
    for (const statement of teacherEventsInsert(db, [{ type: 'report', data: { daysAgo } }])) {
      await db.executeQuery(statement)
    }
    const seq = await lastEvent(db, TEACHERS)
    await db
      .updateTable('events')
      .set({ created_at: new Date(now - daysAgo * DAY_MS) })
      .where('seq', '=', String(seq))
      .execute()
    return seq
  }
  for (const daysAgo of [400, 31, 29]) await heard(daysAgo)
  const newest = await heard(0)
  const { forgetTeacherEvents } = createHousekeepingActivities({
    db,
    dayMs: DAY_MS,
    wake: () => {},
  })
  expect(await forgetTeacherEvents({ at: now })).toBe(2)
  expect((await readEvents(db, TEACHERS, 0)).map(({ data }) => data)).toEqual([
    { daysAgo: 29 },
    { daysAgo: 0 },
  ])
  expect(await forgetTeacherEvents({ at: now })).toBe(0)
  expect(await lastEvent(db, TEACHERS)).toBe(newest)
  expect(await forgetTeacherEvents({ at: now + 400 * DAY_MS })).toBe(1)
  expect(await heard(0)).toBeGreaterThan(newest)
})

test('a night of snapshots that is broken off goes on after the maps it has told of', async () => {
  const { db } = database
  const maps = await sql<{ id: string }>`
    with map as (
      insert into mind_maps (title) select 'Map ' || n from generate_series(1, 2_500) n returning id)
    insert into mind_map_nodes (mind_map_id, label) select id, 'Concept' from map
    returning mind_map_id as id
  `.execute(db)
  const ids = maps.rows.map(({ id }) => id).sort()
  const { takeSnapshots } = createHousekeepingActivities({ db, dayMs: DAY_MS, wake: () => {} })
  const taken = async () => {
    const rows = await db.deleteFrom('analytics_snapshots').returning('mind_map_id as id').execute()
    return rows.map(({ id }) => id).sort()
  }

  const told: { after: string; taken: number }[] = []
  const whole = new MockActivityEnvironment()
  whole.on('heartbeat', (details) => told.push(details))
  expect(await whole.run(takeSnapshots, { at: Date.UTC(2026, 10, 21, 3) })).toBe(2_500)
  expect(await taken()).toEqual(ids)
  expect(told.length).toBeGreaterThan(1)
  expect(told.at(-1)).toEqual({ after: ids.at(-1), taken: 2_500 })

  const [reached] = told
  const again = new MockActivityEnvironment({ attempt: 2, heartbeatDetails: reached })
  expect(await again.run(takeSnapshots, { at: Date.UTC(2026, 10, 21, 3) })).toBe(2_500)
  expect(await taken()).toEqual(ids.filter((id) => id > (reached?.after ?? '')))
})

test('a memory is fitted at night where there are reviews enough, and the arcs that go by it are told', async () => {
  const { db } = database
  const at = Date.UTC(2026, 10, 22, 3)
  const learner = await ensureLearner(db, 'forgetful')
  const arcOf = async (scheduler: string) => {
    const id = randomUUID()
    await sql`
      insert into entities (id, product, workflow_id, learner_id, state)
      values (${id}, 'arc', ${`arc-${id}`}, ${learner.id}, '{"v": 3}')
    `.execute(db)
    const { rows } = await sql<{ id: string; map: string }>`
      with map as (insert into mind_maps (title) values ('Facts') returning id)
      insert into arcs (id, mind_map_id, learner_id, topic, tutor, settings, phase)
      select ${id}, id, ${learner.id}, 'Facts', 'offline', ${JSON.stringify({ scheduler })}::jsonb, 'REVIEWING'
      from map returning id, mind_map_id as map
    `.execute(db)
    const [arc] = rows
    if (!arc) throw new Error('no arc')
    return arc
  }
  const [byFsrs, bySm2] = [await arcOf('fsrs'), await arcOf('sm2')]
  for (let concept = 0; concept < 90; concept += 1) {
    const { id } = await db
      .insertInto('mind_map_nodes')
      .values({ mind_map_id: byFsrs.map, label: `Fact ${concept}` })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('quiz_responses')
      .values(
        // Asked every day, three of five are known: far fewer than the default weights would have it.
        [0, 1, 2, 3, 4, 5].map((days) => ({
          node_id: id,
          mind_map_id: byFsrs.map,
          question_text: '?',
          quality: days === 0 || (concept * 7 + days * 3) % 5 < 3 ? 4 : 1,
          response_type: days === 0 ? ('teach' as const) : ('review' as const),
          responded_at: new Date(at - (120 - concept - days) * DAY_MS),
        })),
      )
      .execute()
  }
  const woken: string[] = []
  const { fitMemories } = createHousekeepingActivities({
    db,
    dayMs: DAY_MS,
    wake: ({ id }) => woken.push(id),
  })
  const night = () => new MockActivityEnvironment().run(fitMemories, { at })
  expect(await night()).toBe(1)
  const memory = await readMemory(db, learner.id)
  expect(memory).toMatchObject({ answers: 540, reviews: 450, weights: expect.any(Array) })
  expect(memory?.log_loss).toBeLessThan(memory?.default_log_loss ?? 0)
  const inputs = async () =>
    db.selectFrom('inbox').select(['entity_id', 'type', 'payload']).execute()
  const told = { entity_id: byFsrs.id, type: 'memory', payload: { weights: memory?.weights } }
  expect(await inputs()).toEqual([told])
  expect(woken).toEqual([byFsrs.id])

  expect(await night(), 'nothing is new').toBe(0)
  expect(await inputs()).toEqual([told])
  expect(woken).not.toContain(bySm2.id)
})
