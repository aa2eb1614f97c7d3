import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ThreadView, TutorMessage } from '../../src/contracts/course-tutor.ts'
import { readStoredCourse } from '../../src/store/course/snapshots.ts'
import { proves } from '../spec/scenario.ts'
import {
  type CourseWorld,
  cardOf,
  createCourseWorld,
  newStudent,
  optionOf,
  readEvidence,
  rightAnswer,
  type Student,
} from '../support/course-world.ts'
import { recomputeSnapshot } from '../support/recompute-snapshot.ts'

let world: CourseWorld
let student: Student

beforeAll(async () => {
  world = await createCourseWorld()
  student = await newStudent(world.api)
})
afterAll(() => world.stop())

const courseId = 'algebra-basics'

async function stored() {
  const course = await readStoredCourse(world.own.db, world.learnerId, courseId)
  if (!course) throw new Error('nothing is stored')
  return course
}

async function turnsTaken() {
  const log = await readEvidence(world.own.db, world.learnerId, courseId)
  return log.filter(({ type }) => type === 'turn_taken').length
}

describe('the course tutor without a model', { timeout: 60_000 }, () => {
  it(
    'answers a first message with a question on what has to come first',
    proves('004 Input A: /turn: A2: Mapped unit high, prereqs missing'),
    async () => {
      const turn = await student.say('I need help with linear equations')
      expect(turn.status).toBe(200)
      const { messages, snapshotLite } = turn.body
      expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant'])
      expect(messages[1]?.card).toBeUndefined()
      expect(messages[1]?.text).toMatch(/\?/)
      expect(snapshotLite).toMatchObject({
        focus: { unitId: 'ENTRY-00', masteryTier: 'none' },
        prereqNudge: { unitId: 'ENTRY-00' },
        progress: { bronze: 0, silver: 0, gold: 0 },
      })
    },
  )

  it(
    'gives a drill on request, grades it by code, and goes on',
    proves('004 Input B: /drill/grade: B1: Correct'),
    async () => {
      const card = cardOf(
        await student.press({ type: 'REQUEST_DRILL', unitId: 'ENTRY-00' }),
        'DRILL',
      )
      expect(card.unitId).toBe('ENTRY-00')
      expect(JSON.stringify(card)).not.toContain('expected')
      const graded = await student.grade(card, rightAnswer(world, card))
      expect(graded).toMatchObject({
        status: 200,
        body: { isCorrect: true, commonMistakeTag: null },
      })
      const unit = (await stored()).snapshot.unitProgress['ENTRY-00']
      expect(unit?.drill).toEqual({ attempts: 1, correct: 1, streakCorrect: 1 })
    },
  )

  it(
    'refuses a drill that is graded, changed, from another thread, or made up',
    proves('004 Drill workflow (PF-4.1): A drill is graded only as it was given'),
    async () => {
      const event = { type: 'REQUEST_DRILL', unitId: 'ENTRY-00' } as const
      const card = cardOf(await student.press(event), 'DRILL')
      const other = await newStudent(world.api)
      expect((await other.grade(card, '1')).status).toBe(422)
      expect((await student.grade({ ...card, questionLatex: '1+1' }, '2')).status).toBe(422)
      expect((await student.grade({ ...card, token: 'x'.repeat(80) }, '2')).status).toBe(422)
      expect((await student.grade({ ...card, unitId: 'ALG-01' }, '2')).status).toBe(422)
      expect((await student.grade(card, '987654')).body.isCorrect).toBe(false)
      expect((await student.grade(card, rightAnswer(world, card))).status).toBe(409)
      expect((await stored()).snapshot.unitProgress['ENTRY-00']?.drill.attempts).toBe(2)
    },
  )

  it('counts nothing for an answer nobody can read, and leaves the drill open', async () => {
    const event = { type: 'REQUEST_DRILL', unitId: 'ENTRY-00' } as const
    const card = cardOf(await student.press(event), 'DRILL')
    const before = (await stored()).snapshot.unitProgress
    const unread = await student.grade(card, 'perhaps it could be something around that, who knows')
    expect(unread).toMatchObject({ status: 200, body: { isCorrect: false, isCounted: false } })
    expect((await stored()).snapshot.unitProgress).toEqual(before)
    expect((await student.grade(card, rightAnswer(world, card))).body.isCorrect).toBe(true)
  })

  it('gives one hint after the other to who is stuck, never the answer', async () => {
    const event = { type: 'REQUEST_DRILL', unitId: 'ENTRY-00' } as const
    const card = cardOf(await student.press(event), 'DRILL')
    const hints: string[] = []
    for (let n = 0; n < 2; n += 1) {
      const turn = await student.press({ type: 'DRILL_STUCK', unitId: card.unitId })
      expect(turn.body.messages).toHaveLength(1)
      hints.push(turn.body.messages[0]?.text ?? '')
    }
    expect(new Set(hints).size).toBe(2)
  })

  it(
    'asks who names nothing it knows what they mean, without a card',
    proves('004 Input A: /turn: A3: Mapped unit ambiguous/low confidence'),
    async () => {
      for (let n = 0; n < 2; n += 1) {
        cardOf(await student.press({ type: 'REQUEST_DRILL', unitId: 'ENTRY-00' }), 'DRILL')
        const turn = await student.say(n === 0 ? 'hello there' : 'hmm, well')
        expect(turn.body.messages.at(-1)).not.toHaveProperty('card')
        expect(turn.body.messages.at(-1)?.text).toMatch(/\?$/)
      }
    },
  )

  it(
    'shows a concept to who has missed two drills, then a drill again',
    proves(
      '004 Input A: /turn: A4: Evidence shows stuck (attempts≥2 and streak=0)',
      '004 Input B: /drill/grade: B2: Incorrect',
    ),
    async () => {
      for (let n = 0; n < 2; n += 1) {
        const event = { type: 'REQUEST_DRILL', unitId: 'ENTRY-00' } as const
        const card = cardOf(await student.press(event), 'DRILL')
        expect((await student.grade(card, '987654')).body.isCorrect).toBe(false)
      }
      const goOn = { type: 'DRILL_CONTINUE', unitId: 'ENTRY-00', lastResult: 'incorrect' } as const
      const concept = cardOf(await student.press(goOn), 'CONCEPT')
      expect(concept.keyIdeas.length).toBeGreaterThan(0)
      expect(concept.keyIdeas.length).toBeLessThanOrEqual(3)
      cardOf(await student.press(goOn), 'DRILL')
    },
  )

  it(
    'gives an exam to who is ready, locks a wrong answer for a day, and calls back',
    proves(
      '004 Input A: /turn: A5: ExamReady true and examAvailability available (tier-aware)',
      '004 Input C: exam events: C2: MCQ submit incorrect OR support viewed',
    ),
    async () => {
      const goOn = { type: 'DRILL_CONTINUE', unitId: 'ENTRY-00', lastResult: 'correct' } as const
      for (let n = 0; n < 2; n += 1) {
        const event = { type: 'REQUEST_DRILL', unitId: 'ENTRY-00' } as const
        const card = cardOf(await student.press(event), 'DRILL')
        expect((await student.grade(card, rightAnswer(world, card))).body.isCorrect).toBe(true)
      }
      const exam = cardOf(await student.press(goOn), 'EXAM')
      expect(exam).toMatchObject({ unitId: 'ENTRY-00', tier: 'bronze', status: 'available' })
      expect(JSON.stringify(exam)).not.toMatch(/correct|memo/)
      const wrong = await student.submit(exam, optionOf(world, exam, false))
      expect(wrong).toMatchObject({ status: 200, body: { isCorrect: false, status: 'locked' } })
      expect(wrong.body.snapshotLite.revisit).toMatchObject({
        lockedCount: 1,
        nextQuestionId: exam.questionId,
      })
      expect((await student.submit(exam, optionOf(world, exam, true))).status).toBe(409)

      const next = cardOf(await student.press(goOn), 'EXAM')
      expect(next.questionId).not.toBe(exam.questionId)
      const right = await student.submit(next, optionOf(world, next, true))
      expect(right.body).toMatchObject({ isCorrect: true, status: 'passed', masteryTier: 'bronze' })
      expect(right.body.snapshotLite.progress.bronze).toBe(1)

      const shown = await student.get<{ items: TutorMessage[] }>('messages')
      const exams = shown.body.items.flatMap(({ card }) => (card?.type === 'EXAM' ? [card] : []))
      expect(exams).toEqual([
        { ...exam, status: 'locked', lockedUntil: wrong.body.lockedUntil },
        { ...next, status: 'passed' },
      ])

      await world.env.sleep('25 hours')
      const messages = await student.get<{ items: TutorMessage[] }>('messages')
      const calls = messages.body.items.filter(({ role }) => role === 'system')
      expect(calls).toHaveLength(1)
      expect(calls[0]?.text).toContain('open again')
      expect((await stored()).locks[exam.questionId]).toMatchObject({ calledBack: true })

      // The agenda calls as well, at an hour at which it may, and once however long nobody comes.
      await world.env.sleep('12 hours')
      const nudges = () =>
        world.own.db
          .selectFrom('nudges')
          .select(['kind', 'notice', 'created_at'])
          .where('learner_id', '=', world.learnerId)
          .execute()
      await expect.poll(nudges, { timeout: 30_000 }).toHaveLength(1)
      await world.env.sleep('5 days')
      const [nudge, ...others] = await nudges()
      expect(others).toEqual([])
      expect(nudge?.kind).toBe('locked-exam')
      const unit = world.courses
        .find((course) => course.courseId === courseId)
        ?.units.find(({ unitId }) => unitId === exam.unitId)
      expect(nudge?.notice).toMatchObject({
        title: `An exam question is open again: ${unit?.title}`,
        path: `/tutor/${student.threadId}`,
        action: 'To the course',
      })
      const hour = nudge?.created_at.getUTCHours() ?? 0
      expect(hour >= 8 && hour < 21).toBe(true)
    },
  )

  it(
    'lets the memo be seen, at the price of a lock',
    proves('004 Input C: exam events: C2: MCQ submit incorrect OR support viewed'),
    async () => {
      const goOn = { type: 'EXAM_CONTINUE', unitId: 'ENTRY-00', result: 'passed' } as const
      const exam = cardOf(await student.press({ ...goOn, questionId: 'EX-ENTRY-00-B1' }), 'EXAM')
      expect(exam.tier).toBe('silver')
      const none = await student.submit(exam, 'no option')
      const errors = [{ pointer: '/selectedOptionId', detail: 'the question has no such option' }]
      expect(none).toMatchObject({ status: 422, body: { errors } })
      const seen = await student.view(exam)
      expect(seen).toMatchObject({ status: 200, body: { supportType: 'memo', status: 'locked' } })
      expect(seen.body.text?.length).toBeGreaterThan(5)
      const video = await student.view(exam, 'video')
      expect(video.body).toMatchObject({ supportType: 'video', text: seen.body.text })
      expect((await student.submit(exam, optionOf(world, exam, true))).status).toBe(409)
    },
  )

  it('knows no exam question but those it has put', async () => {
    const unknown = { questionId: 'EX-NONE-1' } as never
    expect((await student.submit(unknown, 'a')).status).toBe(404)
    expect((await student.view({ questionId: 'EX-ALG-01-B1' } as never)).status).toBe(409)
  })

  it('does the same request once', async () => {
    const key = { 'Idempotency-Key': randomUUID() }
    const body = { courseId, messageText: 'what is a negative number' }
    const first = await student.post<{ turnId: string }>('turn', body, key)
    const again = await student.post<{ turnId: string }>('turn', body, key)
    expect(again.body).toEqual(first.body)
    const other = await student.post('turn', { ...body, messageText: 'what is a fraction' }, key)
    expect(other.status).toBe(422)
    const turns = await world.own.db
      .selectFrom('course_turns')
      .select('turn_id')
      .where('turn_id', '=', first.body.turnId)
      .execute()
    expect(turns).toHaveLength(1)
  })

  it('tells who comes back where they stand', async () => {
    const turn = await student.say('what is a negative number')
    const { body } = await student.get<ThreadView>('')
    expect(body).toMatchObject({ threadId: student.threadId, courseId })
    // The server that skips time is a day ahead of the API.
    expect({ ...body.snapshotLite, revisit: null }).toEqual({
      ...turn.body.snapshotLite,
      revisit: null,
    })
    const elsewhere = await newStudent(world.api, 'python-fundamentals')
    const begun = (await elsewhere.get<ThreadView>('')).body.snapshotLite
    expect(begun).toMatchObject({ focus: { unitId: 'ENTRY-00' }, progress: { bronze: 0 } })
    const unknown = await world.api.request(`/api/tutor/threads/${randomUUID()}`)
    expect(unknown.status).toBe(404)
  })

  it('serves two threads at once, one after the other', async () => {
    const other = await newStudent(world.api)
    const before = await turnsTaken()
    const turns = await Promise.all([
      student.say('slope of a line'),
      other.say('what is the order of operations'),
      student.say('give me a drill'),
      other.press({ type: 'REQUEST_DRILL', unitId: 'ENTRY-00' }),
    ])
    expect(turns.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await turnsTaken()).toBe(before + 4)
  })

  it(
    'tells teachers how a turn came about',
    proves('004 Observability (PF-7): A turn tells teachers how it came about'),
    async () => {
      const turn = await student.press({ type: 'REQUEST_DRILL', unitId: 'ENTRY-00' })
      const debug = await student.get('debug')
      expect(debug).toMatchObject({
        status: 200,
        body: {
          turnId: turn.body.turnId,
          mappedUnits: expect.arrayContaining([{ unitId: 'ENTRY-00', confidence: 1 }]),
          action: 'DRILL_CARD',
          validation: { passed: true, violations: [] },
          fallback: false,
          prompt: null,
        },
      })
    },
  )

  it(
    'keeps a snapshot that is what its evidence amounts to',
    proves('004 Snapshot (PF-1.1): A snapshot is what its evidence amounts to'),
    async () => {
      const { snapshot, startedAt } = await stored()
      const log = await readEvidence(world.own.db, world.learnerId, courseId)
      expect(log.length).toBeGreaterThan(20)
      const start = { studentId: world.learnerId, courseId, entryUnitId: 'ENTRY-00', startedAt }
      expect(recomputeSnapshot(start, log)).toEqual(snapshot)
    },
  )

  it('takes the short addresses as well, and refuses what is not valid', async () => {
    const short = `/threads/${student.threadId}/turn`
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const send = (body: object) => world.api.request(short, { ...init, body: JSON.stringify(body) })
    expect((await send({ courseId, messageText: 'hello' })).status).toBe(200)
    expect((await send({ courseId })).status).toBe(422)
    expect((await send({ courseId: 'python-fundamentals', messageText: 'hi' })).status).toBe(422)
    const pressed = async (clientEvent: object) => {
      const response = await send({ clientEvent })
      const { errors } = (await response.json()) as { errors?: { pointer: string }[] }
      return [response.status, errors?.map(({ pointer }) => pointer)]
    }
    const goOn = { type: 'EXAM_CONTINUE', unitId: 'ENTRY-00', result: 'passed' }
    const unit = [422, ['/clientEvent/unitId']]
    expect(await pressed({ type: 'REQUEST_DRILL', unitId: 'NOPE' })).toEqual(unit)
    expect(await pressed({ ...goOn, unitId: 'NOPE', questionId: 'NOPE' })).toEqual(unit)
    const question = [422, ['/clientEvent/questionId']]
    expect(await pressed({ ...goOn, questionId: 'NOPE' })).toEqual(question)
    const elsewhere = `/api/tutor/threads/${randomUUID()}/turn`
    const lost = await world.api.request(elsewhere, { ...init, body: '{"messageText":"hi"}' })
    expect(lost.status).toBe(404)
  })
})
