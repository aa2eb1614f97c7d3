import { default_w } from 'ts-fsrs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureLearner } from '../../src/store/learners.ts'
import { keepMemory } from '../../src/store/memory.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
})
afterAll(() => api.stop())

const begin = () => api.begin({ settings: { skipDiagnosis: true } })

const patch = async (arcId: string, change: Record<string, unknown>) => {
  const response = await fetch(`${api.url}/api/arcs/${arcId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

describe('PATCH /api/arcs/:arcId', () => {
  it('renames, archives and says what comes after mastery', async () => {
    const arcId = await begin()
    expect(await patch(arcId, { title: '  Sums for the test ', archived: true })).toMatchObject({
      status: 200,
      body: { arcId, title: 'Sums for the test', archived: true },
    })
    expect(await patch(arcId, { onMastered: 'stay', archived: false })).toMatchObject({
      status: 200,
      body: { title: 'Sums for the test', archived: false, settings: { onMastered: 'stay' } },
    })
    expect((await patch(arcId, { title: null })).body.title).toBeNull()
  })

  it.each([
    [{ title: '' }, 422],
    [{ title: 'x'.repeat(201) }, 422],
    [{ title: 'x\u0000y' }, 422],
    [{ archived: 'yes' }, 422],
    [{ onMastered: 'never' }, 422],
    [{ topic: 'Other' }, 422],
  ])('refuses %j', async (change, status) => {
    expect((await patch(await begin(), change)).status).toBe(status)
  })

  it('knows no arc that is not there, and changes nothing after the end but the name and the place', async () => {
    expect((await patch('00000000-0000-4000-8000-000000000009', { archived: true })).status).toBe(
      404,
    )
    const arcId = await begin()
    await api.post(`/api/arcs/${arcId}/abandon`, {})
    await expect
      .poll(async () => (await api.get(`/api/arcs/${arcId}`)).body.phase, { timeout: 20_000 })
      .toBe('ABANDONED')
    expect((await patch(arcId, { onMastered: 'stay' })).status).toBe(409)
    expect((await patch(arcId, { archived: true })).status).toBe(200)
  })
})

describe('POST /api/arcs/:arcId/revive', () => {
  it('keeps the name that the learner gave', async () => {
    const arcId = await begin()
    await api.until(arcId, ({ pendingQuestion }) => pendingQuestion !== null)
    await patch(arcId, { title: 'New' })
    await api.post(`/api/arcs/${arcId}/abandon`, {})
    await api.until(arcId, ({ phase }) => phase === 'ABANDONED')
    const { body } = await api.post(`/api/arcs/${arcId}/revive`, {})
    expect((await api.get(`/api/arcs/${body.arcId}`)).body.title).toBe('New')
  })

  it('takes settings for the new arc, and refuses what are none', async () => {
    const arcId = await begin()
    await expect
      .poll(async () => (await api.get(`/api/arcs/${arcId}`)).body.phase, { timeout: 20_000 })
      .toBe('TEACHING')
    await api.post(`/api/arcs/${arcId}/abandon`, {})
    await expect
      .poll(async () => (await api.get(`/api/arcs/${arcId}`)).body.phase, { timeout: 20_000 })
      .toBe('ABANDONED')
    const wrong = await api.post(`/api/arcs/${arcId}/revive`, { settings: { maxInterval: 3 } })
    expect(wrong.status).toBe(422)
    const right = await api.post(`/api/arcs/${arcId}/revive`, { settings: { onMastered: 'stay' } })
    expect(right.status).toBe(201)
    const revived = await api.get(`/api/arcs/${right.body.arcId}`)
    expect(revived.body.settings).toMatchObject({ onMastered: 'stay', skipDiagnosis: true })
  })
})

describe('an arc of a learner whose memory was fitted', () => {
  const weights = default_w.map((weight, index) => (index < 4 ? weight / 2 : weight))

  const stateOf = async (arcId: string) => {
    const row = await api.world.db
      .selectFrom('entities')
      .select('state')
      .where('id', '=', arcId)
      .executeTakeFirstOrThrow()
    return row.state as { weights?: number[] }
  }

  it('goes by the fitted weights from its first day, where it reviews by FSRS', async () => {
    const { db } = api.world
    const learner = await ensureLearner(db, 'fitted')
    const numbers = { reviews: 500, heldOut: 100, logLoss: 0.3, defaultLogLoss: 0.4 }
    await keepMemory(db, learner.id, { weights, ...numbers }, 540, Date.now())
    const settings = { skipDiagnosis: true, scheduler: 'fsrs' }
    const arcId = await api.begin({ learnerId: 'fitted', settings })
    expect((await stateOf(arcId)).weights).toEqual(weights)
    const bySm2 = await api.begin({ learnerId: 'fitted', settings: { skipDiagnosis: true } })
    expect((await stateOf(bySm2)).weights).toBeUndefined()

    await api.post(`/api/arcs/${arcId}/abandon`, {})
    await api.until(arcId, ({ phase }) => phase === 'ABANDONED')
    const { body } = await api.post(`/api/arcs/${arcId}/revive`, {})
    await api.until(body.arcId, ({ pendingQuestion }) => pendingQuestion !== null)
    expect((await stateOf(body.arcId)).weights).toEqual(weights)
  })

  it('goes by the default ones where those were found to be better, or nothing was fitted', async () => {
    const { db } = api.world
    const learner = await ensureLearner(db, 'like-most')
    const numbers = { reviews: 500, heldOut: 100, logLoss: 0.4, defaultLogLoss: 0.4 }
    await keepMemory(db, learner.id, { weights: null, ...numbers }, 540, Date.now())
    for (const learnerId of ['like-most', 'not-fitted']) {
      const settings = { skipDiagnosis: true, scheduler: 'fsrs' }
      const arcId = await api.begin({ learnerId, settings })
      expect((await stateOf(arcId)).weights).toBeUndefined()
    }
  })
})
