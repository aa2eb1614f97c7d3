import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi
let arcId: string
let messages: string

beforeAll(async () => {
  api = await createArcApi()
  arcId = await api.begin()
  messages = `/api/arcs/${arcId}/messages`
}, 120_000)

afterAll(() => api.stop())

function expectProblem({ status, headers, body }: Answer, wanted: number): void {
  expect({ status, body }).toMatchObject({ status: wanted })
  expect(headers.get('content-type')).toBe('application/problem+json')
  expect(body).toMatchObject({
    type: expect.any(String),
    title: expect.any(String),
    status: wanted,
    detail: expect.stringMatching(/\S/),
  })
}

const pointers = ({ body }: Answer) =>
  body.errors.map(({ pointer }: { pointer: string }) => pointer)

describe('a new arc', () => {
  test.each([
    ['no topic', {}, '/topic'],
    ['a blank topic', { topic: '  \n ' }, '/topic'],
    ['a topic of 201 characters', { topic: 'x'.repeat(201) }, '/topic'],
    ['a topic that is a number', { topic: 7 }, '/topic'],
    ['a goal of 501 characters', { topic: 'Sums', goal: 'x'.repeat(501) }, '/goal'],
    ['too few nodes', { topic: 'Sums', settings: { maxNodes: 4 } }, '/settings/maxNodes'],
    [
      'falling steps',
      { topic: 'Sums', settings: { learningSteps: [6, 1] } },
      '/settings/learningSteps',
    ],
    [
      'an unknown scheduler',
      { topic: 'Sums', settings: { scheduler: 'x' } },
      '/settings/scheduler',
    ],
  ])('%s is refused at %s', async (_, request, pointer) => {
    const answer = await api.post('/api/arcs', request)
    expectProblem(answer, 422)
    expect(pointers(answer)).toEqual([pointer])
  })

  test('an unknown field is refused', async () => {
    expectProblem(await api.post('/api/arcs', { topic: 'Sums', tpoic: 1 }), 422)
  })

  test('a topic no course covers is refused with the courses there are, and nothing is stored', async () => {
    const count = async () => (await api.world.db.selectFrom('arcs').select('id').execute()).length
    const before = await count()
    const answer = await api.post('/api/arcs', { topic: 'Byzantine music' })
    expectProblem(answer, 422)
    expect(answer.body.courses).toEqual([{ courseId: 'sums', title: 'Sums' }])
    expect(await count()).toBe(before)
  })

  test('an unknown course is not found', async () => {
    expectProblem(await api.post('/api/arcs', { topic: 'Sums', courseId: 'none' }), 404)
  })

  test.each([
    ['malformed JSON', '{"topic": "Sums"'],
    ['no JSON at all', 'Sums'],
    ['bytes', '\u0000\u0001\ufffd'],
    ['nothing', ''],
  ])('%s cannot be read', async (_, body) => {
    const answer = await api.post('/api/arcs', body)
    expect([400, 422]).toContain(answer.status)
    expectProblem(answer, answer.status)
  })

  test('malformed JSON is a 400', async () => {
    expectProblem(await api.post('/api/arcs', '{"topic": '), 400)
  })

  test('an array in place of an object is refused', async () => {
    expectProblem(await api.post('/api/arcs', [1, 2]), 422)
  })
})

