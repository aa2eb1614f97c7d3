import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  ClassGrid,
  DeskClass,
  DeskSession,
  PupilPage,
  SessionDetail,
} from '../../src/contracts/teaching.ts'
import { type Answer, type ArcApi, createArcApi } from '../support/arc-api.ts'

let api: ArcApi

beforeAll(async () => {
  api = await createArcApi()
  expect((await api.post('/question-sets', SET)).status).toBe(201)
}, 120_000)

afterAll(() => api.stop())

const put = async (path: string, body: unknown): Promise<Answer> => {
  const response = await fetch(api.url + path, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

const remove = (path: string, headers: Record<string, string> = {}) =>
  fetch(api.url + path, { method: 'DELETE', headers })

const SET = {
  question_set_id: 'signs-1',
  title: 'Signs',
  problems: [
    { id: '1', text: 'What is -3 + 5?', correct_answer: '2', hints: ['Count up.'] },
    { id: '2', text: 'Name a colour.', correct_answer: 'red' },
  ],
}

/** A session over the set for a student, and what they say in it. */
async function practise(student: string, ...said: string[]): Promise<string> {
  const { body } = await api.post('/sessions', {
    student_id: student,
    question_set_id: SET.question_set_id,
  })
  for (const message of said) {
    const turn = await api.post('/webhook/tutor/message', {
      session_id: body.session_id,
      student_id: student,
      message,
    })
    expect(turn.status).toBe(200)
  }
  const { body: found } = await api.get(`/api/teacher/sessions?studentId=${student}`)
  return (found.items as DeskSession[]).find(
    ({ externalSessionId }) => externalSessionId === body.session_id,
  )?.id as string
}

/** A learner in the lesson of the first concept whose answers are the mistakes that were foreseen, until one is graded. */
async function fail(learnerId: string): Promise<string> {
  const arcId = await api.begin({ learnerId, settings: { skipDiagnosis: true } })
  const graded = () =>
    api.world.db.selectFrom('quiz_responses').select('id').where('session_id', '=', arcId).execute()
  while ((await graded()).length === 0) {
    const { pendingQuestion } = await api.until(arcId, (arc) => arc.pendingQuestion !== null)
    const { mistakes } = await api.world.db
      .selectFrom('arc_questions')
      .select('mistakes')
      .where('id', '=', pendingQuestion.id)
      .executeTakeFirstOrThrow()
    const message = { text: mistakes[0]?.answer ?? 'I do not know', questionId: pendingQuestion.id }
    await api.post(`/api/arcs/${arcId}/messages`, message, { Prefer: 'wait=60' })
  }
  return arcId
}

describe('a class', () => {
  it('is filled from those who are there, and shows who needs help first', async () => {
    const stuck = `stuck-${randomUUID()}`
    const learner = `learner-${randomUUID()}`
    await practise(stuck, 'stuck', 'stuck', 'stuck')
    await fail(learner)
    const { body: pupils } = await api.get('/api/teacher/pupils')
    expect(pupils.items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: stuck, topics: 0, sessions: 1 }),
        expect.objectContaining({ id: learner, topics: 1, sessions: 0 }),
      ]),
    )
    const made = await put('/api/teacher/classes/8a', {
      title: '8a',
      studentIds: ['absent', learner, stuck],
    })
    expect(made.body as DeskClass).toMatchObject({ notBegun: ['absent'], quiet: [] })

    const { body } = await api.get('/api/teacher/classes/8a/grid')
    const grid = body as ClassGrid
    expect(grid.courses).toEqual([{ key: 'sums', title: 'Sums', pupils: 1 }])
    expect(grid.concepts.map(({ id }) => id)).toEqual(['SUM-00', 'SUM-01', 'SUM-02', 'SUM-03'])
    expect(grid.pupils.map(({ id, need }) => [id, need])).toEqual([
      [stuck, 'stuck'],
      [learner, 'none'],
      ['absent', 'not_begun'],
    ])
    expect(grid.pupils[0]?.stuckAt).toEqual({
      sessionId: expect.any(String),
      problem: 'What is -3 + 5?',
    })
    expect(grid.pupils[0]?.standings).toEqual([null, null, null, null])
    expect(grid.pupils[1]?.standings[0]).toEqual({
      status: 'learning',
      score: expect.any(Number),
      isStruggling: false,
    })
    expect(grid.pupils[1]?.standings[3]).toMatchObject({ status: 'unseen' })
  })

  it('is renamed, and taken away without its pupils', async () => {
    const renamed = await put('/api/teacher/classes/8a', { title: '9a', studentIds: ['absent'] })
    expect(renamed.body).toMatchObject({ id: '8a', title: '9a', studentIds: ['absent'] })
    expect((await remove('/api/teacher/classes/8a')).status).toBe(204)
    expect((await remove('/api/teacher/classes/8a')).status).toBe(404)
    expect((await api.get('/api/teacher/classes/8a/grid')).status).toBe(404)
  })

  it('says in words what wrong answers looked like, with who said what', async () => {
    const [ann, ben] = [`ann-${randomUUID()}`, `ben-${randomUUID()}`]
    await practise(ann, '-2', '9')
    await practise(ben, '-2')
    await put('/api/teacher/classes/mistakes', { title: 'm', studentIds: [ann, ben] })
    const { body } = await api.get('/api/teacher/classes/mistakes/grid')
    const mistakes = (body as ClassGrid).mistakes
    expect(mistakes.map(({ tag, kind, count }) => [tag, kind, count])).toEqual([
      ['sign error', 'arithmetic', 2],
      ['other', 'other', 1],
    ])
    expect(
      mistakes[0]?.examples.map(({ name, answer, expected }) => [name, answer, expected]),
    ).toEqual([
      [ben, '-2', '2'],
      [ann, '-2', '2'],
    ])
  })
})

