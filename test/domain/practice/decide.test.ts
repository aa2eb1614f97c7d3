import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, type PracticeEffect } from '../../../src/domain/practice/decide.ts'
import { admits, isOver, wakeAt } from '../../../src/domain/practice/position.ts'
import type { Reading } from '../../../src/domain/practice/read-message.ts'
import type { Category } from '../../../src/domain/practice/session.ts'
import {
  newState,
  type Practice,
  type PracticeReply,
  type Problem,
} from '../../../src/domain/practice/state.ts'
import { stepsOf } from '../../../src/domain/practice/steps.ts'
import type { Input } from '../../../src/domain/spine/decision.ts'

const START = Date.UTC(2026, 0, 5, 9)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Something that code cannot read as an answer. */
const PROSE = 'the distance that remains is, by my count, two steps'

const problem = (id: string, text: string, correct_answer: string): Problem => ({
  ...{ id, text, correct_answer },
  hints: ['Think of a number line.'],
  tags: ['negative numbers'],
})
const PROBLEMS = [
  problem('p1', 'What is -3 + 5?', '2'),
  problem('p2', 'What is -7 + 3?', '-4'),
  problem('p3', 'What is 4 - 9?', '-5'),
]

function session(changes: Partial<Practice> = {}, count = 2): Practice {
  const problems = PROBLEMS.slice(0, count)
  const state = newState(problems, false, START)
  const fixed = {
    sessionId: 's',
    hasModel: true,
    delivers: false,
    isOfArc: false,
    hasTeacher: true,
  }
  return { ...fixed, problems, state, ...changes }
}

const input = (type: string, id = type, payload: Record<string, unknown> = {}): Input => ({
  type: 'input',
  input: { type, id, position: 1, payload, receivedAt: START },
})
const message = (text: string, id = text, problem: Problem | null = null) =>
  input('message', id, { text, problem })
const verdict = (category: Category, isMainAttempt = false): Reading => ({
  ...{ category, isMainAttempt, value: null },
})
const failed = (key: string, fault: 'unavailable' | 'refused' | 'malformed' = 'unavailable') =>
  ({ type: 'no-answer', key, fault, reason: 'down', retryAfterMs: null }) as const
const CLOCK: Input = { type: 'clock', waiting: null }

/** A session in the hands of a test: each input at its time, each effect kept. */
class Told {
  practice: Practice
  at = START
  effects: PracticeEffect[] = []

  constructor(practice: Practice) {
    this.practice = practice
  }

  tell(given: Input, afterMs = 1_000): PracticeEffect[] {
    this.at += afterMs
    const before = JSON.stringify(this.practice)
    const made = decide(this.practice, given, this.at)
    expect(JSON.stringify(this.practice), 'its argument is left alone').toBe(before)
    this.practice = made.practice
    this.effects.push(...made.effects)
    return made.effects
  }

  get state() {
    return this.practice.state
  }

  get keys(): string[] {
    return stepsOf(this.practice).map(({ step }) => step.key)
  }

  get kinds(): string[] {
    return stepsOf(this.practice).map(({ kind }) => kind)
  }

  answer(kind: string, output: unknown, afterMs = 1_000) {
    return this.tell({ type: 'answer', key: this.key(kind), output }, afterMs)
  }

  key(kind: string): string {
    const step = stepsOf(this.practice).find((each) => each.kind === kind)
    if (!step) throw new Error(`no ${kind} is wanted`)
    return step.step.key
  }

  get answered(): string[] {
    return this.effects.flatMap((effect) =>
      effect.type === 'turn-ended' ? [effect.message.messageId] : [],
    )
  }
}

const ended = (effects: PracticeEffect[]) => {
  const turn = effects.find(({ type }) => type === 'turn-ended')
  if (turn?.type !== 'turn-ended') throw new Error('no turn has ended')
  return turn
}

const reply = (text: string): PracticeReply => ({ text, scaffold: null })

