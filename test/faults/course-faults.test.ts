import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  McqSubmitResponse,
  TurnDebug,
  TutorMessage,
} from '../../src/contracts/course-tutor.ts'
import { readStoredCourse } from '../../src/store/course/snapshots.ts'
import type { Mind } from '../../src/tutor/mind.ts'
import { createOfflineMind } from '../../src/tutor/offline/offline-mind.ts'
import { proves } from '../spec/scenario.ts'
import {
  type CourseWorld,
  cardOf,
  createCourseWorld,
  newStudent,
  optionOf,
  rightAnswer,
  type Student,
} from '../support/course-world.ts'
import { type ExamServer, startExamServer } from '../support/exam-server.ts'

let exams: ExamServer
let world: CourseWorld
let student: Student
let asked = 0
let breaks = 0

/** A mind on the model's path that says what the offline one says, and now and then takes its worker down. */
function breakableMind(): Mind {
  const offline = createOfflineMind()
  return {
    ...offline,
    name: 'anthropic',
    async run(step, context, live) {
      asked += 1
      if (breaks > 0) {
        breaks -= 1
        throw new Error('the worker was killed')
      }
      return offline.run(step, context, live)
    },
  }
}

beforeAll(async () => {
  exams = await startExamServer()
  world = await createCourseWorld('development', breakableMind(), { examApiUrl: exams.url })
  student = await newStudent(world.api)
})
afterAll(async () => {
  await world.stop()
  await exams.close()
})

async function stored() {
  const course = await readStoredCourse(world.own.db, world.learnerId, 'algebra-basics')
  if (!course) throw new Error('nothing is stored')
  return course
}

