import { describe, expect, test } from 'vitest'
import { choiceIn, stopOrGoOn } from '../../../src/domain/arc/stop-offer.ts'
import { LANGUAGES } from '../../../src/domain/language/languages.ts'

describe('the offer to stop', () => {
  test.each(LANGUAGES)(
    'understands its own options in %s, by id, letter, number and text',
    (language) => {
      const { options } = stopOrGoOn(language)
      for (const [place, { id, text }] of (options ?? []).entries()) {
        for (const said of [id, text, text.toLowerCase(), 'ab'[place], 'AB'[place], place + 1]) {
          expect([said, choiceIn(String(said))]).toEqual([said, id])
        }
      }
    },
  )

  test.each([
    "that's enough",
    'Enough',
    'no',
    'genug',
    'es reicht',
    'Schluss für heute',
    'nein danke',
    'that is enough, thanks!',
    'I think that’s enough for today',
    "let's stop here",
    'lets stop',
    'not now',
    'tomorrow',
    'morgen weiter',
    "i'm done for today",
    'das reicht für heute',
    'ich glaub das ist genug',
    'können wir aufhören, bitte',
    'no thanks',
    'enough for today, thanks!',
  ])('takes “%s” for a stop', (said) => expect(choiceIn(said)).toBe('stop'))

  test.each([
    'ok',
    'yes please',
    'no, go on',
    'nein, mach weiter',
    "don't stop",
    'that is not enough',
    'nicht aufhören',
    'weiter',
    'go on',
  ])('takes “%s” for going on', (said) => expect(choiceIn(said)).toBe('go_on'))

  test.each([
    'what is a variable?',
    'how do i stop a loop?',
    'is that enough?',
    'actually 5',
    'another example',
    'why?',
    '12',
    'abc',
  ])('leaves “%s” to whoever it is for', (said) => expect(choiceIn(said)).toBeNull())
})