describe('a turn', () => {
  it('without a model ends in the decision that reads its message', () => {
    const told = new Told(session({ hasModel: false }))
    const { taken } = ended(told.tell(message('9')))
    expect(taken).toMatchObject([
      { judgedBy: 'code', problemId: 'p1', turn: { category: 'wrong_operation', number: 1 } },
    ])
    expect(told.keys).toEqual([])
    expect(told.effects).toContainEqual(expect.objectContaining({ type: 'problem-changed' }))
  })

  it('that code can judge asks for the reply alone, and is answered with it', () => {
    const told = new Told(session())
    expect(told.tell(message('2')).some(({ type }) => type === 'turn-ended')).toBe(false)
    expect(told.kinds).toEqual(['reply'])
    expect(admits(told.state)).toBe(false)
    const turn = ended(told.answer('reply', reply('Well done.')))
    expect(turn).toMatchObject({ reply: { text: 'Well done.' }, taken: [{ judgedBy: 'code' }] })
    expect(told.kinds).toEqual([])
    expect(admits(told.state)).toBe(true)
  })

  it('is answered in code’s words where the reply takes too long, and a reply after that changes nothing', () => {
    const told = new Told(session())
    told.tell(message('2'))
    const until = wakeAt(told.state)
    expect(until).toBe(told.at + 6_000)
    const late = { type: 'answer', key: told.key('reply'), output: reply('late') } as const
    expect(ended(told.tell(CLOCK, 6_000)).reply).toBeNull()
    const before = told.state
    expect(told.tell(late)).toEqual([])
    expect(told.state).toEqual(before)
  })

  it('waits eight seconds for a verdict, and nine in all', () => {
    const told = new Told(session())
    told.tell(message(PROSE))
    expect(told.kinds).toEqual(['verdict'])
    expect(wakeAt(told.state)).toBe(told.at + 8_000)
    told.answer('verdict', verdict('wrong_operation', true), 7_500)
    expect(told.kinds).toEqual(['reply'])
    expect(wakeAt(told.state)).toBe(told.at + 1_500)
  })

  it('goes on from a question of the model’s with an expected answer of its own', () => {
    const told = new Told(session())
    told.tell(message('stuck'))
    const smaller = { question: 'How far is it to zero?', expected: '3' }
    told.answer('reply', { text: 'One step: how far is it to zero?', scaffold: smaller })
    expect(told.state.smaller).toEqual(smaller)
    told.tell(message('3'))
    const turn = ended(told.answer('reply', reply('Good.')))
    expect(turn.taken.at(-1)?.turn).toMatchObject({ category: 'scaffold_progress' })
  })

  it('ends at once where the model refuses: what code guesses holds', () => {
    const told = new Told(session())
    told.tell(message('why is that so, can you explain?'))
    told.tell(failed(told.key('verdict'), 'refused'))
    told.tell(failed(told.key('reply'), 'refused'))
    const { taken, passage } = ended(told.answer('passage', 'From the lesson.'))
    expect(passage).toBe('From the lesson.')
    expect(taken).toMatchObject([
      { judgedBy: 'code', turn: { category: 'conceptual_question', isMainAttempt: false } },
    ])
  })

  it('takes a slow model for nothing but slow', () => {
    const told = new Told(session())
    told.tell(message(PROSE))
    const before = told.state
    expect(told.tell({ type: 'slow', key: told.key('verdict') })).toEqual([])
    expect(told.state).toEqual(before)
  })
})

