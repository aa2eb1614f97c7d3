import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi
let arcId: string
let headers: { Authorization: string }

beforeAll(async () => {
  api = await createArcApi()
  arcId = await api.begin()
  const made = await api.post('/api/integrations', { name: 'a platform' })
  headers = { Authorization: `Bearer ${made.body.token}` }
}, 120_000)

afterAll(() => api.stop())

test.each([
  ['GET', '/api/arcs'],
  ['GET', '/api/arcs/ARC'],
  ['POST', '/api/arcs/ARC/messages'],
  ['POST', '/api/arcs/ARC/abandon'],
  ['GET', '/api/learners/me/export'],
  ['DELETE', '/api/learners/me'],
  ['POST', '/api/tutor/threads'],
  ['POST', '/threads'],
  ['POST', '/mcp'],
])('%s %s is not a platform’s', async (method, path) => {
  const body = method === 'POST' ? { body: '{"text":"2"}' } : {}
  const response = await fetch(api.url + path.replace('ARC', arcId), {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    ...body,
  })
  expect(response.status).toBe(403)
})

test('what a platform has tried leaves the learner’s things as they were', async () => {
  const { status, body } = await api.get(`/api/arcs/${arcId}`)
  expect([status, body.phase]).toEqual([200, 'DIAGNOSING'])
})
