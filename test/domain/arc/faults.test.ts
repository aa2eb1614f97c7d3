import { expect, test } from 'vitest'
import { wakeAt, wantedSteps } from '../../../src/domain/arc/view.ts'
import { seededRandom } from '../../../src/domain/random/seeded-random.ts'
import type { StepFault } from '../../../src/domain/spine/decision.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { smallCourse } from '../../support/small-course.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** How many faults a test had steps meet, by their kind and the fault. */
    met?: Record<string, Record<string, number>>
  }
}

/** `npm run campaign` takes more. */
const SEEDS = Number(process.env.MENO_CAMPAIGN_SEEDS || 40)
const PER_TEST = 20
const FAULTS: (StepFault | 'slow')[] = ['malformed', 'unavailable', 'refused', 'slow']
const WORDS = ['hint', 'skip', 'show', 'plan', 'contest', 'help', 'what is a sum?', 'perhaps']

/**
 * Lives one arc of a model to its end: its learner talks and errs, and a third of its steps meet a fault.
 * @param count is told of every fault, by step kind and fault
 */
function live(seed: number, count: (kind: string, fault: string) => void): void {
  const random = seededRandom(seed)
  const draw = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T
  const rules = { skipDiagnosis: random() < 0.3 }
  const arc = new SimulatedArc(smallCourse(), { tutor: 'anthropic', rules })
  arc.turn()
  const sent: string[] = []
  for (let moves = 0; arc.state.phase !== 'COMPLETED'; moves += 1) {
    if (moves > 5_000) throw new Error(`seed ${seed}: the arc does not end`)
    const [step] = wantedSteps(arc.arc)
    if (step && random() < 0.3) {
      const fault = draw(FAULTS)
      const { key } = step
      count(arc.state.asking.find((asking) => asking.key === key)?.kind ?? '', fault)
      if (fault === 'slow') arc.decide({ type: 'slow', key })
      else {
        arc.decide({ type: 'no-answer', key, fault, reason: 'of a test', retryAfterMs: null })
        // Else it would be asked at once, again and again.
        expect(wantedSteps(arc.arc).map((wanted) => wanted.key)).not.toContain(key)
      }
    } else if (step) {
      arc.decide({ type: 'answer', key: step.key, output: arc.offline(step.key) })
      // Answered twice, by an attempt that was thought lost: once is enough.
      if (random() < 0.1) arc.decide({ type: 'answer', key: step.key, output: null })
    } else if (random() < 0.2 && moves < 2_000) {
      if (random() < 0.1) arc.send('replan', { reason: 'too hard' })
      else sent.push(arc.say(draw(WORDS)))
    } else if (arc.state.question) sent.push(arc.say(arc.answerText(random() > 0.1)))
    else arc.sleep()
  }
  arc.answerSteps()
  // What was said while the last step was awaited.
  arc.turn()
  expect(arc.state.openTurn).toBeNull()
  expect(arc.answered.filter((id) => sent.includes(id))).toEqual(sent)
}

const FIRST_SEEDS = Array.from({ length: Math.ceil(SEEDS / PER_TEST) }, (_, n) => n * PER_TEST + 1)

test.for(FIRST_SEEDS)(
  `any faults of steps in any order, ${PER_TEST} arcs from seed %i: each ends, and every message is answered once`,
  (first, { task }) => {
    const met: Record<string, Record<string, number>> = {}
    task.meta.met = met
    for (let seed = first; seed < first + PER_TEST; seed += 1) {
      live(seed, (kind, fault) => {
        met[kind] = { ...met[kind], [fault]: (met[kind]?.[fault] ?? 0) + 1 }
      })
    }
    task.meta.counted = { arcs: PER_TEST }
    expect(Object.keys(met)).toEqual(expect.arrayContaining(['lesson', 'quiz', 'review', 'grade']))
  },
)

test('a turn whose steps are silent one after the other tells the learner once, the next turn again', () => {
  const arc = new SimulatedArc(smallCourse(), {
    tutor: 'anthropic',
    rules: { skipDiagnosis: true },
  })
  const told = () => arc.phrases.filter((phrase) => phrase === 'blocked-slow').length
  arc.turn()
  let silent = 0
  for (let [step] = wantedSteps(arc.arc); step; [step] = wantedSteps(arc.arc)) {
    arc.decide({ type: 'slow', key: step.key })
    arc.decide({ type: 'answer', key: step.key, output: arc.offline(step.key) })
    silent += 1
  }
  expect(silent).toBeGreaterThan(1)
  expect(told()).toBe(1)
  arc.say('what is a sum?')
  const [step] = wantedSteps(arc.arc)
  arc.decide({ type: 'slow', key: step?.key ?? '' })
  expect(told()).toBe(2)
})

test('a step that is silent ends and begins anew when somebody wants it tried now', () => {
  const arc = new SimulatedArc(smallCourse(), {
    tutor: 'anthropic',
    rules: { skipDiagnosis: true },
  })
  arc.turn()
  const [step] = wantedSteps(arc.arc)
  const key = step?.key ?? ''
  arc.decide({ type: 'slow', key })
  expect(wantedSteps(arc.arc).map((wanted) => wanted.key)).toEqual([key])
  expect(arc.state.blocked?.retryAt).toBe(arc.now + 52_000)
  arc.send('resume')
  expect(wantedSteps(arc.arc)).toEqual([])
  expect(wakeAt(arc.arc)).toBe(arc.now + 1_000)
  arc.now += 1_000
  arc.decide({ type: 'clock', waiting: null })
  expect(wantedSteps(arc.arc).map((wanted) => wanted.key)).toEqual([key])
  expect(arc.phrases.filter((phrase) => phrase === 'blocked-slow')).toHaveLength(1)
})
