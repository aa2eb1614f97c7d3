import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { practiceProduct } from '../../src/activities/practice/product.ts'
import type { AnyProduct } from '../../src/activities/spine/product.ts'
import { workflowId } from '../../src/contracts/temporal.ts'
import type { SessionState } from '../../src/domain/practice/state.ts'
import { storeInput } from '../../src/store/spine/inbox.ts'
import { createPracticeWorld, type PracticeWorld } from '../support/practice-world.ts'
import { type ScriptedMind, scriptedMind } from '../support/scripted-mind.ts'

let world: PracticeWorld
let mind: ScriptedMind
let product: AnyProduct

beforeAll(async () => {
  mind = scriptedMind()
  world = await createPracticeWorld({ mind })
  product = practiceProduct({ db: world.own.db, courses: [], mind, lms: null })
})
beforeEach(() => {
  mind.reset()
  Object.assign(world, { broken: {}, afterCommit: null, faults: 0 })
})
afterAll(() => world.stop())

const entity = async (externalId: string) => {
  const row = await world.own.db
    .selectFrom('tutoring_sessions')
    .innerJoin('entities', 'entities.id', 'session_id')
    .selectAll('entities')
    .where('external_session_id', '=', externalId)
    .executeTakeFirstOrThrow()
  return { ...row, state: row.state as SessionState }
}

const turns = async (externalId: string) =>
  world.own.db
    .selectFrom('conversation_turns')
    .select(['turn', 'message_id', 'student_message'])
    .where('session_id', '=', (await entity(externalId)).id)
    .orderBy('turn')
    .execute()

it('a message that always throws is set aside and the next one goes on', async () => {
  const student = await world.student(['p1', 'p2'])
  world.broken = {
    decide(loaded, input, at) {
      if (input.type === 'input' && input.input.id === 'poison') throw new TypeError('a bug')
      return product.decide(loaded, input, at)
    },
  }
  const post = (message_id: string, message: string) =>
    world.post('/webhook/tutor/message', { session_id: student.sessionId, message, message_id })
  const [poison, good] = await Promise.all([post('poison', '9'), post('good', '2')])
  expect(poison).toMatchObject({ status: 500, body: { message_id: 'poison' } })
  expect(poison.headers.get('Retry-After')).toBeNull()
  expect(good).toMatchObject({ status: 200, body: { category: 'correct' } })
  expect((await post('poison', '9')).status).toBe(500)
  expect(await turns(student.sessionId)).toMatchObject([{ turn: 1, message_id: 'good' }])
  expect(world.faults).toBeGreaterThan(0)
  expect((await entity(student.sessionId)).fault).toBeNull()
})

it('two messages at once with one signal are both taken up', async () => {
  const student = await world.student(['p1', 'p2'])
  const { id: entityId, ...rest } = await entity(student.sessionId)
  for (const [id, text] of [
    ['m1', '9'],
    ['m2', '8'],
    ['m3', '2'],
  ]) {
    await storeInput(world.own.db, {
      entityId,
      id: id as string,
      type: 'message',
      payload: { text },
    })
  }
  await world.env.client.workflow.getHandle(rest.workflow_id).signal('wake')
  await expect.poll(async () => (await turns(student.sessionId)).length).toBe(3)
  expect((await turns(student.sessionId)).map(({ student_message }) => student_message)).toEqual([
    '9',
    '8',
    '2',
  ])
})

it('a completion lost after its commit is one completion', async () => {
  const student = await world.student(['p1', 'p2'])
  await student.say('9', 'm1')
  let lost = 0
  world.afterCommit = () => {
    lost += 1
    if (lost <= 2) throw new Error('the connection broke')
  }
  const path = `/sessions/${student.sessionId}/complete`
  const first = await world.post<Record<string, unknown>>(path, '')
  expect(first).toMatchObject({ status: 200, body: { status: 'completed' } })
  await world.env.client.workflow.getHandle((await entity(student.sessionId)).workflow_id).result()
  expect(lost).toBeGreaterThan(2)
  expect((await world.post(path, '')).body).toEqual(first.body)
  const reports = await world.own.db
    .selectFrom('events')
    .select('data')
    .where('stream', '=', 'teachers')
    .where('type', '=', 'report')
    .execute()
  const { id } = await entity(student.sessionId)
  expect(
    reports.filter(({ data }) => (data as { sessionId: string }).sessionId === id),
  ).toHaveLength(1)
})

