import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { CourseState } from '../../src/domain/course/state.ts'
import { type Storing, storeRequest } from '../../src/store/course/requests.ts'
import { type Db, migrateToLatest, openDatabase } from '../../src/store/database.ts'
import { installationKey } from '../../src/store/installation-keys.ts'
import { forgottenEntities } from '../../src/store/spine/reconciling.ts'

const MIGRATIONS = resolve('migrations')
const NAME = `course_migration_${process.pid}`
const courseId = 'algebra-basics'
const learnerId = randomUUID()
const threadId = randomUUID()
const LOCK = '2026-03-02T12:00:00.000Z'
const snapshot = { studentId: learnerId, courseId, focusUnitId: 'ENTRY-00' }
const requests = {
  done: randomUUID(),
  waiting: randomUUID(),
  told: randomUUID(),
  overtaken: randomUUID(),
}

let db: Db

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}

/** The database as the first build left it, then migrated. */
beforeAll(async () => {
  await onServer(`create database ${NAME}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${NAME}`
  db = openDatabase(url.href, 2).db
  const folder = mkdtempSync(join(tmpdir(), 'meno-migrations-'))
  const before = readdirSync(MIGRATIONS).filter((name) => name < '0013')
  for (const name of before) cpSync(join(MIGRATIONS, name), join(folder, name))
  await migrateToLatest(db, folder)
  rmSync(folder, { recursive: true })
  await sql`insert into learners (id, handle) values (${learnerId}, 'me')`.execute(db)
  await sql`insert into server_keys (name, key) values ('course-drills', 'of old')`.execute(db)
  const locks = {
    Q1: { lockedUntil: LOCK, calledBack: false },
    Q2: { lockedUntil: '2026-03-01T12:00:00.000Z', calledBack: true },
  }
  await sql`insert into course_snapshots
      (learner_id, course_id, snapshot, blocker, locks, generation, started_at, updated_at)
    values (${learnerId}, ${courseId}, ${JSON.stringify(snapshot)}, 'ALG-01', ${JSON.stringify(locks)}, 7,
      '2026-01-01', '2026-02-28')`.execute(db)
  await sql`insert into course_threads (id, learner_id, course_id) values (${threadId}, ${learnerId}, ${courseId})`.execute(
    db,
  )
  const request = (id: string, kind: string, payload: object, more: object = {}) => {
    const row = { prepared: null, status: null, result: null, done_at: null, withdrawn_at: null }
    const { prepared, status, result, done_at, withdrawn_at } = { ...row, ...more }
    return sql`insert into course_requests
        (id, thread_id, learner_id, course_id, kind, payload, prepared, status, result, done_at, withdrawn_at)
      values (${id}, ${threadId}, ${learnerId}, ${courseId}, ${kind}, ${JSON.stringify(payload)},
        ${prepared}, ${status}, ${result}, ${done_at}, ${withdrawn_at})`.execute(db)
  }
  const now = '2026-02-28'
  await request(
    requests.done,
    'turn',
    { text: 'hello' },
    { status: 200, result: '{"turnId":"x"}', done_at: now },
  )
  await request(requests.waiting, 'turn', { text: 'waiting' })
  const toldAt = JSON.stringify({ toldAt: Date.parse('2026-02-27') })
  const told = { prepared: toldAt, withdrawn_at: now }
  await request(requests.told, 'exam_answer', { questionId: 'Q3', selectedOptionId: 'a' }, told)
  await request(
    requests.overtaken,
    'exam_answer',
    { questionId: 'Q1', selectedOptionId: 'a' },
    told,
  )
  await sql`insert into course_evidence (learner_id, course_id, request_id, type, data, at)
    values (${learnerId}, ${courseId}, ${randomUUID()}, 'exam_answered', '{"questionId": "Q1"}', ${now})`.execute(
    db,
  )
  await migrateToLatest(db)
})
afterAll(async () => {
  await db.destroy()
  await onServer(`drop database ${NAME} with (force)`)
})

const entity = () => db.selectFrom('entities').selectAll().executeTakeFirstOrThrow()

test('a student’s course is an entity that sleeps until its next lock ends', async () => {
  const { id, state, ...row } = await entity()
  expect(row).toMatchObject({
    product: 'course',
    workflow_id: `course-${courseId}-${learnerId}`,
    learner_id: learnerId,
    generation: 7,
    version: 1,
    wake_at: new Date(LOCK),
  })
  const { locks, ...rest } = state as CourseState
  expect(rest).toEqual({
    snapshot,
    blocker: 'ALG-01',
    done: 7,
    told: { [requests.told]: 'Q3' },
    work: null,
  })
  expect(Object.keys(locks).sort()).toEqual(['Q1', 'Q2'])
  const named = await db.selectFrom('course_snapshots').select('id').executeTakeFirstOrThrow()
  expect(named.id).toBe(id)
})

test('what was asked is in the inbox, answered where it was', async () => {
  const rows = await db.selectFrom('inbox').selectAll().orderBy('position').execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  expect(byId.get(requests.done)).toMatchObject({
    type: 'turn',
    payload: { text: 'hello', threadId },
    answer: { status: 200, body: { turnId: 'x' } },
  })
  expect(byId.get(requests.done)?.taken_at).not.toBeNull()
  expect(byId.get(requests.waiting)).toMatchObject({ taken_at: null, withdrawn_at: null })
})

test('an answer that the authority may have heard is made again only as it was', async () => {
  const { id } = await entity()
  const again = (selectedOptionId: string): Promise<Storing> =>
    storeRequest(db, id, {
      id: requests.told,
      threadId,
      type: 'exam_answer',
      payload: { questionId: 'Q3', selectedOptionId },
    })
  expect(await again('b')).toBe('other')
  expect(await again('a')).toBe('stored')
  expect(await again('a')).toBe('kept')
})

test('the reconciler finds it, for what was not taken up', async () => {
  await sql`update inbox set received_at = now() - interval '1 minute'`.execute(db)
  const { id } = await entity()
  expect((await forgottenEntities(db)).map((found) => found.id)).toEqual([id])
})

test('the key that seals drills is the one of before, so that drills given out can still be graded', async () => {
  const make = () => ({ secret: 'made anew' })
  expect(await installationKey(db, 'course-drills', make)).toEqual({ secret: 'of old' })
})
