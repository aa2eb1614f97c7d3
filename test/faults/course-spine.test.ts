import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { wakeForgotten } from '../../src/commands/reconciler.ts'
import type { TurnDebug, TutorMessage } from '../../src/contracts/course-tutor.ts'
import { workflowId } from '../../src/contracts/temporal.ts'
import type { CourseRequest } from '../../src/domain/course/request.ts'
import { storeRequest } from '../../src/store/course/requests.ts'
import { courseEntity } from '../../src/store/course/snapshots.ts'
import { createAnthropicMind } from '../../src/tutor/anthropic/anthropic-mind.ts'
import {
  type CourseWorld,
  cardOf,
  createCourseWorld,
  newStudent,
  optionOf,
  rightAnswer,
  type Student,
} from '../support/course-world.ts'
import { type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts'
import { blockOf } from '../support/scripted-world.ts'

const courseId = 'algebra-basics'
const unitId = 'ENTRY-00'

async function entityOf({ own, learnerId }: CourseWorld) {
  const { id } = await own.db
    .selectFrom('course_snapshots')
    .select('id')
    .where('learner_id', '=', learnerId)
    .where('course_id', '=', courseId)
    .executeTakeFirstOrThrow()
  return { id, toWake: courseEntity(id, { learnerId, courseId }) }
}

const turnOf = (threadId: string, text: string): CourseRequest<'turn'> => ({
  id: randomUUID(),
  threadId,
  type: 'turn',
  payload: { text, latex: null, voice: null, clientEvent: { type: 'NONE' } },
})

async function inputOf({ own }: CourseWorld, id: string) {
  return own.db.selectFrom('inbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

async function answered(world: CourseWorld, id: string) {
  await expect.poll(async () => (await inputOf(world, id)).answered_at).not.toBeNull()
  return inputOf(world, id)
}

describe('a course on the spine', { timeout: 60_000 }, () => {
  let world: CourseWorld
  let student: Student

  beforeAll(async () => {
    world = await createCourseWorld('development', null, { dayMs: 1_500 })
    student = await newStudent(world.api)
    expect((await student.say('negative numbers')).status).toBe(200)
  })
  afterAll(() => world.stop())

  it('two requests at once, one signal', async () => {
    const { id, toWake } = await entityOf(world)
    const requests = ['one', 'another'].map((text) => turnOf(student.threadId, text))
    for (const request of requests) await storeRequest(world.own.db, id, request)
    await world.wake(toWake)
    for (const request of requests) {
      expect((await answered(world, request.id)).answer).toMatchObject({ status: 200 })
    }
  })

  it('a request that always throws is set aside and the next goes on', async () => {
    const { id, toWake } = await entityOf(world)
    const faults = world.faults
    const broken = turnOf(student.threadId, 'broken')
    const request = { ...broken, payload: {} } as CourseRequest
    await storeRequest(world.own.db, id, request)
    const next = turnOf(student.threadId, 'the next one')
    await storeRequest(world.own.db, id, next)
    await world.wake(toWake)
    expect((await answered(world, next.id)).answer).toMatchObject({ status: 200 })
    expect(await inputOf(world, request.id)).toMatchObject({ answer: null })
    expect((await inputOf(world, request.id)).failure).toMatch(/undefined/)
    expect(world.faults).toBe(faults + 1)
  })

  it('a bug of ours is not told as an outage', async () => {
    const card = cardOf(await student.press({ type: 'REQUEST_DRILL', unitId }), 'DRILL')
    const { sealer } = world.parts
    world.parts.sealer = {
      ...sealer,
      open() {
        throw new TypeError('a bug')
      },
    }
    const key = { 'Idempotency-Key': 'met-a-bug' }
    const sent = {
      courseId,
      unitId,
      drill: { prompt: card.prompt, question_latex: card.questionLatex, token: card.token },
      studentAnswer: rightAnswer({ ...world, parts: { ...world.parts, sealer } }, card),
    }
    const graded = await student.post('drill/grade', sent, key)
    world.parts.sealer = sealer
    expect(graded.status).toBe(500)
    expect(graded.headers.get('Retry-After')).toBeNull()
    expect(graded.body.detail).toMatch(/fault/)
    const again = await student.post('drill/grade', sent, key)
    expect(again).toMatchObject({ status: 200, body: { isCorrect: true } })
  })

  it('a course tutor’s timers not coming back after a lost Temporal', async () => {
    for (let streak = 0; streak < 2; streak += 1) {
      const card = cardOf(await student.press({ type: 'REQUEST_DRILL', unitId }), 'DRILL')
      await student.grade(card, rightAnswer(world, card))
    }
    const goOn = { type: 'DRILL_CONTINUE', unitId, lastResult: 'correct' } as const
    const exam = cardOf(await student.press(goOn), 'EXAM')
    const wrong = await student.submit(exam, optionOf(world, exam, false))
    expect(wrong.body.status).toBe('locked')
    const workflow = world.env.client.workflow.getHandle(
      workflowId.course(courseId, world.learnerId),
    )
    await workflow.terminate('lost')
    await sleep(2_000)
    const { db } = world.own
    const { id } = await entityOf(world)
    const { wake_at } = await db
      .selectFrom('entities')
      .select('wake_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(wake_at?.toISOString()).toBe(wrong.body.lockedUntil)
    const past = new Date(Date.now() - 120_000)
    await db.updateTable('entities').set({ wake_at: past }).where('id', '=', id).execute()
    const found = await wakeForgotten({ db, wake: world.wake, log: console })
    expect(found).toBe(1)
    const calls = async () => {
      const { body } = await student.get<{ items: TutorMessage[] }>('messages')
      return body.items.filter(({ role }) => role === 'system')
    }
    await expect.poll(calls, { timeout: 10_000 }).toHaveLength(1)
  })
})

describe('a course whose model is slow', { timeout: 90_000 }, () => {
  let model: ScriptedModel
  let world: CourseWorld
  let student: Student

  beforeAll(async () => {
    model = await startScriptedModel()
    model.answer('*', ({ prompt }) => question(blockOf(prompt, 'policy')))
    const models = { tutor: 'tutor', fast: 'fast' }
    const options = { apiKey: 'any', baseUrl: model.url, models, silenceMs: 60_000 }
    world = await createCourseWorld('development', createAnthropicMind(options))
    student = await newStudent(world.api)
  })
  afterEach(() => model.pace(0))
  afterAll(async () => {
    await world.stop()
    await model.close()
  })

  const question = (policy: string) => ({
    mapped_units: [],
    action: 'SOCRATIC_QUESTION',
    target_unit_id: JSON.parse(policy).focusUnitId,
    tutor_text: 'MODEL What would you try?',
    turn_analysis: {
      student_intent: 'solve',
      understanding_signal: 'uncertain',
      suggested_prereq_units: [],
    },
  })

  const steps = () =>
    world.own.db
      .selectFrom('model_steps')
      .select(['kind', 'model', 'entity_id', 'input_tokens', 'output_tokens'])
      .orderBy('created_at')
      .execute()

  it('tokens of course steps are counted', async () => {
    expect((await student.say('negative numbers')).body.messages.at(-1)?.text).toContain('MODEL')
    const { id } = await entityOf(world)
    const [step] = await steps()
    expect(step).toMatchObject({ kind: 'course-turn', model: 'tutor', entity_id: id })
    expect(step?.input_tokens).toBeGreaterThan(500)
    expect(step?.output_tokens).toBeGreaterThan(20)
  })

  it('tokens of an answer of no use are counted', async () => {
    const before = (await steps()).length
    model.script({ kind: 'truncated' })
    const turn = await student.say('negative numbers')
    expect(turn.body.messages.at(-1)?.text).not.toContain('MODEL')
    const after = await steps()
    expect(after).toHaveLength(before + 1)
    expect(after.at(-1)?.output_tokens).toBeGreaterThan(0)
  })

  it('a bug of ours that a model’s answer meets is told, and the next request goes on', async () => {
    const { seal } = world.parts.sealer
    const faults = world.faults
    world.parts.sealer.seal = () => {
      throw new TypeError('a bug')
    }
    const drill = { prompt: 'Work out', question_latex: '2+2', expected_answer: '4' }
    model.answer('*', ({ prompt }) => ({
      ...question(blockOf(prompt, 'policy')),
      action: 'DRILL_CARD',
      drill_card: drill,
    }))
    const met = await student.say('negative numbers')
    world.parts.sealer.seal = seal
    expect(met.status).toBe(500)
    expect(world.faults).toBe(faults + 1)
    cardOf(await student.say('negative numbers'), 'DRILL')
    model.answer('*', ({ prompt }) => question(blockOf(prompt, 'policy')))
  })

  it('the mind’s activity obeys cancellation', async () => {
    model.script({ kind: 'silence', ms: 40_000 })
    const startedAt = Date.now()
    const turn = await student.say('is anybody there?')
    expect(Date.now() - startedAt).toBeLessThan(12_000)
    expect(turn.body.messages.at(-1)?.text).not.toContain('MODEL')
    const { body } = await student.get<TurnDebug>('debug')
    expect(body.validation.violations.map(({ rule }) => rule)).toEqual(['late'])
    await expect.poll(() => model.calls.at(-1)?.aborted, { timeout: 10_000 }).toBe(true)
  })

  it('a late model answer after the fallback was told is kept with its tokens and not applied', async () => {
    const before = (await steps()).length
    // Nobody is told to stop: the answer comes when nobody waits for it any more.
    const { run } = world.parts.mind
    world.parts.mind = {
      ...world.parts.mind,
      run: (step, context, live) =>
        run(step, context, { ...live, signal: new AbortController().signal }),
    }
    model.script({ kind: 'silence', ms: 9_000 })
    const turn = await student.say('negative numbers')
    expect(turn.body.messages.at(-1)?.text).not.toContain('MODEL')
    await expect.poll(async () => (await steps()).length, { timeout: 10_000 }).toBe(before + 1)
    world.parts.mind = { ...world.parts.mind, run }
    expect((await steps()).at(-1)?.output_tokens).toBeGreaterThan(20)
    const { body } = await student.get<{ items: TutorMessage[] }>('messages')
    expect(body.items.at(-1)).toEqual(turn.body.messages.at(-1))
  })

  it('a request that waits for another one is not taken back', async () => {
    const other = await newStudent(world.api)
    // Slow, but alive: the first turn takes longer than a request waits for a worker.
    model.pace(1_000)
    const before = model.calls.length
    const first = student.say('negative numbers')
    await expect.poll(() => model.calls.length).toBe(before + 1)
    await sleep(100)
    model.pace(0)
    const startedAt = Date.now()
    const second = await other.say('negative numbers')
    expect(second.status).toBe(200)
    expect(Date.now() - startedAt).toBeGreaterThan(8_000)
    expect((await first).body.messages.at(-1)?.text).toContain('MODEL')
  })
})
