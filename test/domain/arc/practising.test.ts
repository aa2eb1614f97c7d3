import { describe, expect, it, test } from 'vitest'
import type { Question } from '../../../src/domain/arc/question.ts'
import type { StepKind } from '../../../src/domain/arc/steps.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { smallCourse } from '../../support/small-course.ts'

/** In the first lesson of an arc with a model, taught from a course or not. */
function begun({ course }: { course: boolean }): SimulatedArc {
  const arc = new SimulatedArc(smallCourse(), {
    tutor: 'anthropic',
    rules: { skipDiagnosis: true },
  })
  arc.turn()
  arc.answerSteps()
  if (course) arc.arc = { ...arc.arc, courseId: smallCourse().courseId }
  return arc
}

function only<K extends StepKind>(arc: SimulatedArc, kind: K) {
  const [step] = arc.state.asking
  expect(arc.state.asking.map((asking) => asking.kind)).toEqual([kind])
  return step as NonNullable<typeof step>
}

const exercise: Question = {
  ...{ concept: 'Adding', text: 'How much is 2 + 3?', format: 'short_answer', options: null },
  ...{ key: { type: 'number', value: '5' }, expected: '5', criteria: '', difficulty: 'easy' },
  ...{ hints: ['Count on.'], solution: null, mistakes: [], source: null },
}

describe('practice', () => {
  it('is on the concept in hand while one is in hand', () => {
    const arc = begun({ course: true })
    const inHand = arc.state.lesson?.nodeId
    arc.say('', { action: 'practice' })
    expect(only(arc, 'practice').input).toMatchObject({ nodeIds: [inHand], written: [] })
  })

  it('is on the five weakest of what was begun, the weakest first, when nothing is in hand', () => {
    const arc = begun({ course: true })
    const scores = [0.4, 0.9, 0.1, 0.7, 0.2, 0.3, 0.8]
    const nodes = arc.arc.map.nodes.map((node, place) => ({
      ...node,
      masteryStatus: scores[place] === undefined ? ('unseen' as const) : ('reviewing' as const),
      masteryScore: scores[place] ?? 0,
      nextReviewAt: Date.UTC(2100, 0),
    }))
    arc.arc = {
      ...arc.arc,
      map: { ...arc.arc.map, nodes },
      question: null,
      state: { ...arc.state, phase: 'REVIEWING', question: null, lesson: null },
    }
    arc.say('', { action: 'practice' })
    const expected = nodes
      .filter(({ masteryStatus }) => masteryStatus !== 'unseen')
      .map(({ id, masteryScore }) => ({ id, masteryScore }))
    // Taken out one by one, the smallest that is left.
    const weakest: string[] = []
    while (weakest.length < 5 && expected.length > 0) {
      const least = Math.min(...expected.map(({ masteryScore }) => masteryScore))
      const [node] = expected.splice(
        expected.findIndex(({ masteryScore }) => masteryScore === least),
        1,
      )
      weakest.push(node?.id ?? '')
    }
    expect(only(arc, 'practice').input).toMatchObject({ nodeIds: weakest })
  })

  it('has its problems written by the model where no course has any', () => {
    const arc = begun({ course: false })
    arc.say('', { action: 'practice' })
    const { key, input } = only(arc, 'exercises')
    arc.decide({ type: 'answer', key, output: { questions: [exercise] } })
    expect(only(arc, 'practice').input).toEqual({ ...input, written: [exercise] })
  })

  test.each(['malformed', 'unavailable', 'refused'] as const)(
    'goes on with what was asked before where the model is %s',
    (fault) => {
      const arc = begun({ course: false })
      arc.say('', { action: 'practice' })
      const { key } = only(arc, 'exercises')
      arc.decide({ type: 'no-answer', key, fault, reason: 'of a test', retryAfterMs: null })
      expect(only(arc, 'practice').input).toMatchObject({ written: [] })
      expect(arc.state.blocked).toBeNull()
    },
  )
})
