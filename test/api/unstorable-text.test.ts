import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi
let arcId: string

beforeAll(async () => {
  api = await createArcApi()
  arcId = await api.begin()
}, 120_000)

afterAll(() => api.stop())

async function send(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(api.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const problem = { id: 'p', text: 'What is 1 + 1?', correct_answer: '2' }
const set = { question_set_id: 'set', problems: [problem] }
const session = { student_id: 's', question_set_id: 'algebra_basics_set_1' }
const turn = { session_id: 'implicit', message: 'hello', current_problem: problem }

/** What is sent where with a text that cannot be kept, and the pointer to it. */
const REQUESTS: [string, string, (bad: string) => unknown, string][] = [
  ['POST', '/api/arcs', (bad) => ({ topic: `Sums${bad}` }), '/topic'],
  ['POST', '/api/arcs', (bad) => ({ topic: 'Sums', goal: bad }), '/goal'],
  ['POST', '/api/arcs', (bad) => ({ topic: 'Sums', courseId: bad }), '/courseId'],
  ['POST', '/api/arcs', (bad) => ({ topic: 'Sums', learnerId: bad }), '/learnerId'],
  [
    'POST',
    '/api/arcs',
    (bad) => ({ topic: 'Sums', settings: { language: `en${bad}` } }),
    '/settings/language',
  ],
  ['POST', '/api/arcs/ARC/messages', (bad) => ({ text: 'a', messageId: bad }), '/messageId'],
  ['POST', '/api/arcs/ARC/messages', (bad) => ({ text: 'a', questionId: bad }), '/questionId'],
  ['POST', '/api/arcs/ARC/replan', (bad) => ({ reason: `x${bad}y` }), '/reason'],
  ['POST', '/api/arcs/ARC/replan', (bad) => ({ goal: bad }), '/goal'],
  ['POST', '/api/arcs/ARC/abandon', (bad) => ({ reason: bad }), '/reason'],
  ['POST', '/api/arcs/ARC/pause', (bad) => ({ reason: bad }), '/reason'],
  ['POST', '/api/arcs/ARC/regenerate', (bad) => ({ messageId: bad }), '/messageId'],
  ['POST', '/api/arcs/ARC/stop', (bad) => ({ turnId: bad }), '/turnId'],
  ['PATCH', '/api/learners/me', (bad) => ({ name: bad }), '/name'],
  ['PATCH', '/api/learners/me', (bad) => ({ language: `en${bad}` }), '/language'],
  ['PATCH', '/api/learners/me', (bad) => ({ channels: { a: [bad] } }), '/channels/a/0'],
  ['POST', '/question-sets', (bad) => ({ ...set, question_set_id: bad }), '/question_set_id'],
  ['POST', '/question-sets', (bad) => ({ ...set, title: bad }), '/title'],
  [
    'POST',
    '/question-sets',
    (bad) => ({ ...set, problems: [{ ...problem, text: bad }] }),
    '/problems/0/text',
  ],
  [
    'POST',
    '/question-sets',
    (bad) => ({ ...set, problems: [{ ...problem, hints: [bad] }] }),
    '/problems/0/hints/0',
  ],
  ['POST', '/sessions', (bad) => ({ ...session, student_id: bad }), '/student_id'],
  ['POST', '/sessions', (bad) => ({ ...session, problem_ids: [bad] }), '/problem_ids/0'],
  ['POST', '/webhook/tutor/message', (bad) => ({ ...turn, session_id: bad }), '/session_id'],
  ['POST', '/webhook/tutor/message', (bad) => ({ ...turn, message_id: bad }), '/message_id'],
  ['PUT', '/api/teacher/classes/c', (bad) => ({ title: bad, studentIds: [] }), '/title'],
  [
    'PUT',
    '/api/teacher/classes/c',
    (bad) => ({ title: 'C', studentIds: ['s', bad] }),
    '/studentIds/1',
  ],
  ['POST', '/api/teacher/alerts/a/acknowledge', (bad) => ({ note: bad }), '/note'],
  ['POST', '/api/integrations', (bad) => ({ name: bad }), '/name'],
  ['POST', '/api/tutor/threads', (bad) => ({ courseId: 'sums', title: bad }), '/title'],
]

describe('a text that no database keeps is answered with 500 or stops an arc', () => {
  test.each(
    REQUESTS.flatMap(([method, path, body, pointer]) =>
      [
        ['NUL', '\u0000'],
        ['half a surrogate pair', '\ud83d'],
      ].map(([what, bad]) => ({ method, path, pointer, what, body: body(bad as string) })),
    ),
  )('$method $path: $what is refused at $pointer', async ({ method, path, pointer, body }) => {
    const answer = await send(method, path.replace('ARC', arcId), body)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
    expect(answer.body.detail).not.toMatch(/insert|select|invalid byte/i)
  })

  test.each([
    ['/api/learners/a%00b', '/id'],
    ['/api/learners/a%00b/forecast', '/id'],
    ['/api/arcs?learnerId=%00', '/learnerId'],
    ['/api/arcs/ARC/messages?after=%00', '/after'],
    ['/api/arcs/ARC/responses?nodeId=%00', '/nodeId'],
    ['/api/teacher/sessions?studentId=%00', '/studentId'],
    ['/sessions/a%00b', '/id'],
  ])('GET %s is refused at %s', async (path, pointer) => {
    const answer = await send('GET', path.replace('ARC', arcId))
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer }] } })
  })

  test('in the address of a class', async () => {
    const answer = await send('PUT', '/api/teacher/classes/a%00b', { title: 'C', studentIds: [] })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/id' }] } })
  })

  test('in the address of who something is brought to', async () => {
    const answer = await send('POST', '/api/learners/a%00b/import', {})
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/id' }] } })
  })

  test('an arc goes on', async () => {
    const answer = await api.post(
      `/api/arcs/${arcId}/messages`,
      { text: '2' },
      { Prefer: 'wait=30' },
    )
    expect(answer).toMatchObject({ status: 200, body: { pendingQuestion: { kind: 'diagnostic' } } })
  })
})

describe('a question id that is no UUID is answered with 500', () => {
  test('it is refused at /questionId', async () => {
    const message = { text: '2', questionId: 'the-second' }
    const answer = await api.post(`/api/arcs/${arcId}/messages`, message)
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/questionId' }] } })
  })
})