describe('a pupil', () => {
  it('is shown with topics, answers beside what was expected, and the course’s words for a mistake', async () => {
    const learner = `learner-${randomUUID()}`
    const arcId = await fail(learner)
    const { status, body } = await api.get(`/api/teacher/pupils/${learner}`)
    expect(status).toBe(200)
    const pupil = body as PupilPage
    expect(pupil.topics).toMatchObject([{ arcId, title: 'Sums' }])
    expect(pupil.topics[0]?.concepts).toHaveLength(4)
    expect(pupil.attempts[0]).toMatchObject({
      about: 'Sums',
      concept: 'Adding numbers',
      verdict: 'wrong',
    })
    expect(Number(pupil.attempts[0]?.expected?.replaceAll('$', ''))).toBeGreaterThan(1000)
    expect(pupil.mistakes[0]).toMatchObject({ tag: 'subtracts', count: 1 })
  })

  it('of whom nothing is known is not found', async () => {
    expect((await api.get('/api/teacher/pupils/nobody')).status).toBe(404)
  })
})

describe('a session', () => {
  it('is found by a piece of the name or the title, and by class', async () => {
    const student = `Zoë %_ ${randomUUID()}`
    const id = await practise(student, '-2', '2')
    const found = async (query: string) =>
      ((await api.get(`/api/teacher/sessions?${query}`)).body.items as DeskSession[]).map(
        (session) => session.id,
      )
    expect(await found(`search=${encodeURIComponent('zoë %_')}`)).toEqual([id])
    expect(await found(`search=${encodeURIComponent('zoë _%')}`)).toEqual([])
    expect(await found('search=signs')).toContain(id)
    await put('/api/teacher/classes/z', { title: 'z', studentIds: [student] })
    expect(await found('classId=z')).toEqual([id])
    expect(await found('classId=z&status=completed')).toEqual([])
  })

  it('is read with the student’s words beside the tutor’s, and counts all attempts', async () => {
    const id = await practise(`reader-${randomUUID()}`, '-2', '2', 'skip', 'red')
    const { status, body } = await api.get(`/api/teacher/sessions/${id}`)
    expect(status).toBe(200)
    const detail = body as SessionDetail
    expect(detail.session).toMatchObject({ title: 'Signs', attempts: 3, problemsTotal: 2 })
    expect(detail.turns.map(({ student }) => student)).toEqual([...['-2', '2', 'skip', 'red']])
    expect(detail.turns.every(({ tutor }) => tutor.length > 0)).toBe(true)
    expect(detail.problems.map(({ expected }) => expected)).toEqual(['2', 'red'])
    expect((await api.get(`/api/teacher/sessions/${randomUUID()}`)).status).toBe(404)
    expect((await api.get('/api/teacher/sessions/none')).status).toBe(404)
  })

  it('of a platform keeps the platform’s answers to itself', async () => {
    const made = await api.post('/api/integrations', { name: 'a platform' })
    const headers = { Authorization: `Bearer ${made.body.token}` }
    await api.post('/question-sets', SET, headers)
    const student = `theirs-${randomUUID()}`
    const session = { student_id: student, question_set_id: SET.question_set_id }
    expect((await api.post('/sessions', session, headers)).status).toBe(201)
    const { body } = await api.get(`/api/teacher/sessions?studentId=${student}`)
    const { body: detail } = await api.get(`/api/teacher/sessions/${body.items[0].id}`)
    expect((detail as SessionDetail).problems.map(({ expected }) => expected)).toEqual([null, null])
  })
})

it('the sets that can be given are listed, one’s own and those that come with the courses', async () => {
  const { body } = await api.get('/api/teacher/question-sets')
  expect(body.items).toEqual(
    expect.arrayContaining([
      { questionSetId: 'signs-1', title: 'Signs', problems: 2, builtIn: false },
      expect.objectContaining({ questionSetId: 'algebra_basics_set_1', builtIn: true }),
    ]),
  )
  expect(JSON.stringify(body)).not.toContain('red')
})

it('a platform is no teacher and no operator', async () => {
  const made = await api.post('/api/integrations', { name: 'another platform' })
  const headers = { Authorization: `Bearer ${made.body.token}` }
  const paths = ['pupils', 'pupils/ada', 'classes/8a/grid', 'question-sets', 'standing']
  for (const path of paths) {
    const response = await fetch(`${api.url}/api/teacher/${path}`, { headers })
    expect([path, response.status]).toEqual([path, 403])
  }
  expect((await remove('/api/teacher/classes/8a', headers)).status).toBe(403)
})
