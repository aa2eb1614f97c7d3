import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCourse } from '../../../src/courses/load.ts'
import { secondsByConcept, summaryOf } from '../../../src/domain/arc/summary.ts'
import type { MindMapNode, NodeMetadata } from '../../../src/domain/mind-map/mind-map.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { sampleNode } from '../mind-map/sample-map.ts'

const concept = (
  id: string,
  masteryStatus: MindMapNode['masteryStatus'],
  metadata: NodeMetadata = {},
) => sampleNode(id, { label: id.toUpperCase(), masteryStatus, metadata })

describe('a topic looked back upon', () => {
  it('never says more of a concept than what happened', () => {
    const nodes = [
      concept('a', 'mastered'),
      concept('b', 'reviewing'),
      concept('c', 'unseen', { skipped: true }),
      concept('d', 'reviewing', { skipped: true }),
      concept('e', 'unseen', { placed: true }),
      concept('f', 'learning'),
    ]
    const { concepts } = summaryOf(nodes, [], [])
    expect(concepts.map(({ standing }) => standing)).toEqual([
      'mastered',
      'learned',
      'skipped',
      'skipped',
      'open',
      'open',
    ])
  })
})

describe('the time for a concept', () => {
  const said = (who: 'learner' | 'tutor', nodeId: string | null, minute: number) => ({
    ...{ isLearner: who === 'learner', nodeId, at: minute * 60_000 },
  })

  it('is what the learner took before each message, of the concept that was spoken of', () => {
    const seconds = secondsByConcept([
      said('tutor', 'a', 0),
      said('learner', null, 4),
      said('tutor', 'a', 4),
      said('learner', 'a', 5),
      said('tutor', 'b', 7),
      said('learner', null, 8),
    ])
    expect(Object.fromEntries(seconds)).toEqual({ a: 300, b: 60 })
  })

  it('leaves out a night', () => {
    const seconds = secondsByConcept([said('tutor', 'a', 0), said('learner', 'a', 600)])
    expect(seconds.get('a')).toBe(600)
  })
})

it('says once of each concept that it is learned, also where a lapse has to be learned again', async () => {
  const course = await loadCourse(path.resolve('courses/algebra-basics'))
  const arc = new SimulatedArc(course, { rules: { skipDiagnosis: true } })
  arc.turn()
  const learned = () =>
    arc.effects.flatMap((effect) =>
      effect.type === 'say' && effect.card?.type === 'LEARNED' ? [effect.card.nodeId] : [],
    )
  const passes = () => arc.phrases.filter((name) => name === 'cycle-passed').length
  for (let turns = 0; passes() < 4 && turns < 200; turns += 1) {
    const { question } = arc.state
    if (!question) arc.sleep()
    // Every review slips, and what slips is learned again.
    else arc.say(question.kind === 'choice' ? 'go_on' : arc.answerText(question.kind !== 'review'))
    if (passes() === 1 && arc.state.question?.kind === 'teach') arc.now += 2 * 86_400_000
  }
  expect(passes()).toBeGreaterThanOrEqual(4)
  expect(learned().length).toBeGreaterThan(0)
  expect(learned().length).toBeLessThan(passes())
  expect(new Set(learned()).size).toBe(learned().length)
})
