import { describe, expect, test } from 'vitest'
import { decide, NO_ANSWER, wantedStep } from '../../../src/domain/maps/decide.ts'
import type { Curriculum, JobAnswer, JobRequest } from '../../../src/domain/maps/state.ts'
import type { Input } from '../../../src/domain/spine/decision.ts'
import { sampleMap, sampleNode } from '../mind-map/sample-map.ts'

const AT = Date.UTC(2026, 5, 1)
const MAP = '00000000-0000-4000-8000-0000000000aa'
const A = '00000000-0000-4000-8000-00000000000a'

const planner = { tutor: 'anthropic' as const, courseId: null, goalUnitIds: [] }
const base = { ...planner, topic: 'Sums', goal: null, patienceMs: 50_000 }
const GENERATE: JobRequest = { ...base, kind: 'generate', diagnostic: [], inventory: [] }
const REPLAN: JobRequest = { ...base, kind: 'replan', reason: 'too hard' }

const empty = (): Curriculum => ({
  state: { job: null },
  arcId: null,
  map: { ...sampleMap([]), id: MAP, status: 'creation', rootNodeId: null },
})
const active = (): Curriculum => ({
  ...empty(),
  map: { ...sampleMap([sampleNode(A)]), id: MAP, status: 'active', rootNodeId: A },
})

const ask = (request: JobRequest, id = 'first'): Input => ({
  type: 'input',
  input: { type: request.kind, id, position: 1, payload: { ...request }, receivedAt: AT },
})
const clock: Input = { type: 'clock', waiting: null }
const node = (label: string) => ({ label, effortMinutes: 10, description: `About ${label}` })
const GRAPH = {
  root: 'T',
  nodes: [node('T'), node('A')],
  edges: [{ parent: 'T', child: 'A' }],
  goalLabels: [],
}
const CYCLE = { ...GRAPH, edges: [...GRAPH.edges, { parent: 'A', child: 'T' }] }

/** Has all of it decided upon, one after the other, a second apart. */
function play(given: Curriculum, ...inputs: (Input | ((now: Curriculum) => Input))[]) {
  let now = given
  const effects = inputs.flatMap((input, index) => {
    const next = decide(now, typeof input === 'function' ? input(now) : input, AT + index * 1_000)
    now = next.loaded
    return next.effects
  })
  const answers = new Map<string, JobAnswer>()
  for (const effect of effects) {
    if (effect.type === 'answer') answers.set(effect.inputId, effect.answer)
  }
  return { now, effects, answers, step: wantedStep(now) }
}

const says = (output: unknown) => (now: Curriculum) => ({
  type: 'answer' as const,
  key: wantedStep(now)?.key ?? '',
  output,
})
const failsBy = (fault: 'unavailable' | 'refused' | 'malformed') => (now: Curriculum) => ({
  ...{ type: 'no-answer' as const, key: wantedStep(now)?.key ?? '' },
  ...{ fault, reason: `it was ${fault}`, retryAfterMs: null },
})

describe('a graph', () => {
  test('that keeps the rules is written, and its sender told', () => {
    const { now, effects, answers, step } = play(empty(), ask(GENERATE), says(GRAPH))
    expect(now.map).toMatchObject({ status: 'active' })
    expect(effects.map(({ type }) => type)).toEqual(['write', 'begin', 'answer'])
    const result = { mindMapId: MAP, nodeCount: 2, edgeCount: 1, status: 'active' }
    expect(answers.get('first')).toEqual({ ok: true, result })
    expect(step).toBeNull()
  })

  test('decided upon twice has the same ids', () => {
    const [one, other] = [1, 2].map(() => play(empty(), ask(GENERATE), says(GRAPH)))
    expect(one?.now).toEqual(other?.now)
  })

  test('that breaks them is asked for once more, under another key, with what was wrong', () => {
    const first = play(empty(), ask(GENERATE))
    const second = play(empty(), ask(GENERATE), says(CYCLE))
    expect(second.step?.key).not.toBe(first.step?.key)
    expect(second.step?.job.violations.join(' ')).toMatch(/cycle/)
    expect(second.answers.size).toBe(0)
    const third = play(empty(), ask(GENERATE), says(CYCLE), says(CYCLE))
    expect(third.answers.get('first')).toMatchObject({ ok: false })
    expect(third.effects.map(({ type }) => type)).toEqual(['log', 'answer', 'log'])
    expect(third.now.map).toEqual(empty().map)
  })

  test.each(['unavailable', 'refused', 'malformed'] as const)('that is %s is told', (fault) => {
    const { answers, step } = play(empty(), ask(GENERATE), failsBy(fault))
    expect(answers.get('first')).toEqual({ ok: false, message: `it was ${fault}` })
    expect(step).toBeNull()
  })

  test('for a map that was filled meanwhile is refused', () => {
    const { now } = play(empty(), ask(GENERATE))
    const filled = { ...now, map: { ...active().map, status: 'creation' as const } }
    const { answers } = play(filled, says(GRAPH))
    expect(answers.get('first')).toMatchObject({
      message: expect.stringMatching(/has concepts already/),
    })
  })
})

describe('a request', () => {
  test('while another is planned is told so, and changes nothing', () => {
    const { now, answers } = play(empty(), ask(GENERATE), ask(GENERATE, 'second'))
    expect(answers.get('second')).toMatchObject({
      message: expect.stringMatching(/being planned already/),
    })
    expect(now.state.job?.inputId).toBe('first')
  })

  test('on a map that an arc owns is refused with the reason', () => {
    const { answers } = play({ ...active(), arcId: 'arc-1' }, ask(REPLAN))
    expect(answers.get('first')).toMatchObject({
      message: expect.stringMatching(/Arc arc-1 teaches this map/),
    })
  })

  test('that nobody answers in time is given up; the next is begun at once', () => {
    const { now } = play(empty(), ask(GENERATE))
    expect(decide(now, clock, AT + 49_999)).toEqual({ loaded: now, effects: [] })
    const late = decide(now, clock, AT + 50_000)
    expect(late.effects).toEqual([
      { type: 'answer', inputId: 'first', answer: { ok: false, message: NO_ANSWER } },
    ])
    expect(wantedStep(late.loaded)).toBeNull()
    const next = decide(now, ask(GENERATE, 'second'), AT + 50_000)
    expect(next.effects).toEqual(late.effects)
    expect(next.loaded.state.job?.inputId).toBe('second')
  })

  test('is left alone by the answer of an earlier one', () => {
    const { now } = play(empty(), ask(GENERATE))
    const stale: Input = { type: 'answer', key: 'curriculum/earlier', output: GRAPH }
    expect(decide(now, stale, AT)).toEqual({ loaded: now, effects: [] })
  })
})

describe('a re-plan', () => {
  test('without a reason asks nobody', () => {
    const { answers, step } = play(active(), ask({ ...REPLAN, reason: null }))
    expect(step).toBeNull()
    expect(answers.get('first')).toMatchObject({ ok: true, result: { nodeCount: 1 } })
  })

  test('whose advice cannot be read orders all the same', () => {
    const { answers } = play(active(), ask(REPLAN), failsBy('malformed'))
    expect(answers.get('first')).toMatchObject({ ok: true })
  })

  test('of a map that is not active is refused', () => {
    const { answers } = play(empty(), ask({ ...REPLAN, reason: null }))
    expect(answers.get('first')).toMatchObject({
      message: expect.stringMatching(/creation cannot be re-planned/),
    })
  })
})