describe('the course tutor when workers come and go', { timeout: 60_000 }, () => {
  it('answers', async () => {
    expect((await student.say('negative numbers')).status).toBe(200)
  })

  it('says that no worker is there, and then nothing has happened', async () => {
    await world.workersDown()
    const turn = await student.say('is anybody there?')
    expect(turn.status).toBe(503)
    expect(Number(turn.headers.get('Retry-After'))).toBeGreaterThan(0)
    await world.workersUp()
    expect((await student.say('and now?')).status).toBe(200)
    const { body } = await student.get<{ items: TutorMessage[] }>('messages')
    expect(body.items.some(({ text }) => text === 'is anybody there?')).toBe(false)
  })

  it('survives a worker that breaks between the commit and its acknowledgement', async () => {
    const card = cardOf(await student.press({ type: 'REQUEST_DRILL', unitId: 'ENTRY-00' }), 'DRILL')
    const before = (await stored()).snapshot.unitProgress['ENTRY-00']?.drill.attempts ?? 0
    let failures = 1
    world.afterCommit = () => {
      if (failures > 0) {
        failures -= 1
        throw new Error('the connection broke')
      }
    }
    const graded = await student.grade(card, rightAnswer(world, card))
    world.afterCommit = null
    expect(graded).toMatchObject({ status: 200, body: { isCorrect: true } })
    expect((await stored()).snapshot.unitProgress['ENTRY-00']?.drill.attempts).toBe(before + 1)
  })

  it('asks a model once, also when the worker breaks while it is asked', async () => {
    const before = asked
    breaks = 1
    const turn = await student.say('how do I add negative numbers')
    expect(turn.status).toBe(200)
    expect(asked).toBe(before + 1)
    const { body } = await student.get<TurnDebug>('debug')
    expect(body.fallback).toBe(true)
    expect(body.validation.violations.map(({ rule }) => rule)).toEqual(['failed'])
    expect(body.turnId).toBe(turn.body.turnId)
  })

  it(
    'offers no exam and takes no answer while the exam authority is away',
    proves(
      '004 Exam authority (PF-5.2): Without the authority no exam is offered and no answer taken',
    ),
    async () => {
      const goOn = { type: 'DRILL_CONTINUE', unitId: 'ENTRY-00', lastResult: 'correct' } as const
      for (let streak = 0; streak < 2; streak += 1) {
        const card = cardOf(
          await student.press({ type: 'REQUEST_DRILL', unitId: 'ENTRY-00' }),
          'DRILL',
        )
        await student.grade(card, rightAnswer(world, card))
      }
      const exam = cardOf(await student.press(goOn), 'EXAM')
      exams.lose('status', 'call', 3)
      cardOf(await student.press(goOn), 'DRILL')
      const debug = await student.get<TurnDebug>('debug')
      expect(debug.body.policy).toMatchObject({ examReady: true, examAvailability: 'none' })

      const answer = {
        courseId: 'algebra-basics',
        questionId: exam.questionId,
        selectedOptionId: optionOf(world, exam, true),
      }
      const key = { 'Idempotency-Key': 'one-answer' }
      const before = await stored()
      const refused = await student.post('exam/mcq-submit', answer, key)
      expect(refused.status).toBe(503)
      expect(refused.headers.get('Retry-After')).toBeTruthy()
      expect((await stored()).snapshot).toEqual(before.snapshot)

      const taken = await student.post<McqSubmitResponse>('exam/mcq-submit', answer, key)
      expect(taken).toMatchObject({ status: 200, body: { isCorrect: true, masteryTier: 'bronze' } })
      const again = await student.post<McqSubmitResponse>('exam/mcq-submit', answer, key)
      expect(again.body).toEqual(taken.body)
      const passes = (await stored()).snapshot.unitProgress['ENTRY-00']?.exam.passedByTier
      expect(passes).toEqual({ bronze: 1, silver: 0, gold: 0 })
    },
  )

  it('counts an answer the authority has taken, though its word was lost on the way', async () => {
    const goOn = { type: 'DRILL_CONTINUE', unitId: 'ENTRY-00', lastResult: 'correct' } as const
    const exam = cardOf(await student.press(goOn), 'EXAM')
    exams.lose('attempts', 'answer', 4)
    const key = { 'Idempotency-Key': 'an-answer-lost-on-the-way' }
    const submit = (right: boolean) =>
      student.post<McqSubmitResponse>(
        'exam/mcq-submit',
        {
          courseId: 'algebra-basics',
          questionId: exam.questionId,
          selectedOptionId: optionOf(world, exam, right),
        },
        key,
      )
    expect((await submit(false)).status).toBe(503)
    expect((await submit(false)).status).toBe(503)
    expect((await submit(true)).status).toBe(422)
    const taken = await submit(false)
    expect(taken).toMatchObject({ status: 200, body: { isCorrect: false, status: 'locked' } })
    expect((await stored()).snapshot.revisitQueue).toHaveProperty(exam.questionId)
    expect(new Set(exams.attempts).size).toBe(exams.attempts.length)
  })

  it('takes no answer twice by a key whose call never arrived', async () => {
    const goOn = { type: 'DRILL_CONTINUE', unitId: 'ENTRY-00', lastResult: 'correct' } as const
    const exam = cardOf(await student.press(goOn), 'EXAM')
    const answer = {
      courseId: 'algebra-basics',
      questionId: exam.questionId,
      selectedOptionId: optionOf(world, exam, true),
    }
    exams.lose('attempts', 'call', 2)
    const key = { 'Idempotency-Key': 'an-answer-never-heard' }
    expect((await student.post('exam/mcq-submit', answer, key)).status).toBe(503)
    const wrong = await student.submit(exam, optionOf(world, exam, false))
    expect(wrong.body).toMatchObject({ isCorrect: false, status: 'locked' })
    const before = (await stored()).snapshot
    const late = await student.post<McqSubmitResponse>('exam/mcq-submit', answer, key)
    expect(late).toMatchObject({ status: 409, body: { status: 'locked' } })
    expect((await stored()).snapshot).toEqual(before)
  })
})