describe('an unjudged message', () => {
  const unjudged = () => {
    const told = new Told(session({}, 3))
    told.tell(message(PROSE))
    const key = told.key('verdict')
    const { taken } = ended(told.tell(CLOCK, 8_000))
    expect(taken).toMatchObject([{ judgedBy: 'nobody', turn: { category: 'unjudged' } }])
    return { told, key }
  }

  it('keeps its verdict wanted under the same key, while the next message is taken', () => {
    const { told, key } = unjudged()
    expect(told.keys).toEqual([key])
    told.tell(message('9'))
    expect(told.kinds.sort()).toEqual(['reply', 'verdict'])
  })

  it('has its late verdict applied before the next message, with the time of its own', () => {
    const { told, key } = unjudged()
    const at = told.state.asked[0]?.at
    told.tell({ type: 'answer', key, output: verdict('correct', true) })
    expect(told.state.progress.problems[0]?.attempts).toBe(0)
    told.tell(message('-4'))
    const { taken } = ended(told.answer('reply', reply('Yes.')))
    expect(taken.map(({ turn }) => [turn.number, turn.late, turn.category])).toEqual([
      [1, true, 'correct'],
      [2, false, 'correct'],
    ])
    expect(told.state.progress.problems[0]?.completedAt).toBe(at)
  })

  it('a late verdict after the session moved on changes nothing', () => {
    const { told, key } = unjudged()
    told.tell(message('skip'))
    told.answer('reply', reply('All right.'))
    expect(told.keys).toEqual([])
    const before = told.state
    expect(told.tell({ type: 'answer', key, output: verdict('correct', true) })).toEqual([])
    expect(told.state).toEqual(before)
    expect(before.progress.unjudged).toEqual([])
  })

  it('stays unjudged where the model has failed for good, and where ten minutes have passed', () => {
    const refused = unjudged()
    refused.told.tell(failed(refused.key))
    expect(refused.told.keys).toEqual([])
    const late = unjudged()
    late.told.tell(CLOCK, 10 * MINUTE)
    expect(late.told.keys).toEqual([])
  })
})

describe('the end', () => {
  it('is a late verdict’s too: the message that comes then is answered with it', () => {
    const told = new Told(session({}, 1))
    told.tell(message(PROSE))
    told.tell(CLOCK, 8_000)
    told.answer('verdict', verdict('correct', true))
    const turn = ended(told.tell(message('and now?')))
    expect(turn.taken).toMatchObject([{ turn: { late: true, completed: true } }])
    expect(told.state.progress).toMatchObject({ status: 'completed', turns: 1 })
  })

  it('answers what comes after it as closed', () => {
    const told = new Told(session())
    told.tell(input('complete'))
    expect(told.tell(message('2'))).toEqual([{ type: 'done', inputId: '2', closed: true }])
    expect(told.tell(input('complete', 'again'))).toEqual([
      { type: 'done', inputId: 'again', closed: false },
    ])
  })

  it('is reached by an input of the arc that ends, in the middle of a problem', () => {
    const told = new Told(session({ isOfArc: true }))
    told.tell(message('9'))
    told.answer('reply', reply('Not yet.'))
    told.tell(input('complete', 'the arc is over'))
    expect(told.state.progress.status).toBe('completed')
    expect(told.kinds).toEqual([])
    expect(told.effects).toContainEqual({ type: 'report', delivery: 'none' })
  })

  it('sends the arc how it went, and is over', () => {
    const told = new Told(session({ isOfArc: true }))
    expect(told.tell(input('complete'))).toContainEqual({ type: 'outcome' })
    expect(isOver(told.state)).toBe(true)
  })
})

