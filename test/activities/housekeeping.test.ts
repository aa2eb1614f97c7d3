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
