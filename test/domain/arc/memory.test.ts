import { default_w } from 'ts-fsrs'
import { expect, it } from 'vitest'
import { fsrsStep } from '../../../src/domain/spaced-repetition/fsrs.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { smallCourse } from '../../support/small-course.ts'

const WEIGHTS = default_w.map((weight, index) => (index < 4 ? weight * 2 : weight))

function inQuiz(): SimulatedArc {
  const arc = new SimulatedArc(smallCourse(), { rules: { skipDiagnosis: true, scheduler: 'fsrs' } })
  arc.turn()
  while (arc.state.question?.kind !== 'quiz') arc.say(arc.answerText())
  return arc
}

/** Passes the quiz in hand; the concept's memory after it. */
function passed(arc: SimulatedArc): unknown {
  const { nodeId } = arc.state.question ?? {}
  for (let n = 0; n < 3; n += 1) arc.say(arc.answerText())
  return arc.arc.map.nodes.find(({ id }) => id === nodeId)?.metadata.fsrs
}

it('weights that were fitted count from the next review on, without a turn or a word', () => {
  const arc = inQuiz()
  const { turn, question } = arc.state
  const said = arc.said.length
  const id = arc.send('memory', { weights: WEIGHTS })
  expect(arc.answered).toContain(id)
  expect(arc.state).toMatchObject({ turn, question: { id: question?.id } })
  expect(arc.said).toHaveLength(said)
  expect(passed(arc)).toEqual(fsrsStep(null, 5, 0, { weights: WEIGHTS }))
  expect(fsrsStep(null, 5, 0, { weights: WEIGHTS })).not.toEqual(fsrsStep(null, 5, 0))
})

it.each([[null], [[1, 2, 3]], ['none'], [WEIGHTS.map(() => 'x')]])(
  'by %j the default ones are taken again',
  (weights) => {
    const arc = inQuiz()
    arc.send('memory', { weights: WEIGHTS })
    arc.send('memory', { weights })
    expect(arc.state.weights).toBeUndefined()
    expect(passed(arc)).toEqual(fsrsStep(null, 5, 0))
  },
)
