import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadCourse } from '../../../src/courses/load.ts'
import { secondsByConcept, summaryOf } from '../../../src/domain/arc/summary.ts'
import type { NodeMetadata } from '../../../src/domain/mind-map/mind-map.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'

const concept = (
  id: string,
  masteryStatus: 'unseen' | 'learning' | 'reviewing' | 'mastered',
  metadata: NodeMetadata = {},
) => ({ id, label: id.toUpperCase(), masteryStatus, metadata })

const answers = (nodeId: string, qualities: number[]) =>
  qualities.map((quality) => ({ nodeId, quality }))

const labels = (found: { label: string }[]) => found.map(({ label }) => label)

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

  it('finds hard what was explained most often, and without that what was missed more than once', () => {
    const wrong = [...answers('a', [1, 1, 5]), ...answers('b', [1]), ...answers('c', [0, 1, 2])]
    const twice = [
      concept('a', 'mastered', { lessons: 1 }),
      concept('b', 'mastered', { lessons: 3 }),
      concept('c', 'mastered', { lessons: 2 }),
    ]
    expect(summaryOf(twice, wrong, []).hardest).toEqual([
      { nodeId: 'b', label: 'B', lessons: 3, answers: { right: 0, of: 1 } },
      { nodeId: 'c', label: 'C', lessons: 2, answers: { right: 0, of: 3 } },
    ])
    const once = twice.map((node) => ({ ...node, metadata: { lessons: 1 } }))
    expect(labels(summaryOf(once, wrong, []).hardest)).toEqual(['C', 'A'])
    expect(summaryOf(once, answers('a', [5, 5, 1]), []).hardest).toEqual([])
  })

  it('finds better what was answered wrongly at first and rightly at last', () => {
    const nodes = ['a', 'b', 'c', 'd', 'e'].map((id) => concept(id, 'reviewing'))
    const given = [
      ...answers('a', [1, 5, 5, 5, 5, 5]),
      ...answers('b', [1, 1, 1, 3, 5, 5]),
      // As good before as after.
      ...answers('c', [5, 5, 5, 5]),
      // Too few to say anything.
      ...answers('d', [1, 5, 5]),
      // Better, and still not good.
      ...answers('e', [0, 0, 0, 5, 0, 0]),
    ]
    expect(summaryOf(nodes, given, []).improved).toEqual([
      { nodeId: 'b', label: 'B', first: { right: 0, of: 3 }, last: { right: 3, of: 3 } },
      { nodeId: 'a', label: 'A', first: { right: 2, of: 3 }, last: { right: 3, of: 3 } },
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
