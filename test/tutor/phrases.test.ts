import { describe, expect, it } from 'vitest'
import { phrase } from '../../src/tutor/phrases.ts'

describe('a phrase', () => {
  it('is filled in', () => {
    const at = { at: 90_000 + 7_200_000, now: 90_000 }
    expect(phrase({ phrase: 'review-kept', params: { label: 'Sums', ...at } })).toBe(
      '**Sums** comes back in 2 hours.',
    )
    expect(phrase('wrong')).toBe('**Not right.**')
  })

  it('with a wrong name or parameter does not compile, and a stored name that is gone throws', () => {
    // @ts-expect-error no such phrase
    expect(() => phrase('wrogn')).toThrow('wrogn')
    // @ts-expect-error a label is wanted
    phrase({ phrase: 'mastered', params: { name: 'Sums' } })
    // @ts-expect-error the phrase needs its parameters
    phrase('mastered')
  })
})
