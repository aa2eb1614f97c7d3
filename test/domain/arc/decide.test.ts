import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { loadCourses } from '../../../src/courses/load.ts'
import type { Asking, StepKind } from '../../../src/domain/arc/steps.ts'
import { wakeAt, wantedSteps } from '../../../src/domain/arc/view.ts'
import { seededRandom } from '../../../src/domain/random/seeded-random.ts'
import type { StepFault } from '../../../src/domain/spine/decision.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { smallCourse } from '../../support/small-course.ts'

/** Lives an arc to its end; `isRight` says how each question is answered. */
function live(arc: SimulatedArc, isRight: () => boolean, most = 3_000): number {
  arc.turn()
  let answers = 0
  while (arc.state.phase !== 'COMPLETED') {
    if (arc.state.question) {
      answers += 1
      if (answers > most) throw new Error('the arc does not end')
      arc.say(arc.answerText(isRight()))
    } else arc.sleep()
  }
  return answers
}

const MOVES = [
  'PENDING',
  'DIAGNOSING',
  'PLANNING',
  'TEACHING',
  'QUIZZING',
  'REVIEWING',
  'COMPLETED',
]

describe('an arc by its rules alone', () => {
  it('goes from PENDING to COMPLETED with a learner who knows everything, without a lesson', () => {
    const arc = new SimulatedArc(smallCourse())
    expect(live(arc, () => true)).toBeLessThan(60)
    expect(arc.lessons).toEqual([])
    expect(arc.said.at(-2)).toContain('You have mastered')
  })

  it('places the whole of an installed course for who knows it', async () => {
    const courses = await loadCourses(path.join(import.meta.dirname, '../../../courses'))
    const course = courses.find(({ courseId }) => courseId === 'algebra-basics')
    const arc = new SimulatedArc(course ?? smallCourse())
    expect(live(arc, () => true)).toBeLessThanOrEqual(75)
    expect(arc.lessons).toEqual([])
  })

  it('goes from PENDING to COMPLETED with a learner who begins', () => {
    const arc = new SimulatedArc(smallCourse(), { rules: { skipDiagnosis: true } })
    expect(live(arc, () => true)).toBeLessThan(60)
    const phases = arc.effects.flatMap((effect) => (effect.type === 'phase' ? [effect.phase] : []))
    expect(new Set(['PENDING', ...phases])).toEqual(new Set(MOVES))
    expect(new Set(arc.arc.map.nodes.map(({ masteryStatus }) => masteryStatus))).toEqual(
      new Set(['mastered']),
    )
    expect(arc.said.at(-2)).toContain('You have mastered')
    expect(arc.arc.state.openTurn).toBeNull()
  })

  it('ends for learners who err now and then', () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 9 })), (luck) => {
        const next = luck[Symbol.iterator]()
        const arc = new SimulatedArc(smallCourse())
        live(arc, () => (next.next().value ?? 1) > 1)
        expect(arc.state.phase).toBe('COMPLETED')
      }),
      { seed: 7, numRuns: 30 },
    )
  })

  it('decides the same from the same, and leaves its argument as it was', () => {
    const [one, two] = [new SimulatedArc(smallCourse()), new SimulatedArc(smallCourse())]
    for (const arc of [one, two]) {
      arc.turn()
      for (let n = 0; n < 12; n += 1) arc.say(arc.answerText(n % 3 > 0))
    }
    expect(two.effects).toEqual(one.effects)
    expect(two.arc).toEqual(one.arc)
  })

  it('answers every message once, whatever is said', () => {
    const words = ['hint', 'skip', 'show', 'plan', 'pause', 'what is a sum?', 'help', 'contest']
    fc.assert(
      fc.property(fc.array(fc.nat(words.length + 1), { maxLength: 60 }), (walk) => {
        const arc = new SimulatedArc(smallCourse())
        arc.turn()
        const sent = walk.map((step) => {
          const word = words[step]
          if (word !== undefined) return arc.say(word)
          return arc.say(arc.state.question ? arc.answerText(step % 2 === 0) : 'hello')
        })
        expect(arc.answered).toEqual(sent)
        expect(arc.state.openTurn).toBeNull()
      }),
      { seed: 11, numRuns: 60 },
    )
  })
})

