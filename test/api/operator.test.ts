import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../src/api/app.ts'
import type { OperatorArc, OperatorOverview, TokenUse } from '../../src/contracts/operator.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
}, 120_000)

afterAll(() => api.stop())

const arcs = async (query: string): Promise<OperatorArc[]> =>
  (await api.get(`/api/operator/arcs?${query}`)).body.items

describe('the operator', () => {
  it('finds an arc by its learner, by phase, and by what holds it up, with since when', async () => {
    const learnerId = `sam_${randomUUID()}`
    const [taught, blocked, late, faulty] = await Promise.all(
      [0, 1, 2, 3].map(() => api.begin({ learnerId, settings: { skipDiagnosis: true } })),
    )
    const since = '2026-01-02T03:04:05.000Z'
    const { db } = api.world
    const cause = { reason: 'The key is refused.', since, retryAt: since }
    const set = (id: string | undefined) => db.updateTable('entities').where('id', '=', id ?? '')
    await db
      .updateTable('arcs')
      .set({ blocked: JSON.stringify(cause) })
      .where('id', '=', blocked ?? '')
      .execute()
    await set(late).set({ wake_at: since }).execute()
    const fault = { since, message: 'out of order', held: true }
    await set(faulty)
      .set({ fault: JSON.stringify(fault) })
      .execute()

    const found = async (query: string) =>
      (await arcs(`search=${learnerId}${query}`)).map(({ arcId }) => arcId).sort()
    const all = [taught, blocked, late, faulty].sort()
    expect(await found('')).toEqual(all)
    expect(await found('&phase=TEACHING')).toEqual(all)
    expect(await found('&phase=COMPLETED')).toEqual([])
    expect(await found('&held=blocked')).toEqual([blocked])
    expect(await found('&held=late')).toEqual([late])
    expect(await found('&held=fault')).toEqual([faulty])
    expect(await found('&held=any')).toEqual([blocked, late, faulty].sort())
    const [first] = await arcs(`search=${late}`)
    expect(first).toMatchObject({ title: 'Sums', late: { since }, blocked: null, fault: null })

    const { body: held } = await api.get('/api/operator/held')
    expect(held.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: late, why: 'late', since, title: 'Sums' }),
        expect.objectContaining({ id: faulty, why: 'fault', since, message: 'out of order' }),
      ]),
    )
    const { body: overview } = await api.get('/api/operator/overview')
    expect(overview.blocked).toBe(1)
    expect(overview.held).toEqual([{ product: 'arc', faults: 1, late: 1 }])
    const teaching = overview.phases.find(({ phase }: { phase: string }) => phase === 'TEACHING')
    expect(teaching.count).toBe(4)
    await set(late).set({ wake_at: null }).execute()
    await set(faulty).set({ fault: null }).execute()
  })

  it('leafs through pages without a gap or a repeat', async () => {
    const learnerId = `pages-${randomUUID()}`
    const begun = await Promise.all([0, 1, 2, 3, 4].map(() => api.begin({ learnerId })))
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const more: string = cursor ? `&cursor=${cursor}` : ''
      const { body } = await api.get(`/api/operator/arcs?search=${learnerId}&limit=2${more}`)
      seen.push(...body.items.map(({ arcId }: OperatorArc) => arcId))
      cursor = body.nextCursor
    }
    expect(seen).toHaveLength(5)
    expect(seen.sort()).toEqual(begun.sort())
  })

  it('closes an arc with a reason that is kept', async () => {
    const arcId = await api.begin({ learnerId: `left-${randomUUID()}` })
    const reason = 'begun twice by mistake'
    expect((await api.post(`/api/arcs/${arcId}/abandon`, { reason })).status).toBe(202)
    await api.until(arcId, ({ phase }) => phase === 'ABANDONED')
    const row = await api.world.db
      .selectFrom('arcs')
      .select('abandon_reason')
      .where('id', '=', arcId)
      .executeTakeFirstOrThrow()
    expect(row.abandon_reason).toBe(reason)
  })

  it('counts tokens by day and model, and what they cost where a price is set', async () => {
    const { db } = api.world
    const step = (model: string, day: string, tokens: [number, number, number]) => ({
      step_key: randomUUID(),
      kind: 'lesson',
      ...{ model, output: '{}', created_at: `${day}T12:00:00Z` },
      ...{ input_tokens: tokens[0], output_tokens: tokens[1], cache_read_tokens: tokens[2] },
    })
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    await db
      .insertInto('model_steps')
      .values([
        step('dear', yesterday, [1_000_000, 200_000, 400_000]),
        step('dear', yesterday, [1_000_000, 0, 0]),
        step('own', yesterday, [10, 5, 0]),
        step('dear', '2026-01-01', [9, 9, 9]),
      ])
      .execute()
    const use = async (path: string) =>
      ((await api.get(path)).body.items as TokenUse[]).filter(({ model }) =>
        ['dear', 'own'].includes(model),
      )
    expect(await use('/api/operator/tokens?days=3')).toEqual([
      {
        ...{ day: yesterday, model: 'dear', steps: 2, input: 2_000_000, output: 200_000 },
        ...{ cacheRead: 400_000, cacheWrite: 0, cost: null },
      },
      {
        ...{ day: yesterday, model: 'own', steps: 1, input: 10, output: 5 },
        ...{ cacheRead: 0, cacheWrite: 0, cost: null },
      },
    ])

    const { dependencies } = api.world
    const modelPrices = { dear: { input: 5, output: 25, cacheRead: 0.5 } }
    const priced = createApp({
      ...dependencies,
      config: { ...dependencies.config, modelPrices },
    })
    const answer = await priced.request('/api/operator/tokens?days=3')
    const { items, hasPrices } = (await answer.json()) as { items: TokenUse[]; hasPrices: boolean }
    // 1.6 million at 5, 0.4 million at 0.5, 0.2 million at 25.
    expect(items.find(({ model }) => model === 'dear')?.cost).toBeCloseTo(13.2, 9)
    expect(items.find(({ model }) => model === 'own')?.cost).toBeNull()
    expect(hasPrices).toBe(true)
  })

  it('sees which nudges did not arrive, and why', async () => {
    const { db } = api.world
    const { id } = await db
      .insertInto('learners')
      .values({ handle: `unreached-${randomUUID()}`, name: 'Uma' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const nudge = randomUUID()
    await db
      .insertInto('nudges')
      .values({
        ...{ id: nudge, learner_id: id, date: '2026-11-20', kind: 'reviews', notice: '{}' },
        created_at: '2026-11-20T18:00:00Z',
      })
      .execute()
    const delivery = { nudge_id: nudge, attempts: 1 }
    await db
      .insertInto('nudge_deliveries')
      .values([
        { ...delivery, channel_id: randomUUID(), channel: 'email', status: 'sent' },
        {
          ...{ ...delivery, channel_id: randomUUID(), channel: 'telegram', status: 'failed' },
          failure: 'the chat is blocked',
        },
      ])
      .execute()
    const { body } = await api.get('/api/operator/deliveries')
    expect(body.items).toMatchObject([
      {
        learner: { name: 'Uma' },
        ...{ channel: 'telegram', kind: 'reviews', status: 'failed' },
        failure: 'the chat is blocked',
      },
    ])
  })

  it('is led to a list in the Temporal UI where its address is known, and nowhere where it is not', async () => {
    const { dependencies } = api.world
    const known = createApp({
      ...dependencies,
      config: { ...dependencies.config, temporalUiUrl: 'http://127.0.0.1:8233' },
    })
    const answer = await known.request('/api/operator/overview')
    const overview = (await answer.json()) as OperatorOverview
    const { url } = overview.temporalViews.find(({ name }) => name === 'TEACHING') ?? { url: '' }
    expect(new URL(url).searchParams.get('query')).toBe(
      'WorkflowType="learningArc" AND ArcPhase="TEACHING"',
    )
    expect(new URL(url).pathname).toMatch(/^\/namespaces\/[^/]+\/workflows$/)
    const unknown = await api.get('/api/operator/overview')
    expect(unknown.body.temporalViews).toEqual([])
    const [arc] = await arcs('limit=1')
    expect(arc?.temporalUrl).toBeNull()
  })
})

it('nobody but an admin is let in, and the description names the routes', async () => {
  const made = await api.post('/api/integrations', { name: 'a platform' })
  const headers = { Authorization: `Bearer ${made.body.token}` }
  for (const path of ['overview', 'arcs', 'held', 'tokens', 'deliveries']) {
    const response = await fetch(`${api.url}/api/operator/${path}`, { headers })
    expect([path, response.status]).toEqual([path, 403])
    expect((await api.get('/openapi.json')).body.paths).toHaveProperty([`/api/operator/${path}`])
  }
  expect((await api.get('/api/operator/nothing')).status).toBe(404)
  expect((await api.get('/api/operator/arcs?phase=NO')).status).toBe(422)
})
