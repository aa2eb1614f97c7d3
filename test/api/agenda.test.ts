import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

const DAY_MS = 86_400_000

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
}, 120_000)

afterAll(() => api.stop())

/** An arc of a learner whose concepts fall due in these many days. */
async function arcDue(learnerId: string, ...inDays: number[]) {
  const arcId = await api.begin({ learnerId, settings: { skipDiagnosis: true } })
  const { body: map } = await api.get(`/api/arcs/${arcId}/mind-map`)
  for (const [index, days] of inDays.entries()) {
    await api.world.db
      .updateTable('mind_map_nodes')
      .set({
        mastery_status: 'reviewing',
        next_review_at: new Date(Date.now() + days * DAY_MS),
      })
      .where('id', '=', map.nodes[index].id)
      .execute()
  }
  return { arcId, nodes: map.nodes as { id: string; label: string }[] }
}

const settings = (learnerId: string, patch: unknown) =>
  fetch(`${api.url}/api/learners/${learnerId}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(patch),
  })

/** The time of a learner's zone in which today and tomorrow are far from the change of date: about noon. */
const zoneAtNoon = () => {
  const hours = 12 - new Date().getUTCHours()
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

describe('GET /api/learners/:id/agenda', () => {
  test('a learner without an agenda has nothing before them', async () => {
    await api.begin({ learnerId: 'empty' })
    const { status, body } = await api.get('/api/learners/empty/agenda')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      due: [],
      minutes: 0,
      held: 0,
      tomorrow: 0,
      nudges: [],
      holidayUntil: null,
      snoozedUntil: null,
    })
    expect(body.date).toBe(new Date().toISOString().slice(0, 10))
  })

  test('nobody has the agenda of nobody', async () => {
    expect((await api.get('/api/learners/nobody/agenda')).status).toBe(404)
  })

  test('lists the longest overdue within the cap, a topic in turn, and counts what waits', async () => {
    const one = await arcDue('ada', -5, -4, -1)
    const two = await arcDue('ada', -3, 1)
    await arcDue('ada-not', -9)
    await settings('ada', { dailyReviewCap: 3, timeZone: zoneAtNoon() })
    const { body } = await api.get('/api/learners/ada/agenda')
    expect(body.due.map(({ arcId }: { arcId: string }) => arcId)).toEqual([
      one.arcId,
      two.arcId,
      one.arcId,
    ])
    expect(body.due[0]).toMatchObject({ nodeId: one.nodes[0]?.id, label: one.nodes[0]?.label })
    expect(body).toMatchObject({ held: 1, tomorrow: 2, minutes: 3 })
  })

  test('a topic that is put away or paused asks for nothing', async () => {
    const away = await arcDue('ben', -2)
    const paused = await arcDue('ben', -2)
    await fetch(`${api.url}/api/arcs/${away.arcId}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ archived: true }),
    })
    await api.post(`/api/arcs/${paused.arcId}/pause`)
    await api.until(paused.arcId, (arc) => arc.paused)
    const { body } = await api.get('/api/learners/ben/agenda')
    expect(body.due).toEqual([])
    expect(body.next).toBeNull()
  })

  test('takes as long as the learner’s own reviews do, and what was done today counts', async () => {
    const { arcId, nodes } = await arcDue('cleo', -5, -4, -3)
    const { mindMapId } = (await api.get(`/api/arcs/${arcId}`)).body
    const { db } = api.world
    await db
      .updateTable('arcs')
      .set({ last_session_at: new Date() })
      .where('id', '=', arcId)
      .execute()
    for (const seconds of [10, 150, 90_000]) {
      await db
        .insertInto('quiz_responses')
        .values({
          node_id: nodes[0]?.id ?? '',
          mind_map_id: mindMapId,
          question_text: 'a question',
          quality: 5,
          response_type: 'review',
          time_taken_seconds: seconds,
        })
        .execute()
    }
    await settings('cleo', { dailyReviewCap: 5, timeZone: zoneAtNoon() })
    const { body } = await api.get('/api/learners/cleo/agenda')
    expect(body.due).toHaveLength(2)
    expect(body).toMatchObject({ held: 1, minutes: 5 })
  })

  test('says what comes next', async () => {
    const { arcId } = await arcDue('dora')
    const { body: arc } = await api.get(`/api/arcs/${arcId}`)
    const { body } = await api.get('/api/learners/dora/agenda')
    expect(body.next).toEqual({ arcId, label: arc.currentNode.label })
  })
})

describe('POST /api/learners/:id/snooze', () => {
  test.each([
    [{}, 60],
    [{ minutes: 5 }, 5],
  ])('%j is for %i minutes', async (request, minutes) => {
    await api.begin({ learnerId: 'sam' })
    const { status, body } = await api.post('/api/learners/sam/snooze', request)
    expect(status).toBe(200)
    const ahead = (Date.parse(body.snoozedUntil) - Date.now()) / 60_000
    expect(Math.abs(ahead - minutes)).toBeLessThan(0.5)
  })

  test('does not end in the past, nor after a month', async () => {
    await api.begin({ learnerId: 'sue' })
    for (const days of [-1, 31]) {
      const until = new Date(Date.now() + days * DAY_MS).toISOString()
      expect((await api.post('/api/learners/sue/snooze', { until })).status).toBe(422)
    }
  })
})
