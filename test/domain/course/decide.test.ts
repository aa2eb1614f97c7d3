import { resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Course } from '../../../src/contracts/course-pack.ts'
import { loadCourse } from '../../../src/courses/load.ts'
import type { TurnSaid } from '../../../src/domain/course/brief.ts'
import { decide } from '../../../src/domain/course/decide.ts'
import type { CodeGrade, SealedDrill } from '../../../src/domain/course/drills/drill-grade.ts'
import type { CourseRequest } from '../../../src/domain/course/request.ts'
import {
  type CourseEffect,
  coldCourse,
  type Decision,
  type LoadedCourse,
  type OpenedDrill,
  type TurnMaterial,
} from '../../../src/domain/course/state.ts'
import { stepKey, wanted } from '../../../src/domain/course/steps.ts'
import type { Input } from '../../../src/domain/spine/decision.ts'
import { deepFreeze } from './random-course.ts'

const T0 = Date.parse('2026-03-01T12:00:00Z')
const DAY = 86_400_000
const QUESTION = 'EX-ENTRY-00-B1'

let course: Course
let cold: LoadedCourse

beforeAll(async () => {
  course = await loadCourse(resolve('courses/algebra-basics'))
  const { courseId, entryUnitId } = course
  const state = coldCourse('L', courseId, entryUnitId, T0)
  const fixed = { id: 'E', learnerId: 'L', courseId, course, dayMs: DAY, knownUnitIds: [] }
  cold = deepFreeze({ ...fixed, state })
})

/** A course in the hands of the test: what it is told, and what came of it. */
class Hand {
  loaded: LoadedCourse
  effects: CourseEffect[] = []
  at = T0

  constructor(loaded: LoadedCourse) {
    this.loaded = loaded
  }

  get step() {
    return this.loaded.state.work?.stage.step ?? null
  }

  get answer() {
    return this.effects.find((effect) => effect.type === 'answer')
  }

  tell(input: Input): this {
    const decision: Decision = decide(this.loaded, input, this.at)
    expect(decide(this.loaded, input, this.at)).toEqual(decision)
    this.loaded = deepFreeze(decision.loaded)
    this.effects = decision.effects
    return this
  }

  ask(request: CourseRequest): this {
    const { id, type, threadId, payload } = request
    const input = { id, type, position: 1, payload: { ...payload, threadId }, receivedAt: T0 }
    return this.tell({ type: 'input', input })
  }

  bring(output: unknown): this {
    return this.tell({ type: 'answer', key: stepKey(this.loaded), output })
  }

  fail(fault: 'unavailable' | 'malformed' = 'unavailable'): this {
    const key = stepKey(this.loaded)
    return this.tell({ type: 'no-answer', key, fault, reason: 'no', retryAfterMs: null })
  }

  clock(at: number): this {
    this.at = at
    return this.tell({ type: 'clock', waiting: null })
  }
}

const hand = (change: Partial<LoadedCourse['state']> = {}) =>
  new Hand({ ...cold, state: { ...cold.state, ...change } })

const turn: CourseRequest<'turn'> = {
  id: 'R',
  threadId: 'T',
  type: 'turn',
  payload: { text: 'help', latex: null, voice: null, clientEvent: { type: 'NONE' } },
}
const searched = { scores: [], recentMessages: [], openDrill: null }
const material: TurnMaterial = {
  unitAnchors: [],
  unitContentChunks: [],
  examCandidates: [],
  examSupportChunks: [],
  fallback: {
    title: 'Numbers',
    anchorText: '',
    socraticQuestions: ['FIRST?', 'SECOND?'],
    drills: [],
  },
}
const said = (
  move: Partial<Extract<TurnSaid['reading'], { ok: true }>['value']> = {},
): TurnSaid => ({
  raw: 'raw',
  drillSource: null,
  asks: null,
  reading: {
    ok: true,
    value: {
      action: 'SOCRATIC_QUESTION',
      targetUnitId: 'ENTRY-00',
      tutorText: 'MIND?',
      analysis: {
        mappedUnits: [],
        studentIntent: 'unknown',
        understandingSignal: 'uncertain',
        suggestedPrereqUnits: [],
      },
      ...move,
    },
  },
})
const asked = () => hand().ask(turn).bring(searched).bring(material)
const tutorText = ({ effects }: Hand) =>
  effects.flatMap((effect) =>
    effect.type === 'message' && effect.message.role === 'assistant' ? [effect.message.text] : [],
  )
const log = ({ effects }: Hand) => effects.find((effect) => effect.type === 'turn')?.log

