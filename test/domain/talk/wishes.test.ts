import { describe, expect, it } from 'vitest'
import { readWish } from '../../../src/domain/talk/wishes.ts'

describe('a wish in many words', () => {
  it.each([
    ...["I don't understand the last step", 'i still do not get it', "can't follow this at all"],
    ...['i forgot how brackets work', 'give me an easier question', 'explain it once more'],
    ...['explain again please, I do not understand any of this text', 'that was too fast'],
    ...['Das kapiere ich nicht', 'Ich verstehe es immer noch nicht', 'ich versteh nur Bahnhof'],
    ...[
      'Erkläre mir das bitte nochmal anders',
      'das habe ich nicht verstanden',
      'ich komm nicht mit',
    ],
    ...['ich verstehe die Frage nicht', 'gib mir eine leichtere Aufgabe', 'nochmal erklären bitte'],
  ])('%j is for an explanation', (said) => expect(readWish(said)).toBe('explain'))

  it.each([
    ['hi again', 'greeting'],
    ['hallo nochmal', 'greeting'],
    ['I need more time', 'fine'],
    ['einen Moment bitte', 'fine'],
    ['lass mich kurz nachdenken', 'fine'],
    ['boring', 'know_this'],
    ['langweilig', 'know_this'],
  ])('%j is %s', (said, wish) => expect(readWish(said)).toBe(wish))

  it.each([
    ...[
      'I do understand it',
      'x = 4',
      'a moment of 5 Nm',
      'time',
      'one minute',
      'a second',
      'append',
    ],
    ...['I forgot the minus, so -4', 'ich habe 4 nicht gekürzt', 'again friend', 'explain: x = 4'],
  ])('%j is none', (said) => expect(readWish(said)).toBeNull())
})
