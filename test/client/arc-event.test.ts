import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withDelta } from '../../src/client/arc-event.ts'

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
