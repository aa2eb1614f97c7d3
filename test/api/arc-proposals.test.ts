import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proposeReplans } from '../../src/store/arc/proposals.ts'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
}, 120_000)

afterAll(() => api.stop())

/** An arc with a part of its map on which every answer was wrong; `part` is where it begins. */
async function strugglingArc() {
  const arcId = await api.begin({ settings: { skipDiagnosis: true } })
  const { body: map } = await api.get(`/api/arcs/${arcId}/mind-map`)
  const childrenOf = (id: string): string[] =>
    map.edges
      .filter((edge: { parentNodeId: string }) => edge.parentNodeId === id)
      .map((edge: { childNodeId: string }) => edge.childNodeId)
  const part = childrenOf(map.mindMap.rootNodeId).find((id) => childrenOf(id).length > 0) ?? ''
  const hard = [part, childrenOf(part)[0] ?? '']
  await api.world.db
    .insertInto('quiz_responses')
    .values(
      hard.flatMap((node_id) =>
        [1, 1, 0].map((quality) => ({
          node_id,
          mind_map_id: map.mindMap.id,
          question_text: '?',
          quality,
          response_type: 'teach' as const,
        })),
      ),
    )
    .execute()
  return { arcId, mapId: map.mindMap.id as string, part, hard }
}

async function proposed() {
  const arc = await strugglingArc()
  await proposeReplans(api.world.db, Date.now())
  const { body } = await api.get(`/api/arcs/${arc.arcId}/proposals`)
  return { ...arc, path: `/api/arcs/${arc.arcId}/proposals`, proposal: body.items[0] }
}

/** The reasons for which the arc's planner was called. */
async function planned(arcId: string): Promise<string[]> {
  const { body } = await api.get(`/api/arcs/${arcId}/transitions`)
  const items = body.items as { toAgent: string; reason: string }[]
  return items.filter(({ toAgent }) => toAgent === 'pathplanner').map(({ reason }) => reason)
}

describe('GET /api/arcs/:arcId/proposals', () => {
  test('is empty while nothing struggles', async () => {
    const arcId = await api.begin()
    await proposeReplans(api.world.db, Date.now())
    expect((await api.get(`/api/arcs/${arcId}/proposals`)).body).toEqual({ items: [] })
  })

  test('names the part that struggles and what is hard in it, once', async () => {
    const { arcId, part, hard } = await strugglingArc()
    await proposeReplans(api.world.db, Date.now())
    await proposeReplans(api.world.db, Date.now())
    const { status, body } = await api.get(`/api/arcs/${arcId}/proposals`)
    expect(status).toBe(200)
    expect(body.items).toEqual([
      {
        id: expect.any(String),
        nodeId: part,
        label: expect.any(String),
        reason: expect.stringContaining(body.items[0].label),
        strugglingNodes: expect.arrayContaining(
          hard.map((id) => ({ id, label: expect.any(String) })),
        ),
        status: 'open',
        createdAt: expect.any(String),
        decidedAt: null,
      },
    ])
  })

  test('of an unknown arc is not found', async () => {
    expect((await api.get(`/api/arcs/${randomUUID()}/proposals`)).status).toBe(404)
  })
})

describe('a proposal', () => {
  test('accepted has the map planned again for its reason, once', async () => {
    const { arcId, path, proposal } = await proposed()
    const before = await planned(arcId)
    const accepted = await api.post(`${path}/${proposal.id}/accept`)
    expect(accepted.status).toBe(202)
    expect(accepted.body).toMatchObject({ id: proposal.id, status: 'accepted' })
    expect((await api.post(`${path}/${proposal.id}/accept`)).status).toBe(202)
    await api.post(`/api/arcs/${arcId}/messages`, { text: 'hint' }, { Prefer: 'wait=60' })
    expect((await planned(arcId)).slice(before.length)).toEqual([proposal.reason])
    expect((await api.post(`${path}/${proposal.id}/decline`)).status).toBe(409)
  })

  test('declined changes nothing, and stays declined', async () => {
    const { arcId, path, proposal } = await proposed()
    const before = await planned(arcId)
    const declined = await api.post(`${path}/${proposal.id}/decline`)
    expect(declined.status).toBe(202)
    expect((await api.post(`${path}/${proposal.id}/accept`)).status).toBe(409)
    await proposeReplans(api.world.db, Date.now())
    const { body } = await api.get(path)
    expect(body.items).toMatchObject([{ id: proposal.id, status: 'declined' }])
    expect(await planned(arcId)).toEqual(before)
  })

  test('of a closed arc, or of another, is not decided', async () => {
    const { arcId, path, proposal } = await proposed()
    const other = await api.begin()
    const elsewhere = `/api/arcs/${other}/proposals/${proposal.id}`
    expect((await api.post(`${elsewhere}/accept`)).status).toBe(404)
    expect((await api.post(`${path}/nothing/decline`)).status).toBe(404)
    await api.post(`/api/arcs/${arcId}/abandon`)
    await api.until(arcId, (arc) => arc.phase === 'ABANDONED')
    expect((await api.post(`${path}/${proposal.id}/accept`)).status).toBe(409)
  })

  test('is withdrawn when its part no longer struggles', async () => {
    const { mapId, path } = await proposed()
    await api.world.db.deleteFrom('quiz_responses').where('mind_map_id', '=', mapId).execute()
    await proposeReplans(api.world.db, Date.now())
    expect((await api.get(path)).body.items).toMatchObject([{ status: 'withdrawn' }])
  })
})
