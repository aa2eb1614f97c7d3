import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ArcMessage } from '../../src/contracts/arc.ts'
import { type ArcState, applyEvents, mergeMessages, withDelta } from '../../web/api/arc-state.ts'
import { arcView, mindMapView, probe } from '../e2e/stub-world.ts'

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
    events.map(([type, data]) => ({ type, data })),
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

  it('open and close the question, and ask for the arc to be read', () => {
    const opened = apply(state(), ['question', probe])
    expect(opened.state.arc?.pendingQuestion).toEqual(probe)
    expect([...opened.refetch]).toEqual(['arc'])
    expect(apply(opened.state, ['question', null]).state.arc?.pendingQuestion).toBeNull()
  })

  it('move the phase', () => {
    const { state: after } = apply(state(), [
      'phase',
      { phase: 'TEACHING', subPhase: 'explaining' },
    ])
    expect(after.arc).toMatchObject({ phase: 'TEACHING', subPhase: 'explaining' })
  })

  it('change a concept and keep what the event does not say', () => {
    const change = { id: 'n3', masteryStatus: 'reviewing', masteryScore: 0.9 }
    const { state: after, refetch } = apply(state(), ['node', change])
    const node = after.mindMap?.nodes.find(({ id }) => id === 'n3')
    expect(node).toMatchObject({ ...change, label: 'Like terms', effortMinutes: 30 })
    expect(node?.description).toContain('Like terms')
    expect([...refetch].sort()).toEqual(['arc', 'mindMap'])
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

describe('a draft', () => {
  const piece = { turnId: '1', attempt: 1 }

  it('grows by pieces, and a piece told twice changes nothing', () => {
    const pieces = fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1 })
    fc.assert(
      fc.property(pieces, fc.nat(), (texts, again) => {
        let offset = 0
        const deltas = texts.map((text) => {
          const delta = { ...piece, offset, text }
          offset += text.length
          return delta
        })
        const whole = deltas.reduce(withDelta, null)
        expect(whole?.text).toBe(texts.join(''))
        const seen = deltas.slice(0, (again % deltas.length) + 1)
        const last = seen[seen.length - 1]
        const once = seen.reduce(withDelta, null)
        expect(last && withDelta(once, last)).toEqual(once)
      }),
      { seed: 42, numRuns: 500 },
    )
  })

  it('is replaced by a higher attempt, never by a lower one', () => {
    const first = withDelta(null, { ...piece, offset: 0, text: 'first' })
    const second = withDelta(first, { ...piece, attempt: 2, offset: 0, text: 'second' })
    expect(second).toEqual({ turnId: '1', attempt: 2, text: 'second' })
    expect(withDelta(second, { ...piece, offset: 0, text: 'late' })).toBe(second)
  })

  it('is not begun in the middle', () => {
    expect(withDelta(null, { ...piece, offset: 4, text: 'tail' })).toBeNull()
  })

  it('of a new turn replaces the old', () => {
    const old = withDelta(null, { ...piece, attempt: 3, offset: 0, text: 'old' })
    const next = withDelta(old, { turnId: '2', attempt: 1, offset: 0, text: 'new' })
    expect(next).toEqual({ turnId: '2', attempt: 1, text: 'new' })
  })
})

it('merging keeps the order read, and what an event brought meanwhile comes last', () => {
  const read = ['a', 'b'].map((id) => message(id))
  const cached = ['b', 'c'].map((id) => message(id))
  expect(mergeMessages(read, cached).map(({ id }) => id)).toEqual(['a', 'b', 'c'])
})
