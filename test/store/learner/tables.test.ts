import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseLearner } from '../../../src/store/learner/erase.ts'
import { exportLearner } from '../../../src/store/learner/export.ts'
import { KEPT_BACK, LEARNER_TABLES } from '../../../src/store/learner/tables.ts'
import { type FreshDatabase, freshDatabase } from '../../support/database.ts'
import { seedLearner } from '../../support/learner-rows.ts'

let fresh: FreshDatabase

beforeAll(async () => {
  fresh = await freshDatabase()
})
afterAll(() => fresh.drop())

const exported = async (learner: { id: string; handle: string }) => {
  let text = ''
  for await (const piece of exportLearner(fresh.db, learner, Date.now())) text += piece
  return { text, tables: JSON.parse(text).tables as Record<string, Record<string, unknown>[]> }
}

/** How many rows of each table have the text anywhere in them. */
async function rowsWith(text: string): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(fresh.db)
  const found: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(name)} as t
      where strpos(t::text, ${text}) > 0`.execute(fresh.db)
    if (rows[0]?.count) found[name] = rows[0].count
  }
  return found
}

/** Columns that lead to a learner, whether a foreign key says so or not. */
const LEADS_TO_A_LEARNER = [
  ...['learner_id', 'student_id', 'user_id', 'arc_id', 'entity_id', 'session_id'],
  ...['thread_id', 'mind_map_id', 'node_id', 'nudge_id', 'stream', 'scope'],
]

describe('every table that refers to a learner', () => {
  test('is exported, or kept back for a reason', async () => {
    const { rows } = await sql<{ name: string }>`
      with recursive refers as (
        select 'learners'::name as name
        union
        select source.relname from pg_constraint
          join pg_class as source on source.oid = conrelid
          join pg_class as target on target.oid = confrelid
          join refers on refers.name = target.relname
        where contype = 'f')
      select name::text from refers
      union
      select table_name from information_schema.columns
      where table_schema = 'public' and column_name in (${sql.join(LEADS_TO_A_LEARNER)})
      order by 1`.execute(fresh.db)
    const named = [...Object.keys(LEARNER_TABLES), ...Object.keys(KEPT_BACK)]
    expect(rows.length).toBeGreaterThan(30)
    expect(rows.map(({ name }) => name)).toEqual(named.sort())
  })

  test('is told with its rows, and nobody else’s', async () => {
    const learner = await seedLearner(fresh.db, 'rosa')
    await seedLearner(fresh.db, 'stranger')
    const { text, tables } = await exported(learner)
    expect(Object.keys(tables)).toEqual(Object.keys(LEARNER_TABLES))
    expect(Object.entries(tables).flatMap(([name, rows]) => (rows.length > 0 ? [] : name))).toEqual(
      [],
    )
    expect(text).not.toContain('stranger')
    expect(tables.tutoring_sessions).toHaveLength(2)
    expect(tables.entities).toHaveLength(6)
  })

  test('is told without keys of open questions, and without secrets', async () => {
    const learner = await seedLearner(fresh.db, 'keys')
    const { text } = await exported(learner)
    expect(text).not.toContain('KEY-keys')
    expect(text).not.toContain('SECRET-keys')
  })

  test('is told with the key of a question that is closed for good', async () => {
    const { id, handle, arcId } = await seedLearner(fresh.db, 'earned')
    const close = (kind: 'quiz' | 'diagnostic') =>
      fresh.db
        .updateTable('arc_questions')
        .set({ closed_at: new Date(), kind })
        .where('arc_id', '=', arcId)
        .execute()
    const keyOf = async () => (await exported({ id, handle })).tables.arc_questions?.[0]?.expected
    await close('diagnostic')
    expect(await keyOf()).toBe('')
    await close('quiz')
    expect(await keyOf()).toBe('KEY-earned')
    await sql`insert into arc_questions (id, arc_id, concept, kind, text, format, opened_at)
      select gen_random_uuid(), arc_id, concept, kind, text, format, now() from arc_questions
      where arc_id = ${arcId}`.execute(fresh.db)
    expect(await keyOf()).toBe('')
  })
})

describe('a learner who is erased', () => {
  test('leaves no row behind, and takes nothing of others along', async () => {
    const learner = await seedLearner(fresh.db, 'gone')
    await seedLearner(fresh.db, 'stays')
    const before = await rowsWith('stays')
    expect(Object.keys(await rowsWith('gone')).length).toBeGreaterThan(30)
    const alive = await eraseLearner(fresh.db, learner)
    expect(alive.map(({ product }) => product).sort()).toEqual([
      'agenda',
      'arc',
      'course',
      'practice',
    ])
    for (const trace of ['gone', learner.id, learner.arcId, learner.mapId, learner.sessionId]) {
      expect(await rowsWith(trace)).toEqual({})
    }
    expect(await rowsWith('stays')).toEqual(before)
  })

  test('is erased from an integration’s sessions by their uuid, not by a name of its own', async () => {
    const { id, handle } = await seedLearner(fresh.db, 'pupil')
    const platform = await fresh.db
      .insertInto('integrations')
      .values({ name: 'school', token_hash: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [name, student] of [
      ['theirs', handle],
      ['named', id],
    ] as const) {
      await sql`
        with entity as (
          insert into entities (id, product, workflow_id)
          values (gen_random_uuid(), 'practice', ${`practice-${name}`}) returning id)
        insert into tutoring_sessions
          (session_id, integration_id, external_session_id, student_id, question_set_id, tutor, problems_total)
        select id, ${platform.id}, ${name}, ${student}, 'set', 'offline', 1 from entity
      `.execute(fresh.db)
    }
    await eraseLearner(fresh.db, { id, handle })
    const left = await fresh.db
      .selectFrom('tutoring_sessions')
      .select('external_session_id')
      .where('integration_id', '=', platform.id)
      .execute()
    expect(left).toEqual([{ external_session_id: 'theirs' }])
  })
})
