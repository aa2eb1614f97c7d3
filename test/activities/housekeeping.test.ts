import { MockActivityEnvironment } from '@temporalio/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHousekeepingActivities } from '../../src/activities/housekeeping.ts'
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
  const { forgetTeacherEvents } = createHousekeepingActivities({ db, wake: () => {} })
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
  const { takeSnapshots } = createHousekeepingActivities({ db, wake: () => {} })
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
