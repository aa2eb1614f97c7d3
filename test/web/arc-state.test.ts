import { describe, expect, it } from 'vitest'
import type { ArcEvent } from '../../src/client/arc-event.ts'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import { type ArcState, applyEvents, mergeMessages, withLastPage } from '../../web/api/arc-state.ts'
import { arcView, mindMapView, probe } from './sample-views.ts'

const message = (id: string, change: Partial<ArcMessage> = {}): ArcMessage => ({
  id,
  role: 'tutor',
  text: `text of ${id}`,
  phase: 'TEACHING',
  createdAt: '2026-11-21T10:00:00.000Z',
  ...change,
})

const state = (change: Partial<ArcState> = {}): ArcState => ({
  arc: arcView(),
  messages: [message('a')],
  mindMap: mindMapView(),
  draft: null,
  nudge: null,
  ...change,
})

const apply = (before: ArcState, ...events: [string, unknown][]) =>
  applyEvents(
    before,
    events.map(([type, data]) => ({ type, data }) as ArcEvent),
  )

describe('events of an arc', () => {
  it('append a message once, in the order told', () => {
    const { state: after } = apply(
      state(),
      ['message', message('b')],
      ['message', message('c')],
      ['message', message('b')],
    )
    expect(after.messages?.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
  })

  it('leave messages that were not read yet to the reading', () => {
    const { state: after } = apply(state({ messages: undefined }), ['message', message('b')])
    expect(after.messages).toBeUndefined()
  })

  it('clear the draft when the tutor has spoken, not when the learner has', () => {
    const draft = { turnId: '1', attempt: 1, text: 'so' }
    const of = (role: ArcMessage['role']) =>
      apply(state({ draft }), ['message', message('b', { role })]).state.draft
    expect(of('tutor')).toBeNull()
    expect(of('learner')).toEqual(draft)
  })

  it('ask nothing while a message of the learner is answered', () => {
    const asking = state({ arc: arcView({ pendingQuestion: probe }) })
    const { state: after, refetch } = apply(asking, ['message', message('b', { role: 'learner' })])
    expect(after.arc?.pendingQuestion).toBeNull()
    expect([...refetch]).toEqual([])
  })

  it('open and close the question, which whoever is paused or blocked does not ask', () => {
    const blocked = { reason: 'no model', since: '', retryAt: '' }
    const held = state({ arc: arcView({ paused: true, blocked }) })
    const { state: opened } = apply(held, ['question', { ...probe, nodeId: 'n3' }])
    expect(opened.arc).toMatchObject({
      ...{ pendingQuestion: { id: probe.id }, paused: false, resting: false, blocked: null },
      currentNode: { id: 'n3', label: 'Like terms' },
    })
    expect(apply(opened, ['question', null]).state.arc?.pendingQuestion).toBeNull()
  })

  it('move the phase', () => {
    const { state: after } = apply(state(), [
      'phase',
      { phase: 'TEACHING', subPhase: 'explaining' },
    ])
    expect(after.arc).toMatchObject({ phase: 'TEACHING', subPhase: 'explaining' })
  })

  it('change a concept, and with it the way on, what is mastered, and the next review', () => {
    const nextReviewAt = '2026-11-22T10:00:00.000Z'
    const change = { id: 'n3', masteryStatus: 'mastered', masteryScore: 0.9, nextReviewAt }
    const { state: after, refetch } = apply(state(), ['node', change])
    const node = after.mindMap?.nodes.find(({ id }) => id === 'n3')
    expect(node).toMatchObject({ ...change, label: 'Like terms', effortMinutes: 30 })
    expect(node?.description).toContain('Like terms')
    expect(after.mindMap).toMatchObject({ frontier: ['n4'], nextNodeId: 'n4' })
    expect(after.arc).toMatchObject({ mastery: { mastered: 2, total: 5, pct: 0.4 }, nextReviewAt })
    expect([...refetch]).toEqual([])
  })

  it('of a turn that ends with a question carry all there is to know', () => {
    const { refetch } = apply(
      state(),
      ['message', message('b')],
      ['phase', { phase: 'QUIZZING', subPhase: null }],
      ['review', { nodeIds: ['n2'] }],
      ['message', message('c', { questionId: probe.id })],
      ['question', probe],
    )
    expect([...refetch]).toEqual([])
  })

  it.each<[string, [string, unknown][], string[]]>([
    ['the tutor only speaks', [['message', message('b')]], ['arc']],
    [
      'the question is closed',
      [
        ['message', message('b')],
        ['question', null],
      ],
      ['arc'],
    ],
    [
      'it is held up after a question',
      [
        ['question', probe],
        ['phase', { phase: 'QUIZZING', subPhase: null }],
      ],
      ['arc'],
    ],
    ['the arc is over', [['phase', { phase: 'COMPLETED', subPhase: null }]], ['mindMap', 'arc']],
  ])('have read what they do not carry when %s', (_, events, parts) => {
    expect([...apply(state(), ...events).refetch]).toEqual(parts)
  })

  it('have the arc read where a concept changes that is not known yet', () => {
    expect([...apply(state({ mindMap: undefined }), ['node', { id: 'n3' }]).refetch]).toEqual([
      'arc',
    ])
  })

  it('read everything again after a reset, and know nothing of other types', () => {
    expect([...apply(state(), ['reset', {}]).refetch].sort()).toEqual([
      'arc',
      'messages',
      'mindMap',
    ])
    const before = state()
    expect(apply(before, ['unheard-of', { x: 1 }]).state).toBe(before)
  })
})

it('merging keeps the order read, and what an event brought meanwhile comes last', () => {
  const read = ['a', 'b'].map((id) => message(id))
  const cached = ['b', 'c'].map((id) => message(id))
  expect(mergeMessages(read, cached).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})

describe('the last page of a transcript', () => {
  const all = Array.from({ length: 30 }, (_, index) => ({
    ...message(`m${index}`),
    createdAt: new Date(index * 1000).toISOString(),
  }))
  const part = ([from, to]: readonly [number, number]) => all.slice(from, to)

  it.each([
    ['nothing was known', [0, 0], [20, 30], [20, 30]],
    ['older pages were read', [5, 30], [20, 30], [5, 30]],
    ['an event has told more since', [20, 30], [15, 25], [15, 30]],
    ['older pages were read and more came', [5, 28], [20, 30], [5, 30]],
    ['more was missed than a page', [0, 10], [20, 30], [20, 30]],
  ] as const)('joins what is known where %s', (_, known, page, expected) => {
    expect(withLastPage(part(page), part(known))).toEqual(part(expected))
  })
})
