import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languageOfTag } from '../../../src/domain/language/languages.ts'
import { writtenLanguage } from '../../../src/domain/language/written-language.ts'

const COURSES = join(import.meta.dirname, '../../../courses')

/** Every sentence of the shipped courses' lessons: English with formulas and code in it. */
const sentences = readdirSync(COURSES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('lesson.md'))
  .flatMap((file) => readFileSync(join(COURSES, file), 'utf8').split(/(?<=[.?!])\s+/))

describe('the language of a text', () => {
  it('is never German in an English lesson', () => {
    expect(sentences.length).toBeGreaterThan(500)
    expect(sentences.filter((sentence) => writtenLanguage(sentence) === 'de')).toEqual([])
    const english = sentences.filter((sentence) => writtenLanguage(sentence) === 'en')
    expect(english.length / sentences.length).toBeGreaterThan(0.8)
  })

  it.each([
    'Alle Menschen sind frei und gleich an Würde und Rechten geboren.',
    'Niemand darf in Sklaverei oder Leibeigenschaft gehalten werden',
    'Jeder hat das Recht auf Bildung.',
    'Lineare Gleichungen',
    'Bruchrechnung. Ich will die Prüfung im Juni bestehen',
    'kannst du das noch mal erklären',
    'weil der Nenner gleich bleibt',
    'Warum gilt $a + b = b + a$ auch hier?',
    'Wie funktioniert eine Wärmepumpe?',
  ])('is German: %s', (text) => {
    expect(writtenLanguage(text)).toBe('de')
  })

  it.each([
    'All human beings are born free and equal in dignity and rights.',
    'No one shall be held in slavery or servitude',
    'Everyone has the right to education.',
    'because the denominator stays the same',
    'could you explain that again',
    'linear equations',
  ])('is English: %s', (text) => {
    expect(writtenLanguage(text)).toBe('en')
  })

  it.each([
    ...['', 'x = 4', '-2', 'Kant', 'Algebra', '$\\text{das ist nicht mehr als eine Formel}$'],
    'Tous les êtres humains naissent libres et égaux en dignité et en droits.',
    'Todos los seres humanos nacen libres e iguales',
    'Alle mensen worden vrij en gelijk in waardigheid en rechten geboren.',
    'Alle mennesker er født frie og lige i værdighed og rettigheder.',
    '`print("das ist ein deutscher Satz in einem Programm")`',
  ])('is left open where there is too little, or another one: %s', (text) => {
    expect(writtenLanguage(text)).toBeNull()
  })

  it('is that of a tag, English where the tutor has no words for it', () => {
    expect(['de', 'de-AT', 'DE', 'en-GB', 'fr', 'den'].map(languageOfTag)).toEqual([
      ...['de', 'de', 'de', 'en', 'en', 'en'],
    ])
  })
})
