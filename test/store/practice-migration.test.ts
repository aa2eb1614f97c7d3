import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { practiceProduct } from '../../src/activities/practice/product.ts'
import { newSession } from '../../src/domain/practice/session.ts'
import { migrateToLatest, openDatabase } from '../../src/store/database.ts'
import { readOutcome } from '../../src/store/practice/messages.ts'
import { freshDatabase } from '../support/database.ts'

const OPEN = '00000000-0000-4000-8000-000000000001'
const SENT = '00000000-0000-4000-8000-000000000002'
const MESSAGE = '00000000-0000-4000-8000-00000000000a'
const START = Date.UTC(2026, 10, 1, 9)

/** A database as it was before practice sessions stood on the spine. */
async function databaseOfBefore() {
  const before = mkdtempSync(join(tmpdir(), 'meno-migrations-'))
  for (const file of readdirSync(resolve('migrations'))) {
    if (file < '0012') cpSync(join(resolve('migrations'), file), join(before, file))
  }
  const empty = await freshDatabase(inject('postgresUrl'))
  await sql`drop schema public cascade`.execute(empty.db)
  await sql`create schema public`.execute(empty.db)
  await empty.db.destroy()
  const { db } = openDatabase(empty.url)
  await migrateToLatest(db, before)
  rmSync(before, { recursive: true })
  return { db, drop: empty.drop }
}

test('sessions of before go on from their place, with their messages, verdicts and deliveries', async () => {
  const { db, drop } = await databaseOfBefore()
  const open = newSession(['p1', 'p2'], false, START)
  open.turns = 1
  open.unjudged = [{ messageId: MESSAGE, turn: 1, at: START, problemIndex: 0 }]
  const first = open.problems[0]
  if (first) first.scaffolding = { ...first.scaffolding, active: true, depth: 1, asked: true }
  const sent = { ...newSession(['p1'], false, START), status: 'completed', completedAt: START }
  await sql`
    insert into tutoring_sessions (session_id, external_session_id, student_id, question_set_id, tutor, status,
      problems_total, snapshot, generation, delivery, delivery_id, delivery_since, completed_at)
    values
      (${OPEN}, 'open', 'anna', 'set', 'anthropic', 'active', 2, ${JSON.stringify(open)}, 7, 'none', null, null, null),
      (${SENT}, 'sent', 'anna', 'set', 'offline', 'completed', 1, ${JSON.stringify(sent)}, 3, 'pending', ${SENT},
       ${new Date(START)}, ${new Date(START)})`.execute(db)
  await sql`
    insert into problem_attempts (session_id, problem_id, problem_text, correct_answer, problem_index, status,
      scaffold_question, scaffold_expected)
    values (${OPEN}, 'p1', 'What is -3 + 5?', '2', 0, 'in_progress', 'How far is it to zero?', '3'),
      (${OPEN}, 'p2', 'What is -7 + 3?', '-4', 1, 'pending', null, null),
      (${SENT}, 'p1', 'What is 1 + 1?', '2', 0, 'completed', null, null)`.execute(db)
  await sql`
    insert into practice_messages (id, session_id, message_id, text, response, debug, answered_at)
    values (${MESSAGE}, ${OPEN}, 'm1', 'two steps, I think', '{"output": "?"}', null, now())`.execute(
    db,
  )
  await sql`
    insert into practice_messages (session_id, message_id, text)
    values (${OPEN}, 'm2', '2')`.execute(db)
  await sql`
    insert into conversation_turns (session_id, turn, message_id, problem_id, problem_index, student_message,
      tutor_response, category, action, is_main_attempt, timestamp)
    values (${OPEN}, 1, ${MESSAGE}, 'p1', 0, 'two steps, I think', '?', 'unjudged', 'CONTINUE', false, now())`.execute(
    db,
  )
  await sql`insert into teacher_events (type, data) values ('session', '{"id": 1}')`.execute(db)

  await migrateToLatest(db)

  const product = practiceProduct({
    db,
    courses: [],
    mind: { name: 'anthropic' } as never,
    lms: null,
  })
  const load = async (id: string) => {
    const entity = await db
      .selectFrom('entities')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const reads = await Promise.all(product.reads(db, id).map((read) => db.executeQuery(read)))
    const loaded = product.loaded(
      entity,
      reads.map(({ rows }) => rows),
      START + 60_000,
    )
    if (!loaded) throw new Error('it is gone')
    return { entity, loaded, position: product.position(loaded, START + 60_000) }
  }
  const going = await load(OPEN)
  expect(going.entity).toMatchObject({
    ...{ product: 'practice', workflow_id: `practice-${OPEN}`, generation: 7, is_over: false },
    wake_at: expect.any(Date),
  })
  expect(going.position.think.map(({ key }) => key)).toEqual([`practice/${OPEN}/1/verdict`])
  expect(going.position.state).toMatchObject({
    smaller: { question: 'How far is it to zero?', expected: '3' },
    asked: [{ messageId: 'm1', text: 'two steps, I think', turn: 1 }],
  })
  const sending = await load(SENT)
  expect(sending.entity.is_over).toBe(false)
  expect(sending.position.think.map(({ key }) => key)).toEqual([
    `practice/${SENT}/delivery/${SENT}/1`,
  ])

  expect(await readOutcome(db, OPEN, 'm1')).toMatchObject({ response: { output: '?' } })
  const waiting = await db
    .selectFrom('inbox')
    .select(['id', 'payload'])
    .where('taken_at', 'is', null)
    .execute()
  expect(waiting).toEqual([{ id: 'm2', payload: { text: '2', problem: null } }])
  const { message_id } = await db
    .selectFrom('conversation_turns')
    .select('message_id')
    .executeTakeFirstOrThrow()
  expect(message_id).toBe('m1')
  const events = await db.selectFrom('events').select(['stream', 'seq', 'data']).execute()
  expect(events).toEqual([{ stream: 'teachers', seq: '1', data: { id: 1 } }])

  await sql`delete from tutoring_sessions`.execute(db)
  expect(await db.selectFrom('entities').selectAll().execute()).toEqual([])
  await db.destroy()
  await drop()
})