describe('the report', () => {
  const completed = () => {
    const told = new Told(session({ delivers: true }))
    told.tell(input('complete'))
    return told
  }

  it('is delivered under one id, however often it is tried, with pauses of up to a quarter of an hour', () => {
    const told = completed()
    const { delivery } = told.state
    const pauses: number[] = []
    for (let tries = 0; tries < 14; tries += 1) {
      told.tell(failed(told.key('deliver')), 0)
      const next = wakeAt(told.state) ?? 0
      pauses.push((next - told.at) / 1_000)
      told.tell(CLOCK, next - told.at)
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
    expect(told.state.delivery).toMatchObject({ id: delivery?.id, since: delivery?.since })
    told.answer('deliver', {})
    expect(told.state.delivery).toMatchObject({ status: 'delivered', note: null })
    expect(isOver(told.state)).toBe(true)
  })

  it('is given up after a day, the last try at its end', () => {
    const told = completed()
    for (;;) {
      told.tell(failed(told.key('deliver')), 0)
      if (told.state.delivery?.status !== 'pending') break
      told.tell(CLOCK, (wakeAt(told.state) ?? 0) - told.at)
    }
    expect(told.at - (told.state.delivery?.since ?? 0)).toBe(DAY)
    expect(told.state.delivery).toMatchObject({ status: 'given_up', note: 'down' })
    expect(told.effects.at(-1)).toEqual({ type: 'report', delivery: 'given_up' })
  })

  it('is given up at once where there is nowhere to send it', () => {
    const told = completed()
    told.tell(failed(told.key('deliver'), 'refused'))
    expect(told.state.delivery?.status).toBe('given_up')
  })

  it('is sent again on demand, at once and as a delivery of its own, also while one is tried', () => {
    const told = completed()
    const first = told.key('deliver')
    told.tell(input('deliver-again'))
    expect(told.key('deliver')).not.toBe(first)
    expect(told.tell({ type: 'answer', key: first, output: {} })).toEqual([])
    expect(told.state.delivery?.status).toBe('pending')
    expect(new Told(session()).tell(input('deliver-again'))).toEqual([
      { type: 'done', inputId: 'deliver-again', closed: false },
    ])
  })
})

it('an old caller’s new problem is added before the message is read', () => {
  const state = newState(PROBLEMS.slice(0, 1), true, START)
  const told = new Told(session({ hasModel: false, state }, 1))
  told.tell(message('2', 'm1', PROBLEMS[0]))
  const effects = told.tell(message('-4', 'm2', PROBLEMS[1]))
  expect(effects.map(({ type }) => type)).toEqual([
    'problem-added',
    'problem-changed',
    'turn-ended',
    'moved',
  ])
  expect(ended(effects).taken).toMatchObject([{ problemId: 'p2', turn: { category: 'correct' } }])
  expect(told.practice.problems.map(({ id }) => id)).toEqual(['p1', 'p2'])
})

describe('whatever comes, in whatever order', () => {
  const move = fc.oneof(
    fc.constantFrom('2', '-4', '9', 'stuck', 'skip', PROSE, 'why?').map((text) => ({ text })),
    fc.constantFrom('answer', 'fail', 'refuse', 'slow').map((step) => ({ step })),
    fc.integer({ min: 0, max: 40 * MINUTE }).map((waitMs) => ({ waitMs })),
  )
  const plays = fc.record({
    hasModel: fc.boolean(),
    isOfArc: fc.boolean(),
    delivers: fc.boolean(),
    moves: fc.array(move, { maxLength: 40 }),
  })

  const act = (told: Told, moved: Record<string, unknown>, index: number) => {
    if ('text' in moved && admits(told.state)) {
      told.tell(message(String(moved.text), `m${index}`))
    }
    const [step] = stepsOf(told.practice)
    if ('step' in moved && step) {
      const { key } = step.step
      const output = step.kind === 'reply' ? reply('Words.') : verdict('wrong_operation', true)
      if (moved.step === 'answer') told.tell({ type: 'answer', key, output })
      else if (moved.step === 'slow') told.tell({ type: 'slow', key })
      else told.tell(failed(key, moved.step === 'fail' ? 'unavailable' : 'refused'))
    }
    if ('waitMs' in moved) told.tell(CLOCK, moved.waitMs as number)
  }

  it('every message is answered once, the clock never stands still, and the end comes', () =>
    fc.assert(
      fc.property(plays, ({ moves, ...more }) => {
        const told = new Told(session(more, 3))
        for (const [index, moved] of moves.entries()) act(told, moved, index)
        const sent = told.effects.length
        for (let looks = 0; !admits(told.state); looks += 1) {
          expect(looks).toBeLessThan(3)
          told.tell(CLOCK, Math.max(0, (wakeAt(told.state) ?? 0) - told.at))
        }
        expect(new Set(told.answered).size).toBe(told.answered.length)
        told.tell(input('complete'))
        for (let looks = 0; !isOver(told.state); looks += 1) {
          expect(looks).toBeLessThan(250)
          const [step] = stepsOf(told.practice)
          if (step) told.tell(failed(step.step.key, 'refused'), 0)
          const due = wakeAt(told.state)
          if (due !== null) {
            told.tell(CLOCK, Math.max(0, due - told.at))
            expect(wakeAt(told.state) ?? Infinity).toBeGreaterThan(told.at)
          }
        }
        expect(told.effects.length).toBeGreaterThanOrEqual(sent)
        expect(JSON.parse(JSON.stringify(told.state))).toEqual(told.state)
      }),
      { seed: 42, numRuns: 500 },
    ))
})
