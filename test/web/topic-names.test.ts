import { describe, expect, it } from 'vitest'
import { dueByTopic, openArc } from '../../web/today/what-waits.ts'
import { alreadyLearned, inOrder } from '../../web/topics/names.ts'
import { arcView, probe } from './sample-views.ts'

const named = (arcId: string, change: Parameters<typeof arcView>[0] = {}) =>
  arcView({ arcId, ...change })

describe('a topic started twice', () => {
  const algebra = named('a', { topic: 'Linear  Equations', title: 'For June' })

  it.each(['linear equations', ' LINEAR equations ', 'for june'])('is known as “%s”', (topic) => {
    expect(alreadyLearned([algebra], { topic })?.arcId).toBe('a')
  })

  it('is another with a goal of its own, and none where the first is closed', () => {
    expect(
      alreadyLearned([algebra], { topic: 'linear equations', goal: 'physics' }),
    ).toBeUndefined()
    const closed = { ...algebra, phase: 'ABANDONED' as const }
    expect(alreadyLearned([closed], { topic: 'linear equations' })).toBeUndefined()
  })
})

it('puts what is due first, then what was last studied, what has ended last', () => {
  const at = (hour: number) => `2026-11-22T0${hour}:00:00.000Z`
  const arcs = [
    named('ended', { phase: 'COMPLETED', lastSessionAt: at(9) }),
    named('old', { lastSessionAt: at(1) }),
    named('new', { lastSessionAt: at(3) }),
    named('paused', { lastSessionAt: at(2), paused: true, nextReviewAt: at(1) }),
    named('due', { lastSessionAt: at(0), nextReviewAt: at(4) }),
  ]
  const order = inOrder(arcs, Date.parse(at(5))).map(({ arcId }) => arcId)
  expect(order).toEqual(['due', 'new', 'paused', 'old', 'ended'])
})

it('gathers what is due by topic, in the order of the agenda', () => {
  const item = (arcId: string, label: string) => ({
    ...{ arcId, label, topic: `topic ${arcId}`, nodeId: label, dueAt: '' },
  })
  const topics = dueByTopic([item('b', 'x'), item('a', 'y'), item('b', 'z')])
  expect(topics.map(({ topic, labels }) => [topic, labels])).toEqual([
    ['topic b', ['x', 'z']],
    ['topic a', ['y']],
  ])
})

describe('where to go on', () => {
  const open = named('open', { pendingQuestion: probe, title: 'Mine' })

  it('is what the agenda says', () => {
    const next = { arcId: 'open', label: 'Brackets' }
    expect(openArc(next, [open])).toEqual({ ...next, name: 'Mine' })
  })

  it('is else a topic with a question waiting, unless it is put away, paused or over', () => {
    expect(openArc(null, [open])).toMatchObject({ arcId: 'open', name: 'Mine' })
    const others = [{ archived: true }, { paused: true }, { phase: 'ABANDONED' as const }]
    expect(
      openArc(
        null,
        others.map((change) => ({ ...open, ...change })),
      ),
    ).toBeNull()
  })
})