/** An arc that a model teaches on a topic without a course, with a step of that kind wanted. */
function wanting(kind: StepKind): SimulatedArc {
  const rules = { skipDiagnosis: !['inventory', 'probe', 'summary'].includes(kind) }
  const arc = new SimulatedArc(smallCourse(), { tutor: 'anthropic', rules })
  arc.turn()
  for (let steps = 0; steps < 400; steps += 1) {
    const asking = arc.state.asking[0]
    if (asking?.kind === kind) return arc
    if (asking) {
      const { key } = asking
      arc.decide({ type: 'answer', key, output: arc.offline(key) })
    } else if (kind === 'help' || kind === 'route') {
      if (kind === 'help' && arc.state.question) arc.say('help')
      else arc.say('what is a sum?')
    } else if (kind === 'path') arc.say('plan')
    else if (kind === 'replan') arc.send('replan', { reason: 'too hard' })
    else if (kind === 'grade') arc.say('you put both heaps together')
    else if (arc.state.question) arc.say(arc.answerText(kind !== 'feedback'))
    else arc.sleep()
  }
  throw new Error(`no ${kind} was wanted`)
}

const KINDS: StepKind[] = [
  ...(['inventory', 'probe', 'summary', 'graph', 'lesson', 'quiz', 'review'] as const),
  ...(['grade', 'feedback', 'replan', 'path', 'route', 'help'] as const),
]
const FAULTS: StepFault[] = ['malformed', 'unavailable', 'refused']

const fail = (arc: SimulatedArc, { key }: Pick<Asking, 'key'>, fault: StepFault) =>
  arc.decide({ type: 'no-answer', key, fault, reason: 'of a test', retryAfterMs: null })

describe.each(KINDS)('a malformed answer at a step of a topic without a course: %s', (kind) => {
  test.each(FAULTS)('%s: the learner is told, and with a well model the arc goes on', (fault) => {
    const arc = wanting(kind)
    const said = arc.said.length
    const [asking] = arc.state.asking as [Asking]
    fail(arc, asking, fault)
    if (arc.state.blocked) {
      // It is held up: told once, tried again by itself under the same key.
      expect(arc.said.length).toBe(said + 1)
      expect(wantedSteps(arc.arc)).toEqual([])
      expect(wakeAt(arc.arc)).toBeLessThanOrEqual(arc.now + 15 * 60_000)
      arc.sleep()
      const [again] = wantedSteps(arc.arc)
      if (kind !== 'graph') expect(again?.key).toBe(asking.key)
      fail(arc, { key: again?.key ?? '' }, fault)
      expect(arc.said.length).toBe(said + 1 + (kind === 'graph' && fault === 'malformed' ? 1 : 0))
      arc.sleep()
    } else expect(arc.said.length + arc.state.asking.length).toBeGreaterThan(said)
    arc.answerSteps()
    expect(arc.state.blocked).toBeNull()
    expect(arc.state.asking).toEqual([])
    expect(arc.state.openTurn).toBeNull()
    expect(arc.state.question ?? arc.state.phase === 'REVIEWING').toBeTruthy()
  })

  test('unavailable: a message that comes tries it again at once, and repeated wakes do not', () => {
    const arc = wanting(kind)
    const [asking] = arc.state.asking as [Asking]
    fail(arc, asking, 'unavailable')
    const waiting = { type: 'clock' as const, waiting: 1_000 }
    arc.decide(waiting)
    expect(wantedSteps(arc.arc).map(({ key }) => key)).toEqual([asking.key])
    fail(arc, asking, 'unavailable')
    const { retryAt, tries } = arc.state.blocked ?? { retryAt: 0, tries: 0 }
    expect(tries).toBe(2)
    for (let time = 0; time < 10; time += 1) arc.decide(waiting)
    expect(wantedSteps(arc.arc)).toEqual([])
    expect(arc.state.blocked).toMatchObject({ retryAt, tries })
    // The next one that is new does.
    arc.decide({ type: 'clock', waiting: 1_001 })
    expect(wantedSteps(arc.arc)).toHaveLength(1)
  })

  test('silent: told once, and the answer that comes after all is used', () => {
    const arc = wanting(kind)
    const [asking] = arc.state.asking as [Asking]
    const said = arc.said.length
    for (let time = 0; time < 3; time += 1) arc.decide({ type: 'slow', key: asking.key })
    expect(arc.said.length).toBe(said + 1)
    expect(wantedSteps(arc.arc)).toHaveLength(1)
    arc.answerSteps()
    expect(arc.state.blocked).toBeNull()
  })

  test('abandoned while it is waited for: nothing is wanted any more, and a late answer changes nothing', () => {
    const arc = wanting(kind)
    const [asking] = arc.state.asking as [Asking]
    const output = arc.offline(asking.key)
    const { openTurn } = arc.state
    arc.send('abandon', { reason: 'enough' })
    expect(arc.state.phase).toBe('ABANDONED')
    expect(wantedSteps(arc.arc)).toEqual([])
    if (openTurn?.inputId) expect(arc.answered).toContain(openTurn.inputId)
    const effects = arc.effects.length
    arc.decide({ type: 'answer', key: asking.key, output })
    expect(arc.effects.length).toBe(effects)
    expect(arc.effects).toContainEqual({ type: 'abandoned', reason: 'enough' })
  })
})

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  'any faults in any order, seed %i: the arc ends, and every message is answered once',
  (seed) => {
    const random = seededRandom(seed)
    const arc = new SimulatedArc(smallCourse(), { tutor: 'anthropic' })
    arc.turn()
    const sent: string[] = []
    for (let moves = 0; arc.state.phase !== 'COMPLETED' && moves < 5_000; moves += 1) {
      const [step] = wantedSteps(arc.arc)
      const fault = FAULTS[Math.floor(random() * 15)]
      if (step && fault) fail(arc, step, fault)
      else if (step && random() < 0.1) arc.decide({ type: 'slow', key: step.key })
      else if (step) arc.decide({ type: 'answer', key: step.key, output: arc.offline(step.key) })
      else if (arc.state.question) sent.push(arc.say(arc.answerText(random() > 0.1)))
      else arc.sleep()
    }
    expect(arc.state.phase).toBe('COMPLETED')
    arc.answerSteps()
    expect(arc.answered).toEqual(sent)
  },
)

