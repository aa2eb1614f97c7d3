import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lastEvent } from '../../src/store/spine/events.ts'
import { proves } from '../spec/scenario.ts'
import { type ArcApi, createArcApi, type Heard, listen } from '../support/arc-api.ts'

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
}, 120_000)

afterAll(() => api.stop())

const NO_DIAGNOSIS = { settings: { skipDiagnosis: true } }

async function expected(questionId: string): Promise<string> {
  const row = await api.world.db
    .selectFrom('arc_questions')
    .select('expected')
    .where('id', '=', questionId)
    .executeTakeFirstOrThrow()
  return row.expected
}

/** Answers the open question right and waits for the turn. */
async function answer(arcId: string) {
  const { pendingQuestion } = await api.until(arcId, (arc) => arc.pendingQuestion !== null)
  return api.post(
    `/api/arcs/${arcId}/messages`,
    { text: await expected(pendingQuestion.id), questionId: pendingQuestion.id },
    { Prefer: 'wait=60' },
  )
}

describe('POST /api/arcs', () => {
  test('answers with the ids, the rows already there', async () => {
    const { status, body } = await api.post('/api/arcs', { topic: '  Sums ', ...NO_DIAGNOSIS })
    expect(status).toBe(201)
    expect(body).toEqual({
      arcId: expect.any(String),
      mindMapId: expect.any(String),
      workflowId: `arc-${body.arcId}`,
      phase: 'PENDING',
    })
    const arc = await api.get(`/api/arcs/${body.arcId}`)
    expect(arc.body).toMatchObject({ topic: 'Sums', mindMapId: body.mindMapId })
  })

  test('the same Idempotency-Key begins one arc, also all at once', async () => {
    const key = { 'Idempotency-Key': randomUUID() }
    const request = { topic: 'Sums' }
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => api.post('/api/arcs', request, key)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.arcId)).size).toBe(1)
    const again = await api.post('/api/arcs', request, key)
    expect(again.body).toEqual(answers[0]?.body)
    const other = await api.post('/api/arcs', { topic: 'arithmetic' }, key)
    expect(other.status).toBe(422)
  })

  test('a refused request does not use up its Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': randomUUID() }
    const refused = await api.post('/api/arcs', { topic: '' }, key)
    const again = await api.post('/api/arcs', { topic: '' }, key)
    expect([again.status, again.body]).toEqual([422, refused.body])
    expect(again.headers.get('content-type')).toBe('application/problem+json')
    expect((await api.post('/api/arcs', { topic: 'Sums' }, key)).status).toBe(201)
  })

  test(
    'a topic that names units makes them the goal',
    proves('001 On the path of an arc: The topic’s units are the goal of the map'),
    async () => {
      const { status, body } = await api.post('/api/arcs', {
        topic: 'Adding brackets',
        ...NO_DIAGNOSIS,
      })
      expect(status).toBe(201)
      await api.until(body.arcId, (arc) => arc.pendingQuestion !== null)
      const { body: map } = await api.get(`/api/arcs/${body.arcId}/mind-map`)
      const labels = map.nodes.map(({ label }: { label: string }) => label)
      expect(labels).toEqual(['Adding numbers', 'Adding brackets'])
    },
  )
})

