import { describe, expect, it } from 'vitest'
import { described, operationName, sampleOf } from '../../src/api/http/openapi.ts'

describe('the name of an operation', () => {
  it.each([
    ['get', '/api/arcs', 'getArcs'],
    ['get', '/api/arcs/{arcId}', 'getArc'],
    ['get', '/api/arcs/{arcId}/mind-map', 'getArcMindMap'],
    ['post', '/api/arcs/{arcId}/proposals/{proposalId}/accept', 'postArcProposalAccept'],
    ['get', '/api/learners/{id}/calendar.ics', 'getLearnerCalendarIcs'],
    ['put', '/api/teacher/classes/{id}', 'putTeacherClass'],
    ['post', '/webhook/tutor/message', 'postWebhookTutorMessage'],
  ])('%s %s is %s', (method, path, name) => {
    expect(operationName(method, path)).toBe(name)
  })
})

it('a sample holds what a schema asks for, and nothing else', () => {
  const schemas = { Colour: { type: 'string', enum: ['red', 'green'] } }
  const schema = {
    type: 'object',
    required: ['id', 'count', 'colour', 'kind', 'list'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      count: { type: 'integer', minimum: 5 },
      colour: { $ref: '#/components/schemas/Colour' },
      kind: { anyOf: [{ const: 'a' }, { const: 'b' }] },
      list: { type: 'array', items: { type: 'string' } },
      more: { type: 'string' },
    },
  }
  expect(sampleOf(schema, { schemas })).toEqual({
    ...{ id: '00000000-0000-4000-8000-000000000000', count: 5, colour: 'red', kind: 'a', list: [] },
  })
})

it('a body keeps the example that its route gives', () => {
  const body = { content: { 'application/json': { schema: { type: 'string' }, example: 'mine' } } }
  const document = described({
    info: { title: 'x' },
    paths: { '/api/arcs': { post: { requestBody: body } } },
  })
  const { post } = document.paths?.['/api/arcs'] ?? {}
  expect(post).toMatchObject({ operationId: 'postArcs', tags: ['Arcs'], requestBody: body })
})