describe('a turn', () => {
  it('searches, retrieves, and asks a mind for a move, on the queue of models and once', () => {
    const steps = [hand().ask(turn).step, hand().ask(turn).bring(searched).step, asked().step]
    expect(steps).toEqual(['search', 'retrieve', 'turn'])
    const { think, wakeAt } = wanted(asked().loaded)
    expect(think).toMatchObject([{ key: 'R/0/turn', queue: 'meno-llm', attempts: 1 }])
    expect(wakeAt).toBe(T0 + 25_000)
  })

  it('shows the move of the mind, and is done', () => {
    const after = asked().bring({ ok: true, prompt: 'P', said: said() })
    expect(tutorText(after)).toEqual(['MIND?'])
    expect(log(after)).toMatchObject({ fallback: false, prompt: 'P', rawAnswer: 'raw' })
    expect(after.answer).toMatchObject({ requestId: 'R', status: 200, shows: 'turn' })
    expect(after.loaded.state).toMatchObject({ work: null, done: 1 })
  })

  it.each([
    ['late', (h: Hand) => h.clock(T0 + 25_000)],
    ['late', (h: Hand) => h.tell({ type: 'slow', key: 'R/0/turn' })],
    ['failed', (h: Hand) => h.fail()],
    ['malformed', (h: Hand) => h.fail('malformed')],
    ['failed', (h: Hand) => h.bring({ ok: false, prompt: null, kind: 'failed', detail: '' })],
    [
      'malformed',
      (h: Hand) => {
        const reading = { ok: false, problems: ['not JSON'] }
        return h.bring({ ok: true, prompt: null, said: { ...said(), reading } })
      },
    ],
    [
      'target_out_of_scope',
      (h: Hand) => h.bring({ ok: true, prompt: null, said: said({ targetUnitId: 'ALG-15' }) }),
    ],
  ])('is answered with the fallback, and logged as %s', (rule, happen) => {
    const after = happen(asked())
    expect(tutorText(after)).toEqual(['FIRST?'])
    expect(log(after)).toMatchObject({ fallback: true, validation: { passed: false } })
    expect(log(after)?.validation.violations.map((violation) => violation.rule)).toEqual([rule])
    expect(after.loaded.state.work).toBeNull()
  })

  it('walks through the fallbacks of a unit', () => {
    const state = { ...cold.state, done: 1 }
    const after = new Hand({ ...cold, state }).ask(turn).bring(searched).bring(material).fail()
    expect(tutorText(after)).toEqual(['SECOND?'])
  })

  it('waits for its mind until then, and takes no answer that comes late or for another', () => {
    const open = asked()
    const before = open.loaded
    expect(open.clock(T0 + 24_999).loaded).toBe(before)
    expect(open.tell({ type: 'answer', key: 'R/1/turn', output: {} }).loaded).toBe(before)
    const told = asked().clock(T0 + 25_000)
    const late = { type: 'answer', key: 'R/0/turn', output: {} } as const
    expect(new Hand(told.loaded).tell(late)).toMatchObject({ effects: [], loaded: told.loaded })
  })
})

describe('a drill’s answer', () => {
  const grade: CourseRequest<'drill_grade'> = {
    id: 'R',
    threadId: 'T',
    type: 'drill_grade',
    payload: {
      unitId: 'ENTRY-00',
      prompt: 'Work out',
      questionLatex: '1+1',
      token: 'x',
      studentAnswer: '2',
    },
  }
  const drill: SealedDrill = {
    id: 'D',
    threadId: 'T',
    unitId: 'ENTRY-00',
    prompt: 'Work out',
    questionLatex: '1+1',
    key: { type: 'number', value: '2' },
    expectedAnswer: '2',
    source: null,
    issuedAt: T0,
  }
  const right: CodeGrade = {
    decided: true,
    isExplained: true,
    grade: { isCorrect: true, feedbackText: 'Right.', commonMistakeTag: null },
  }
  const opened = (change: Partial<OpenedDrill> = {}): OpenedDrill => ({
    drill,
    isGraded: false,
    code: right,
    expectedAnswer: '2',
    another: null,
    ...change,
  })
  const graded = (change: Partial<OpenedDrill> = {}) => hand().ask(grade).bring(opened(change))

  it('is graded by code where it can, and counted once', () => {
    const { effects, answer } = graded()
    expect(effects.map(({ type }) => type)).toEqual([
      'evidence',
      'drill-graded',
      'side-response',
      'answer',
    ])
    expect(answer).toMatchObject({ status: 200, body: { isCorrect: true } })
  })

  it.each([
    [5, {}],
    [3, { drill: { ...drill, hinted: true } }],
    [1, { code: { ...right, grade: { ...right.grade, isCorrect: false } } }],
  ])('counts %i for its concept in an arc: %o', (quality, change) => {
    const { effects } = graded(change as Partial<OpenedDrill>)
    const side = { unitId: 'ENTRY-00', question: 'Work out $1+1$', answer: '2', quality }
    expect(effects).toContainEqual(expect.objectContaining({ type: 'side-response', ...side }))
  })

  it.each([
    [422, { drill: null }],
    [422, { drill: { ...drill, threadId: 'other' } }],
    [422, { drill: { ...drill, unitId: 'ALG-01' } }],
    [422, { code: null }],
    [409, { isGraded: true }],
    [409, { drill: { ...drill, issuedAt: T0 - DAY - 1 } }],
  ])('is refused with %i: %o', (status, change) => {
    const { effects, answer } = graded(change)
    expect(answer?.status).toBe(status)
    expect(effects).toHaveLength(1)
  })

  it('gets another drill where its own has expired', () => {
    const another = { prompt: 'P', questionLatex: 'Q', expectedAnswer: 'A', source: 'S' }
    const old = graded({ drill: { ...drill, issuedAt: T0 - DAY - 1 }, another })
    expect(old.answer).toMatchObject({ status: 409, shows: 'fresh-drill' })
    expect(old.effects[0]).toMatchObject({
      type: 'message',
      message: { shown: { drillSource: 'S' } },
    })
  })

  it('is a mind’s to explain where code cannot, and code’s where the mind says nothing', () => {
    const wrong = { ...right.grade, isCorrect: false, feedbackText: 'Not right.' }
    const code: CodeGrade = { decided: true, isExplained: false, grade: wrong }
    const open = graded({ code })
    expect(wanted(open.loaded).think).toMatchObject([{ key: 'R/0/drill-grade', queue: 'meno-llm' }])
    const overruled = { ok: true, prompt: null, said: right.grade }
    expect(graded({ code }).bring(overruled).answer?.body).toMatchObject(wrong)
    expect(graded({ code }).clock(T0 + 25_000).answer?.body).toMatchObject(wrong)
  })
})

