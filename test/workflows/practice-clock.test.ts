import { afterAll, beforeAll, expect, it } from 'vitest'
import { proves } from '../spec/scenario.ts'
import { createPracticeWorld, type PracticeWorld, studentOf } from '../support/practice-world.ts'

let world: PracticeWorld

beforeAll(async () => {
  world = await createPracticeWorld({ server: 'skipping' })
})
afterAll(() => world.stop())

const row = (sessionId: string) =>
  world.own.db
    .selectFrom('tutoring_sessions')
    .selectAll()
    .where('external_session_id', '=', sessionId)
    .executeTakeFirstOrThrow()

it('ends an implicit session a day after its last turn', async () => {
  const student = studentOf(world, 'old', 'someone')
  await world.post('/webhook/tutor/message', {
    session_id: 'old',
    student_id: 'someone',
    message: '2',
    current_problem: { id: 'x', text: 'What is 1 + 1?', correct_answer: '2' },
  })
  await world.env.sleep('23 hours')
  expect((await row('old')).status).toBe('paused')
  await world.env.sleep('2 hours')
  expect((await row('old')).status).toBe('completed')
  await expect(student.say('2')).rejects.toThrow('409')
})

it(
  'offers to skip after ten minutes on a problem, once',
  proves('002 Problem advancement: After ten minutes on a problem skipping is offered'),
  async () => {
    const student = await world.student(['p1', 'p2'])
    await world.env.sleep('11 minutes')
    expect((await student.say('9')).session_status.skip_offered).toBe(true)
    expect((await student.say('9')).session_status.skip_offered).toBe(false)
    expect((await student.say('skip')).session_status.action).toBe('ADVANCE')
  },
)

it(
  'pauses after half an hour without a turn, counts no time then, and goes on with the next message',
  proves(
    '002 Session persistence: Half an hour without a turn pauses a session, and the next message goes on with it',
  ),
  async () => {
    const student = await world.student(['p1', 'p2'])
    await world.env.sleep('10 minutes')
    await student.say('9')
    const before = (await row(student.sessionId)).total_time_seconds
    await world.env.sleep('3 hours')
    expect(await row(student.sessionId)).toMatchObject({ status: 'paused' })
    const turn = await student.say('2')
    expect(turn.session_status).toMatchObject({ status: 'active', action: 'CONTINUE' })
    const { total_time_seconds } = await row(student.sessionId)
    expect(Math.round((total_time_seconds - before) / 60)).toBe(30)
  },
)