it('a turn whose answer is lost after its commit counts once', async () => {
  const student = await world.student(['p1', 'p2'])
  let lost = 0
  world.afterCommit = () => {
    lost += 1
    if (lost === 1) throw new Error('the connection broke')
  }
  expect((await student.say('9', 'm1')).category).toBe('wrong_operation')
  expect((await student.say('8', 'm2')).category).toBe('wrong_operation')
  expect(await turns(student.sessionId)).toHaveLength(2)
  expect((await entity(student.sessionId)).state.progress.problems[0]?.attempts).toBe(2)
})

it('a bug of ours is not told as an outage, and the session goes on', async () => {
  const student = await world.student(['p1', 'p2'])
  mind.words = () => {
    throw new TypeError('a bug')
  }
  const { status, body, headers } = await world.post('/webhook/tutor/message', {
    session_id: student.sessionId,
    message: '9',
    message_id: 'm1',
  })
  expect(status).toBe(500)
  expect(body.detail).toContain('fault of Meno’s own')
  expect(headers.get('Retry-After')).toBeNull()
  expect(world.faults).toBeGreaterThan(0)
  expect((await entity(student.sessionId)).fault).toMatchObject({ held: true, message: 'a bug' })
  mind.reset()
  expect((await student.say('2', 'm2')).category).toBe('correct')
  expect(await turns(student.sessionId)).toHaveLength(2)
  expect((await entity(student.sessionId)).fault).toBeNull()
})

it('NUL or half a surrogate pair in a question set is refused, in a message replaced', async () => {
  const problem = { id: 'a', text: 'What is 1 + 1?', correct_answer: '2' }
  for (const bad of ['\u0000', '\ud83d']) {
    const set = { question_set_id: 'bad', problems: [{ ...problem, text: `What ${bad}?` }] }
    expect(await world.post('/question-sets', set)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/problems/0/text' }] },
    })
    const student = await world.student(['p1', 'p2'])
    expect((await student.say(`9${bad}`)).category).toBeDefined()
    expect(await turns(student.sessionId)).toMatchObject([{ student_message: '9\ufffd' }])
  }
})

it('a session without an id of the caller’s own for a message leaves none behind when told to come again', async () => {
  const student = await world.student(['p1', 'p2'])
  await world.workersDown()
  const post = (message_id?: string) =>
    world.post<{ message_id: string }>('/webhook/tutor/message', {
      session_id: student.sessionId,
      message: '9',
      ...(message_id ? { message_id } : {}),
    })
  const { status, body } = await post()
  expect(status).toBe(503)
  await world.workersUp()
  expect(await turns(student.sessionId)).toEqual([])
  expect(await post(body.message_id)).toMatchObject({ status: 200 })
  expect(await turns(student.sessionId)).toHaveLength(1)
})

it('a session that an operator cancels is completed, and its workflow ends', async () => {
  const student = await world.student(['p1', 'p2'])
  const handle = world.env.client.workflow.getHandle(
    workflowId.practice((await entity(student.sessionId)).id),
  )
  await handle.cancel()
  await handle.result()
  const { body } = await world.get(`/sessions/${student.sessionId}`)
  expect(body).toMatchObject({ status: 'completed' })
})

it('the outcome of a session is sent to an arc that takes inputs', () => {
  const facts = {
    ...{ external_session_id: 'arc_1', student_id: 'me', tutor: 'offline', implicit: false },
    ...{
      arc_id: 'the-arc',
      arc_workflow_id: 'arc-the-arc',
      arc_learner_id: 'l',
      arc_course_id: null,
    },
  }
  const problem = { id: 'p', text: '1 + 1?', correct_answer: '2', hints: [], tags: [] }
  const row = { id: 'the-session', version: 2, state: null } as never
  const loaded = product.loaded(row, [[facts], [problem]], Date.now())
  const complete = { type: 'complete', id: 'over', position: 1, payload: {}, receivedAt: 0 }
  const made = product.decide(loaded, { type: 'input', input: complete }, Date.now())
  expect(product.told(made.loaded, made.effects, Date.now()).sent).toEqual([
    {
      to: expect.objectContaining({ id: 'the-arc', workflow_id: 'arc-the-arc', product: 'arc' }),
      input: {
        entityId: 'the-arc',
        id: 'practice/the-session',
        type: 'practice-outcome',
        payload: { sessionId: 'the-session' },
      },
    },
  ])
  expect(product.position(made.loaded, Date.now())).toMatchObject({ over: true, think: [] })
})
