import { describe, expect, it } from 'vitest'
import type { PhraseName } from '../../src/domain/arc/phrase.ts'
import { readCommand } from '../../src/domain/talk/commands.ts'
import { conceptWanted, readWish } from '../../src/domain/talk/wishes.ts'
import { phrase } from '../../src/tutor/phrases.ts'

describe('a phrase', () => {
  it('is filled in', () => {
    const at = { at: 90_000 + 7_200_000, now: 90_000 }
    expect(phrase({ phrase: 'review-kept', params: { label: 'Sums', ...at } })).toBe(
      '**Sums** comes back in 2 hours.',
    )
    expect(phrase('wrong')).toBe('**Not right.**')
  })

  it.each([
    [1, 'einer Sekunde'],
    [30, '30 Sekunden'],
    [3_600, '60 Minuten'],
    [86_400, '24 Stunden'],
    [172_800, '2 Tagen'],
  ])('is said in German as well: in %i seconds', (seconds, words) => {
    const at = { at: seconds * 1_000, now: 0 }
    expect(phrase({ phrase: 'review-kept', params: { label: 'Terme', ...at } }, 'de')).toBe(
      `**Terme** kommt in ${words} wieder.`,
    )
  })

  it.each([
    [
      { ofCheck: 4, inHand: null, minutes: 0 },
      /^At most 4 questions .* left, often fewer\. “Skip/u,
    ],
    [
      { ofCheck: 1, inHand: null, minutes: 0 },
      /^This is the last question of the level check\. “Skip/u,
    ],
    [
      { ofCheck: null, inHand: { label: 'Terms', questions: 2 }, minutes: 531 },
      /^2 questions on \*\*Terms\*\*\. .*about 9 hours/u,
    ],
    [
      { ofCheck: null, inHand: { label: 'Terms', questions: 1 }, minutes: 65 },
      /^This is the last question on .*about an hour/u,
    ],
    [{ ofCheck: null, inHand: null, minutes: 4 }, /about 10 minutes are left/u],
    [{ ofCheck: null, inHand: null, minutes: 0 }, /^The lessons are done/u],
  ])('tells what is left as it is: %j', (left, words) => {
    const say = (language: 'en' | 'de') =>
      phrase({ phrase: 'talk-time', params: { topic: 'Algebra', ...left } }, language)
    expect(say('en')).toMatch(words)
    expect(say('de')).not.toMatch(/undefined|NaN|null|left|hours/u)
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

/** Phrases that tell the learner what to say. */
const ADVISING = [
  ...[
    'diagnosis-start',
    'diagnose-nothing',
    'no-hint-in-check',
    'talk-upset',
    'talk-tired',
    'offer-aside',
  ],
  ...['teach-missing', 'concept-skipped', 'put-again', 'put-again-offer'],
] as PhraseName[]
const FORMATS = ['multiple_choice', 'short_answer', 'program']

describe.each(['en', 'de'] as const)('what the tutor advises to say (%s)', (language) => {
  it.each(ADVISING)('is understood: %s', (name) => {
    for (const format of FORMATS) {
      const params = { label: 'Terme', missing: ['Brüche'], format }
      const words = phrase({ phrase: name, params } as never, language)
      const quoted = [...words.matchAll(/[“„]([^”“]+)[”“]/g)].map(([, said = '']) => said)
      expect(quoted.length, words).toBeGreaterThan(0)
      for (const said of quoted) {
        const isHeard = readCommand(said) ?? readWish(said) ?? conceptWanted(said)
        expect(isHeard, `“${said}” in “${words}”`).not.toBeNull()
      }
    }
  })
})
