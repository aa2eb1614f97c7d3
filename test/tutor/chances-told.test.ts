import { expect, it } from 'vitest'
import { withChances } from '../../src/activities/arc/steps.ts'
import { SimulatedArc } from '../support/simulated-arc.ts'
import { smallCourse } from '../support/small-course.ts'
import { KINDS, sampleContext } from './anthropic/sample-context.ts'

const ARC = new SimulatedArc(smallCourse())
ARC.turn()
ARC.say(ARC.answerText())

/** Steps whose prompt has room for what the diagnosis says. */
const TOLD = ['graph', 'lesson', 'quiz', 'review', 'exercises', 'grade', 'explain', 'help']

it.each(KINDS)('the chances of a diagnosis are worked out where they are told (%s)', (kind) => {
  const { chances } = withChances(sampleContext(kind, { chances: [] }), ARC.arc)
  expect(chances.length > 0).toBe(TOLD.includes(kind))
})
