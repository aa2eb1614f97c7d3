import { afterAll, beforeAll, expect, test } from 'vitest'
import { stepInsert } from '../../src/store/spine/model-steps.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
}, 120_000)

afterAll(() => api.stop())

const metric = async (name: string): Promise<number> => {
  const { body } = await api.get('/metrics')
  const line = String(body)
    .split('\n')
    .find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('an arc that a fault of Meno holds up is counted, by product, until it goes on', async () => {
  const arcId = await api.begin({ settings: { skipDiagnosis: true } })
  const faulty = 'meno_entities_faulty{product="arc"}'
  expect(await metric('meno_arcs{phase="TEACHING"}')).toBe(1)
  expect(await metric(faulty)).toBe(0)
  const { db } = api.world
  const fault = { since: new Date().toISOString(), message: 'a bug', held: true }
  await db
    .updateTable('entities')
    .set({ fault: JSON.stringify(fault) })
    .where('id', '=', arcId)
    .execute()
  expect(await metric(faulty)).toBe(1)
  await api.post(`/api/arcs/${arcId}/messages`, { text: 'plan' }, { Prefer: 'wait=30' })
  expect(await metric(faulty)).toBe(0)
})

test('the tokens of steps are counted, and those that came from the cache or went there', async () => {
  const { db } = api.world
  const step = { kind: 'lesson', model: 'of-a-test', output: '{}' }
  const kept = (key: string, tokens: Partial<Parameters<typeof stepInsert>[1]>) =>
    db.executeQuery(
      stepInsert(db, {
        ...step,
        key,
        entityId: null as never,
        input: {},
        inputTokens: 5_000,
        outputTokens: 100,
        ...tokens,
      }),
    )
  await kept('one', { cacheWriteTokens: 4_600 })
  await kept('two', { cacheReadTokens: 4_600, cacheWriteTokens: 200 })
  const tokens = (direction: string) =>
    metric(`meno_model_tokens{model="of-a-test",direction="${direction}"}`)
  expect(await Promise.all(['input', 'output', 'cache_read', 'cache_write'].map(tokens))).toEqual([
    10_000, 200, 4_600, 4_800,
  ])
})

test('nudges are counted by channel and outcome, those of which nobody knows the outcome too', async () => {
  const { db } = api.world
  const { id } = await db.selectFrom('learners').select('id').executeTakeFirstOrThrow()
  const nudge = {
    id: '00000000-0000-4000-8000-00000000000a',
    learner_id: id,
    date: '2026-11-22',
    kind: 'reviews' as const,
    notice: '{}',
    created_at: new Date(),
  }
  await db.insertInto('nudges').values(nudge).execute()
  for (const [place, status] of ['uncertain', 'uncertain', 'sent'].entries()) {
    await db
      .insertInto('nudge_deliveries')
      .values({
        nudge_id: nudge.id,
        channel_id: `00000000-0000-4000-8000-00000000000${place}`,
        channel: 'email',
        status: status as 'sent',
      })
      .execute()
  }
  const delivered = (status: string) =>
    metric(`meno_nudge_deliveries{channel="email",status="${status}"}`)
  expect(await Promise.all(['uncertain', 'sent', 'failed'].map(delivered))).toEqual([2, 1, 0])
})

test('whoever asks while another is answered is told all counts as well', async () => {
  const counts = async () => {
    const { body } = await api.get('/metrics')
    return String(body)
      .split('\n')
      .filter((line) => /^meno_(arcs|nudge_deliveries|model_steps|model_tokens)\{/u.test(line))
      .sort()
      .join('\n')
  }
  const alone = await counts()
  expect(alone).toMatch(/nudge_deliveries/u)
  for (const _ of Array(20).keys()) {
    const together = await Promise.all(Array.from({ length: 6 }, counts))
    expect([...new Set(together)]).toEqual([alone])
  }
})

test('requests are counted by route and status, turns by how long they took', async () => {
  const arcId = await api.begin({ settings: { skipDiagnosis: true } })
  const turns = 'meno_turn_duration_seconds_count{product="arc"}'
  const before = await metric(turns)
  await api.post(`/api/arcs/${arcId}/messages`, { text: 'plan' }, { Prefer: 'wait=30' })
  await api.post(`/api/arcs/${arcId}/messages`, { text: 'plan' }, { Prefer: 'wait=30' })
  await api.get('/api/arcs/nothing')
  expect((await metric(turns)) - before).toBe(2)
  expect((await metric(turns)) - before).toBe(2)
  const requests = (method: string, route: string, status: number) =>
    metric(
      `meno_http_request_duration_seconds_count{method="${method}",route="${route}",status="${status}"}`,
    )
  expect(await requests('POST', '/api/arcs/:arcId/messages', 200)).toBe(3)
  expect(await requests('GET', '/api/arcs/:arcId', 404)).toBe(1)
})

test('a review that is due and not asked is late', async () => {
  const arcId = await api.begin({ settings: { skipDiagnosis: true } })
  const { db } = api.world
  const late = { phase: 'REVIEWING', pending_question: null }
  const due = new Date(Date.now() - 90_000)
  await db
    .updateTable('arcs')
    .set({ ...late, next_review_at: due })
    .where('id', '=', arcId)
    .execute()
  expect(await metric('meno_reviews_late_seconds')).toBeGreaterThanOrEqual(90)
})