test('a step key is built in one place, and no message id can make one kind look like another', () => {
  const arc = wanting('help')
  arc.send('stop', { stepKey: arc.state.asking[0]?.key, text: 'A part of the ans' })
  expect(arc.said.join('\n')).toContain('A part of the ans')
  expect(arc.state.asking).toEqual([])
  const lesson = wanting('lesson')
  lesson.send('stop', { stepKey: lesson.state.asking[0]?.key, text: 'Half a lesson' })
  lesson.answerSteps()
  expect(lesson.said.join('\n')).toContain('Half a lesson')
  expect(lesson.state.question?.kind).toBe('teach')
})

test('a plan that is refused twice is stored, said, and asked for again', () => {
  const arc = wanting('graph')
  const refused = { root: 'A', nodes: [], edges: [], goalLabels: [] }
  for (const _ of [1, 2]) {
    arc.decide({ type: 'answer', key: arc.state.asking[0]?.key ?? '', output: refused })
  }
  expect(arc.effects.filter(({ type }) => type === 'plan-refused')).toHaveLength(2)
  expect(arc.state).toMatchObject({ phase: 'PLANNING', openTurn: null })
  expect(arc.state.blocked?.reason).toContain('refused')
  arc.send('replan', {})
  arc.answerSteps()
  expect(arc.state.blocked).toBeNull()
  expect(arc.state.phase).toBe('TEACHING')
})

test('an arc that ends closes its practice session', () => {
  const arc = new SimulatedArc(smallCourse(), { rules: { skipDiagnosis: true } })
  arc.turn()
  arc.arc = { ...arc.arc, practiceSessionId: 'open-one' }
  arc.send('abandon', {})
  expect(arc.effects).toContainEqual({ type: 'practice-ended', sessionId: 'open-one' })
})

it('names no level to who leaves the level check: the beginning comes next, as was said', () => {
  const arc = new SimulatedArc(smallCourse())
  arc.turn()
  arc.say(arc.answerText())
  arc.say('skip')
  expect(arc.phrases).toContain('diagnosis-skipped')
  expect(arc.phrases).not.toContain('diagnosis-done')
  expect(arc.state.phase).toBe('TEACHING')
})