describe('GET /api/arcs', () => {
  test('pages newest first, without a gap or a repeat', async () => {
    for (let i = 0; i < 3; i += 1) await api.post('/api/arcs', { topic: 'Sums' })
    const whole = (await api.get('/api/arcs?limit=100')).body.items
    const seen: string[] = []
    let cursor = ''
    do {
      const { body } = await api.get(`/api/arcs?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.items.map(({ arcId }: { arcId: string }) => arcId))
      cursor = body.nextCursor ?? ''
    } while (cursor)
    expect(seen).toEqual(whole.map(({ arcId }: { arcId: string }) => arcId))
    const started = whole.map(({ startedAt }: { startedAt: string }) => startedAt)
    expect(started).toEqual([...started].sort().reverse())
  })

  test('can be narrowed to a phase and a learner', async () => {
    const arcId = await api.begin({ learnerId: 'ada', ...NO_DIAGNOSIS })
    const { body } = await api.get('/api/arcs?learnerId=ada&phase=TEACHING')
    expect(body.items.map((arc: { arcId: string }) => arc.arcId)).toEqual([arcId])
    expect((await api.get('/api/arcs?learnerId=ada&phase=COMPLETED')).body.items).toEqual([])
    expect((await api.get('/api/arcs?learnerId=nobody')).body.items).toEqual([])
  })
})

describe('messages', () => {
  test('Prefer: wait answers with the turn: its replies, and what is asked now', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    const { status, body } = await answer(arcId)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      messageId: expect.any(String),
      phase: 'QUIZZING',
      pendingQuestion: { kind: 'quiz', format: expect.any(String), nodeId: expect.any(String) },
    })
    expect(body.replies.at(-1)).toMatchObject({
      role: 'tutor',
      questionId: body.pendingQuestion.id,
    })
    const stored = (await api.get(`/api/arcs/${arcId}/messages`)).body.items
    expect(stored.slice(-body.replies.length)).toEqual(body.replies)
  })

  test('without waiting the answer is 202', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    const sent = await api.post(`/api/arcs/${arcId}/messages`, { text: 'hint', messageId: 'mine' })
    expect(sent).toMatchObject({ status: 202, body: { messageId: 'mine' } })
    await api.post(`/api/arcs/${arcId}/messages`, { text: 'plan' }, { Prefer: 'wait=30' })
  })

  test('a repeated id is one message; the first text wins, and the same turn is told again', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    const wait = { Prefer: 'wait=30' }
    const path = `/api/arcs/${arcId}/messages`
    const first = await api.post(path, { text: 'plan', messageId: 'one' }, wait)
    const second = await api.post(path, { text: 'skip', messageId: 'one' }, wait)
    expect(second.body.replies).toEqual(first.body.replies)
    const { items } = (await api.get(path)).body
    const own = items.filter(({ role }: { role: string }) => role === 'learner')
    expect(own).toMatchObject([{ id: 'one', text: 'plan' }])
  })

  test('are read in pages from the one after', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    await answer(arcId)
    const path = `/api/arcs/${arcId}/messages`
    const { items: all } = (await api.get(path)).body
    expect(all.length).toBeGreaterThan(4)
    const { items: head } = (await api.get(`${path}?limit=2`)).body
    const { items: tail } = (await api.get(`${path}?after=${head[1].id}`)).body
    expect([...head, ...tail]).toEqual(all)
    expect((await api.get(`${path}?after=${all.at(-1).id}`)).body.items).toEqual([])
  })

  test('are read in pages backwards, from the end and from the one before', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    await answer(arcId)
    const path = `/api/arcs/${arcId}/messages`
    const { items: all } = (await api.get(path)).body
    const { items: tail } = (await api.get(`${path}?before=&limit=3`)).body
    expect(tail).toEqual(all.slice(-3))
    const { items: middle } = (await api.get(`${path}?before=${tail[0].id}&limit=2`)).body
    expect(middle).toEqual(all.slice(-5, -3))
    expect((await api.get(`${path}?before=${all[0].id}`)).body.items).toEqual([])
    expect((await api.get(`${path}?before=of-nobody`)).body.items).toEqual([])
  })

  test('no answer of the API holds the key of an open question', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    const { pendingQuestion } = (await api.get(`/api/arcs/${arcId}`)).body
    const key = await expected(pendingQuestion.id)
    const paths = ['', '/messages', '/mind-map', '/responses', '/transitions', '/reviews']
    for (const path of paths) {
      const { body } = await api.get(`/api/arcs/${arcId}${path}`)
      expect(JSON.stringify(body)).not.toMatch(/answer_?key|expected|accepted|correct"/i)
      if (!pendingQuestion.options) expect(JSON.stringify(body)).not.toContain(`"${key}"`)
    }
  })
})

describe('GET /api/arcs/:id/summary', () => {
  test('looks back on what was answered, and says what is next in the courses', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    const path = `/api/arcs/${arcId}`
    const before = await api.until(arcId, (arc) => arc.pendingQuestion?.kind === 'teach')
    const { label } = before.currentNode
    await answer(arcId)
    await answer(arcId)
    const { status, body } = await api.get(`${path}/summary`)
    expect(status).toBe(200)
    const first = body.concepts.find((concept: { label: string }) => concept.label === label)
    expect(first).toMatchObject({ standing: 'open', answers: { right: 1, of: 1 } })
    expect(first.seconds).toBeGreaterThanOrEqual(0)
    // The whole course is on the map, and there is no other.
    expect(body).toMatchObject({ hardest: [], improved: [], next: [] })
    await api.post(`${path}/messages`, { action: 'skip_concept' }, { Prefer: 'wait=60' })
    const { concepts: after, next } = (await api.get(`${path}/summary`)).body
    expect(next).toMatchObject([{ kind: 'unit', topic: label }])
    expect(after.find((concept: { label: string }) => concept.label === label).standing).toBe(
      'skipped',
    )
    expect((await api.get(`/api/arcs/${randomUUID()}/summary`)).status).toBe(404)
  })
})

describe('events', () => {
  const stored = (heard: Heard[]) => heard.filter(({ id }) => id !== null)

  test('tell all that is stored, in order; the learner’s message comes before the reply', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    const events = `${api.url}/api/arcs/${arcId}/events`
    const sent = answer(arcId)
    const heard = await listen(
      events,
      (so) => so.some(({ event, data }) => event === 'question' && data?.kind === 'quiz'),
      0,
    )
    await sent
    expect(stored(heard).map(({ id }) => id)).toEqual(stored(heard).map((_, index) => index + 1))
    const told = stored(heard).filter(({ event }) => event === 'message')
    const { items } = (await api.get(`/api/arcs/${arcId}/messages`)).body
    expect(told.map(({ data }) => data)).toEqual(items.slice(0, told.length))
    const roles = told.map(({ data }) => data.role)
    expect(roles.indexOf('learner')).toBeLessThan(roles.length - 1)
    expect(roles.lastIndexOf('tutor')).toBe(roles.length - 1)
    const phases = heard.filter(({ event }) => event === 'phase').map(({ data }) => data.phase)
    expect(phases[0]).toBe('PENDING')
    expect(phases).toContain('QUIZZING')
  })

  test('go on after Last-Event-ID without a gap or a repeat, wherever it was cut', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    await answer(arcId)
    await answer(arcId)
    const events = `${api.url}/api/arcs/${arcId}/events`
    const last = await lastEvent(api.world.db, arcId)
    const whole = stored(await listen(events, (so) => so.at(-1)?.id === last, 0))
    expect(whole).toHaveLength(last)
    for (const cut of [1, 4, Math.floor(last / 2), last - 1]) {
      const rest = stored(await listen(events, (so) => so.at(-1)?.id === last, cut))
      expect(rest).toEqual(whole.slice(cut))
    }
  })

  test('begin anew where Last-Event-ID is beyond the last one, as after a restored backup', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    const last = await lastEvent(api.world.db, arcId)
    const events = `${api.url}/api/arcs/${arcId}/events`
    const heard = listen(events, (so) => so.some(({ event }) => event === 'message'), 999_999)
    await answer(arcId)
    const [first, second] = stored(await heard)
    expect(first).toMatchObject({ event: 'reset', data: {} })
    expect(first?.id).toBeGreaterThanOrEqual(last)
    expect(second?.id).toBe((first?.id ?? 0) + 1)
  })

  test('without Last-Event-ID begin with what comes from now on', async () => {
    const arcId = await api.begin(NO_DIAGNOSIS)
    const last = await lastEvent(api.world.db, arcId)
    const events = `${api.url}/api/arcs/${arcId}/events`
    const heard = listen(events, (so) => so.some(({ event }) => event === 'message'))
    const sent = (async () => {
      // Said again until it is heard: the listener may not be there yet.
      for (let i = 0; i < 20; i += 1) {
        await api.post(`/api/arcs/${arcId}/messages`, { text: 'plan' }, { Prefer: 'wait=30' })
        if (await Promise.race([heard, new Promise((go) => setTimeout(go, 50, null))])) return
      }
    })()
    const [first] = stored(await heard)
    await sent
    expect(first?.id).toBeGreaterThan(last)
  })

  test('of an unknown arc are not found', async () => {
    expect((await api.get(`/api/arcs/${randomUUID()}/events`)).status).toBe(404)
  })
})

describe('/openapi.json', () => {
  interface Described {
    operationId: string
    tags: string[]
    summary?: string
    responses: object
    parameters?: { name: string }[]
    requestBody?: { content: Record<string, { example?: unknown }> }
  }
  interface Document {
    tags: { name: string }[]
    openapi: string
    paths: Record<string, Record<string, Described>>
    components?: object
  }
  let document: Document

  beforeAll(async () => {
    document = (await api.get('/openapi.json')).body
  })

  test('lists every route that answers JSON', () => {
    const named = new Set(
      Object.entries(document.paths).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => `${method} ${path}`),
      ),
    )
    const routes = api.app.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/arcs'))
      .map(
        ({ method, path }) =>
          `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}').replace(/\/$/, '')}`,
      )
    expect(routes.length).toBeGreaterThan(10)
    const missing = [...new Set(routes)].filter((route) => !named.has(route))
    // The event stream is not JSON.
    expect(missing.filter((route) => route !== 'get /api/arcs/{arcId}/events')).toEqual([])
  })

  test('names every operation once, in a group, in words, and with an example of its body', () => {
    const all = Object.values(document.paths).flatMap((operations) => Object.values(operations))
    const names = all.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    const groups = document.tags.map(({ name }) => name)
    for (const { operationId, tags, summary, requestBody } of all) {
      expect(groups, operationId).toEqual(expect.arrayContaining(tags))
      expect(tags, operationId).toHaveLength(1)
      expect(summary, operationId).toBeTruthy()
      for (const { example } of Object.values(requestBody?.content ?? {})) {
        expect(example, operationId).toBeDefined()
      }
    }
  })

  test('is whole: every reference leads somewhere, every parameter of a path is described', () => {
    expect(document.openapi).toMatch(/^3\.1\./)
    for (const [, pointer = ''] of JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)) {
      const found = pointer
        .slice(1)
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document)
      expect(found, pointer).toBeDefined()
    }
    for (const [path, operations] of Object.entries(document.paths)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const [method, { responses, parameters = [] }] of Object.entries(operations)) {
        expect(Object.keys(responses).length, `${method} ${path}`).toBeGreaterThan(0)
        const named = parameters.map(({ name }) => name)
        expect(named, `${method} ${path}`).toEqual(expect.arrayContaining(wanted))
      }
    }
  })
})

test('health: alive, and ready to take a message', async () => {
  expect((await api.get('/healthz')).status).toBe(200)
  expect(await api.get('/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
})
