import { describe, expect, it, test } from 'vitest'
import { closingOf, type GradedAnswer } from '../../../src/domain/arc/closing.ts'
import type { MindMapNode } from '../../../src/domain/mind-map/mind-map.ts'
import { phrase } from '../../../src/tutor/phrases.ts'
import { SimulatedArc } from '../../support/simulated-arc.ts'
import { smallCourse } from '../../support/small-course.ts'
import { sampleNode } from '../mind-map/sample-map.ts'

const concept = (id: string, given: Partial<MindMapNode> = {}) =>
  sampleNode(id, { label: id.toUpperCase(), masteryStatus: 'mastered', ...given })
const on = (
  nodeId: string,
  qualities: number[],
  type: GradedAnswer['type'] = 'teach',
): GradedAnswer[] => qualities.map((quality) => ({ nodeId, quality, type }))

describe('what a learner has made of a topic', () => {
  it('names the concepts with the most misses as the hardest, those that went well never', () => {
    const answers = [
      ...on('a', [5, 5, 5, 5]),
      ...on('b', [1, 1, 3, 5, 5, 5]),
      ...on('c', [1, 1, 0, 5, 5, 5, 5]),
      ...on('d', [1, 5, 5, 5]),
      ...on('e', [1, 3, 5, 5, 5]),
    ]
    const { hardest, answers: count } = closingOf(
      [...'abcde'].map((id) => concept(id)),
      answers,
    )
    expect(hardest.map(({ label }) => label)).toEqual(['C', 'B', 'E'])
    expect(hardest[1]).toEqual({ nodeId: 'b', label: 'B', answers: 6, missed: 2, helped: 1 })
    expect(count).toBe(26)
  })

  it('says what got better by the first answers and the last, the level check included', () => {
    const answers = [
      ...on('a', [0], 'diagnostic'),
      ...on('a', [1, 5, 5, 5, 5]),
      ...on('b', [5, 5, 5, 5, 5, 5]),
      ...on('c', [1, 5, 5]),
    ]
    const { improved } = closingOf(
      [...'abc'].map((id) => concept(id)),
      answers,
    )
    expect(improved).toEqual([
      { nodeId: 'a', label: 'A', of: 3, first: 1, last: 3 },
      { nodeId: 'c', label: 'C', of: 1, first: 0, last: 1 },
    ])
  })

  it('never says of a concept that is not mastered that it got better', () => {
    const nodes = [concept('a', { masteryStatus: 'reviewing', metadata: { skipped: true } })]
    expect(closingOf(nodes, on('a', [1, 1, 1, 5, 5, 5])).improved).toEqual([])
  })

  it('goes on with what was set aside, then the extras, then what builds on this', () => {
    const nodes = [
      concept('a', { unitId: 'A-00' }),
      concept('b', { unitId: 'A-01', masteryStatus: 'unseen', metadata: { optional: true } }),
      concept('c', { unitId: 'A-02', masteryStatus: 'learning', metadata: { skipped: true } }),
    ]
    const units = [
      { unitId: 'A-00', title: 'A', prerequisites: [] },
      { unitId: 'A-03', title: 'Beyond what is set aside', prerequisites: ['A-02'] },
      { unitId: 'A-04', title: 'Builds on a', prerequisites: ['A-00'] },
      { unitId: 'A-05', title: 'Further still', prerequisites: ['A-04'] },
    ]
    expect(closingOf(nodes, [], units)).toMatchObject({
      ...{ total: 3, mastered: 1, aside: 1, extra: 1 },
      next: [
        { kind: 'aside', nodeId: 'c', label: 'C' },
        { kind: 'extra', nodeId: 'b', label: 'B' },
        { kind: 'course', nodeId: null, label: 'Builds on a' },
      ],
    })
  })
})

describe('the end of a topic', () => {
  const rules = { skipDiagnosis: true }

  test('everything skipped: nothing counts as mastered, nothing is due', () => {
    const arc = new SimulatedArc(smallCourse(), { rules })
    arc.turn()
    for (let n = 0; n < 4; n += 1) arc.say('', { action: 'skip_concept' })
    expect(arc.state.phase).toBe('COMPLETED')
    const end = arc.said.slice(-2).join('\n')
    expect(end).not.toMatch(/You have mastered|Well done|due|Keep it fresh/)
    expect(end).toContain('nothing counts as mastered')
    expect(end).toContain('What to learn next: *Adding numbers* (you set it aside)')
  })

  test.each(['en', 'de'] as const)('said as it was (%s)', (language) => {
    const arc = new SimulatedArc(smallCourse(), { rules: { ...rules, language } })
    arc.turn()
    let missed = 0
    while (arc.state.phase !== 'COMPLETED') {
      const { question } = arc.state
      if (!question) arc.sleep()
      else if (question.label === 'Sums of sums') arc.say('', { action: 'skip_concept' })
      else {
        const misses = question.kind === 'quiz' && question.label === 'Taking away' && missed < 4
        if (misses) missed += 1
        arc.say(arc.answerText(!misses))
      }
    }
    const end = arc.said.slice(-2).join('\n\n')
    expect(end).toContain(language === 'de' ? '3 von 4 Themen beherrschst du' : '3 of 4 concepts')
    const hard = language === 'de' ? 'Arbeit machten: *Taking away*' : 'most work: *Taking away*'
    expect(end).toContain(hard)
    expect(end).toContain(
      language === 'de' ? 'Weitergehen kann es mit: *Sums of' : 'next: *Sums of',
    )
    expect(end).toContain(language === 'de' ? 'Frisch halten' : 'Keep it fresh')
    expect(end).not.toContain('when it is due')
  })

  it.each(['en', 'de'] as const)('says “all” of what is all mastered alone (%s)', (language) => {
    const closing = closingOf([concept('a'), concept('b')], on('a', [5, 5, 5]))
    const said = phrase({ phrase: 'completed', params: { topic: 'T', closing } }, language)
    expect(said).toMatch(language === 'de' ? /^Du beherrschst .*\S!$/ : /^You have mastered .*\S!$/)
  })
})
