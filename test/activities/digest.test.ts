import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { agendaProduct } from '../../src/activities/agenda/product.ts'
import { type Agenda, newAgenda } from '../../src/domain/agenda/state.ts'
import { queryTogether } from '../../src/store/database.ts'
import { ensureLearner } from '../../src/store/learners.ts'
import type { EntityRow } from '../../src/store/spine/entities.ts'
import { createAnthropicMind } from '../../src/tutor/anthropic/anthropic-mind.ts'
import { unheard } from '../../src/tutor/mind.ts'
import { type FreshDatabase, freshDatabase } from '../support/database.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'

const DAY_MS = 86_400_000
/** A Sunday morning. */
const WEEK = Date.UTC(2026, 10, 22, 9)

let database: FreshDatabase
let model: ScriptedModel
let learnerId: string

beforeAll(async () => {
  database = await freshDatabase()
  const { db } = database
  learnerId = (await ensureLearner(db, 'rosa')).id
  const id = randomUUID()
  await sql`
    insert into entities (id, product, workflow_id, learner_id, state)
    values (${id}, 'arc', ${`arc-${id}`}, ${learnerId}, '{"v": 3}')`.execute(db)
  const { rows } = await sql<{ map: string }>`
    with map as (insert into mind_maps (title) values ('Sums') returning id)
    insert into arcs (id, mind_map_id, learner_id, topic, tutor, settings, phase, started_at)
    select ${id}, id, ${learnerId}, 'Sums', 'anthropic', '{}'::jsonb, 'TEACHING', ${new Date(WEEK - 20 * DAY_MS)}
    from map returning mind_map_id as map`.execute(db)
  const map = rows[0]?.map ?? ''
  const node = await db
    .insertInto('mind_map_nodes')
    .values({ mind_map_id: map, label: 'Adding' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('quiz_responses')
    .values(
      [1, 2, 2].map((days) => ({
        ...{ node_id: node.id, mind_map_id: map, question_text: '?', quality: 5 },
        ...{ response_type: 'review' as const, responded_at: new Date(WEEK - days * DAY_MS) },
      })),
    )
    .execute()
})
beforeEach(async () => {
  model = await startScriptedModel()
  return () => model.close()
})
afterAll(() => database.drop())

/** What the digest of the week is, with a model or without. */
async function digest(withModel = true) {
  const { db } = database
  const models = { tutor: 'claude-opus-5-5', fast: 'claude-haiku-5-5' }
  const mind = createAnthropicMind({ apiKey: 'test', baseUrl: model.url, models })
  const product = agendaProduct({
    ...{ db, channels: [], courses: [], pageUrl: 'http://localhost:3000', dayMs: DAY_MS },
    mind: withModel ? mind : null,
  })
  const rows = await queryTogether(db, ...product.reads(db, learnerId))
  const state = { ...newAgenda(WEEK - 20 * DAY_MS), digesting: WEEK }
  const agenda = product.loaded({ state } as EntityRow, rows as unknown[][], WEEK) as Agenda
  const [step] = product.position(agenda, WEEK).think
  const key = step?.key ?? ''
  expect(product.isAnsweredHere(agenda, key)).toBe(!withModel)
  expect(step?.queue).toBe(withModel ? 'meno-llm' : 'meno')
  return product.ask(agenda, key, { ...unheard(), attempt: 1 })
}

const COUNTED = {
  headline: 'Your week: 3 answers on 2 days',
  trends: ['3 of 3 reviews were right'],
  ...{ achievements: [], struggles: [], nextWeek: [] },
}
const say = (...bodies: string[]) => {
  for (const body of bodies) model.script({ kind: 'json', value: { body_markdown: body } })
}

test('the digest has a paragraph of the model, written from what was counted', async () => {
  say('All **3** of your reviews were right, on two days. Go on like that.')
  const { output, model: name } = await digest()
  expect(output).toEqual({
    ...COUNTED,
    body: 'All **3** of your reviews were right, on two days. Go on like that.',
  })
  expect(name).toBe('claude-opus-5-5')
  const told = model.calls[0]?.messages[0]?.text ?? ''
  for (const fact of ['answers: 3', 'days with an answer: 2', 'of them right: 3', 'name: Sums']) {
    expect(told).toContain(fact)
  }
})

test('a number that nobody has counted is asked about once more, and then left out with its words', async () => {
  say('You gave 30 answers.', 'You gave 3 answers.')
  expect((await digest()).output).toEqual({ ...COUNTED, body: 'You gave 3 answers.' })
  expect(model.calls[1]?.messages.at(-1)?.text).toContain('"30" stands in none of the facts')
  say('You gave 30 answers.', 'You gave 31 answers.')
  const left = await digest()
  expect(left.output).toEqual(COUNTED)
  expect(left.outputTokens).toBeGreaterThan(0)
})

test.each([
  '- 3 answers',
  'See https://example.org.',
  `${'Well done. '.repeat(80)}`,
  'One.\n\nTwo.',
])('what is no short paragraph is left out: %j', async (body) => {
  say(body, body)
  expect((await digest()).output).toEqual(COUNTED)
})

test('a model that is away holds no digest up, and without one there is none to wait for', async () => {
  await model.down()
  expect((await digest()).output).toEqual(COUNTED)
  expect((await digest(false)).output).toEqual(COUNTED)
})