describe('an exam answer', () => {
  const request: CourseRequest<'exam_answer'> = {
    id: 'R',
    threadId: 'T',
    type: 'exam_answer',
    payload: { questionId: QUESTION, selectedOptionId: 'a' },
  }
  const told = (change: Partial<LoadedCourse['state']> = {}) =>
    hand(change)
      .ask(request)
      .bring(true)
      .bring({ [QUESTION]: { status: 'available' } })
  const lockedUntil = new Date(T0 + DAY).toISOString()

  it('is told to the authority with its verdict once the question is open', () => {
    const exam = course.units[0]?.exams.find(({ questionId }) => questionId === QUESTION)
    const { work } = told().loaded.state
    expect(work?.stage).toMatchObject({
      step: 'authority',
      kind: 'attempt',
      isCorrect: exam?.correct === 'a',
    })
    expect(told().loaded.state.told).toEqual({ R: QUESTION })
  })

  it('is told again without a question where its word was lost, not asked whether it is open', () => {
    const lost = told().fail()
    expect(lost.answer).toMatchObject({ status: 503, told: true })
    expect(lost.loaded.state.snapshot).toEqual(cold.state.snapshot)
    const again = new Hand(lost.loaded).ask(request).bring(true)
    expect(again.step).toBe('authority')
    expect(stepKey(again.loaded)).toBe('R/1/authority')
    const word = again.bring({ status: 'locked', lockedUntil })
    expect(word.answer).toMatchObject({ status: 200, body: { isCorrect: false, status: 'locked' } })
    expect(word.loaded.state.told).toEqual({})
  })

  it('is asked about anew once something else was done about the question', () => {
    const lost = told().fail()
    const other = new Hand(lost.loaded).ask({ ...request, id: 'OTHER' }).bring(true)
    expect(other.step).toBe('exam-status')
    const locked = other
      .bring({ [QUESTION]: { status: 'available' } })
      .bring({ status: 'locked', lockedUntil })
    const late = new Hand(locked.loaded).ask(request).bring(true)
    expect(late.step).toBe('exam-status')
    const refused = late.bring({ [QUESTION]: { status: 'locked', lockedUntil } })
    expect(refused.answer).toMatchObject({ status: 409, body: { status: 'locked' } })
  })

  it('is refused where it was not put, and put off where the authority is silent', () => {
    expect(hand().ask(request).bring(false).answer?.status).toBe(409)
    expect(hand().ask(request).bring(true).fail().answer?.status).toBe(503)
    expect(hand().ask(request).bring(true).bring({}).answer?.status).toBe(503)
    expect(told().clock(T0 + 25_000).answer?.status).toBe(503)
    const unknown = { questionId: 'NONE', selectedOptionId: 'a' }
    const lost = hand()
      .ask({ ...request, payload: unknown })
      .bring(false)
    expect(lost.answer?.status).toBe(404)
  })

  it('calls the student back when its lock has ended, unless the authority is silent', () => {
    const locks = { [QUESTION]: { lockedUntil, calledBack: false } }
    const revisitQueue = { [QUESTION]: { unitId: 'ENTRY-00', tier: 'bronze' as const } }
    const snapshot = { ...cold.state.snapshot, revisitQueue }
    const asleep = () => hand({ locks, snapshot })
    expect(wanted(asleep().loaded)).toEqual({ think: [], wakeAt: T0 + DAY })
    expect(asleep().clock(T0 + DAY - 1).step).toBeNull()
    const called = asleep().clock(T0 + DAY)
    expect(called.step).toBe('exam-status')
    const open = called.bring({ [QUESTION]: { status: 'available' } })
    expect(open.effects).toMatchObject([{ type: 'invitation', questionId: QUESTION }])
    expect(wanted(open.loaded)).toEqual({ think: [], wakeAt: null })
    const silent = asleep()
      .clock(T0 + DAY)
      .fail()
    expect(silent.effects).toEqual([])
    expect(wanted(silent.loaded).wakeAt).toBe(T0 + DAY + 60_000)
  })
})