describe('a message', () => {
  test.each([
    ['empty', { text: '' }, '/text'],
    ['blank', { text: ' \t\n' }, '/text'],
    ['of 8,001 characters', { text: 'x'.repeat(8_001) }, '/text'],
    ['that is a number', { text: 5 }, '/text'],
    ['with an unknown action', { action: 'explode' }, '/action'],
    ['with an empty id', { text: 'a', messageId: '' }, '/messageId'],
    ['with an id of 101 characters', { text: 'a', messageId: 'x'.repeat(101) }, '/messageId'],
  ])('%s is refused at %s', async (_, message, pointer) => {
    const answer = await api.post(messages, message)
    expectProblem(answer, 422)
    expect(pointers(answer)).toEqual([pointer])
  })

  test('of more than 1 MB is too large', async () => {
    expectProblem(await api.post(messages, { text: 'x'.repeat(1_100_000) }), 413)
  })

  test('malformed is a 400', async () => {
    expectProblem(await api.post(messages, '{"text": "a'), 400)
  })

  test.each([
    ['of 8,000 characters', 'x'.repeat(8_000)],
    ['with NUL and other control characters', 'a\u0000b\u0001\u001b[31m\u202e'],
    ['of emoji and lone surrogates', '🦜\ud83d'],
    ['that looks like SQL', "'); drop table arcs; --"],
  ])('%s is taken, and the arc goes on', async (_, text) => {
    const answer = await api.post(messages, { text }, { Prefer: 'wait=30' })
    expect(answer).toMatchObject({ status: 200, body: { pendingQuestion: { kind: 'diagnostic' } } })
    expect(answer.body.replies.length).toBeGreaterThan(0)
  })

  test('under an id that a message of the tutor has is refused', async () => {
    const { body } = await api.get(messages)
    const tutor = body.items.find(({ role }: { role: string }) => role === 'tutor')
    expectProblem(await api.post(messages, { text: 'a', messageId: tutor.id }), 409)
  })

  test.each(['practice', 'know_this', 'explain', 'skip_concept'])(
    'that wants to %s what is no concept of the map is refused, and nothing is stored',
    async (action) => {
      const { body: before } = await api.get(messages)
      const answer = await api.post(messages, { action, nodeId: randomUUID() })
      expectProblem(answer, 422)
      expect(pointers(answer)).toEqual(['/nodeId'])
      expect((await api.get(messages)).body.items).toEqual(before.items)
    },
  )

  test('to an unknown arc, or to what is no id, is not found', async () => {
    expectProblem(await api.post(`/api/arcs/${randomUUID()}/messages`, { text: 'a' }), 404)
    expectProblem(await api.post('/api/arcs/0/messages', { text: 'a' }), 404)
    expectProblem(await api.get("/api/arcs/'; drop table arcs"), 404)
  })

  test('to a finished arc is refused with its phase', async () => {
    const finished = await api.begin()
    await api.post(`/api/arcs/${finished}/abandon`)
    await api.until(finished, ({ phase }) => phase === 'ABANDONED')
    const answer = await api.post(`/api/arcs/${finished}/messages`, { text: 'a' })
    expectProblem(answer, 409)
    expect(answer.body).toMatchObject({ phase: 'ABANDONED' })
    for (const command of ['abandon', 'replan', 'pause', 'resume', 'reviews/start']) {
      expectProblem(await api.post(`/api/arcs/${finished}/${command}`), 409)
    }
  })

  test('that answers a question no longer open is acknowledged and not graded', async () => {
    const before = await api.get(`/api/arcs/${arcId}`)
    const late = { text: '2', questionId: randomUUID() }
    const answer = await api.post(messages, late, { Prefer: 'wait=30' })
    expect(answer).toMatchObject({
      status: 200,
      body: { pendingQuestion: { id: before.body.pendingQuestion.id } },
    })
    expect(answer.body.replies.length).toBeGreaterThan(0)
  })
})

test('a plan cannot be changed before there is one', async () => {
  expectProblem(await api.post(`/api/arcs/${arcId}/replan`), 409)
})

test.each([
  ['/api/arcs?limit=0', '/limit'],
  ['/api/arcs?limit=x', '/limit'],
  ['/api/arcs?phase=ASLEEP', '/phase'],
  ['/api/arcs?cursor=1', '/cursor'],
])('GET %s is refused at %s', async (path, pointer) => {
  const answer = await api.get(path)
  expectProblem(answer, 422)
  expect(pointers(answer)).toEqual([pointer])
})

test('an unknown address of the API is a problem too', async () => {
  expectProblem(await api.get('/api/nothing'), 404)
})

test('a page of another site does not reach the API by its own name', async () => {
  const answer = await api.app.request('http://meno.example.org/api/arcs')
  expect(answer.status).toBe(403)
})

test('100 messages at once are all taken, each once, and the arc goes on', async () => {
  const busy = await api.begin()
  const ids = Array.from({ length: 100 }, (_, i) => `m-${i}`)
  const answers = await Promise.all(
    ids.map((messageId, i) =>
      api.post(
        `/api/arcs/${busy}/messages`,
        i % 2 === 0 ? { messageId, text: `word ${i}` } : { messageId, action: 'dont_know' },
      ),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  const last = await api.post(`/api/arcs/${busy}/messages`, { text: 'plan' }, { Prefer: 'wait=60' })
  expect(last.status).toBe(200)
  const rows = await api.world.db
    .selectFrom('arc_messages as message')
    .innerJoin('inbox', (join) =>
      join.onRef('inbox.entity_id', '=', 'message.arc_id').onRef('inbox.id', '=', 'message.id'),
    )
    .select(['message.id', 'message.turn', 'inbox.taken_at', 'inbox.answered_at'])
    .where('message.arc_id', '=', busy)
    .where('message.role', '=', 'learner')
    .execute()
  expect(rows).toHaveLength(101)
  expect(rows.filter(({ taken_at, answered_at }) => !taken_at || !answered_at)).toEqual([])
  expect(new Set(rows.map(({ turn }) => turn)).size).toBe(101)
  expect(last.body.pendingQuestion).not.toBeNull()
}, 120_000)
