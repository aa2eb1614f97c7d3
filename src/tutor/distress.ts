import type { Language } from '../domain/language/languages.ts'

/**
 * What every tutor here says to somebody who may be in need, with a model or without: that a person can help better, and
 * whom to call. Nothing is graded, and nothing else is said.
 */
export const DISTRESS: Readonly<Record<Language, string>> = {
  en: [
    'That sounds very hard, and it matters more than any lesson. I am a program and cannot help you the way a person can.',
    'Please talk to somebody you trust today: a parent, a friend, a teacher, a doctor. If you are in danger now, call the emergency number: **112** in Europe, **911** in the US and Canada, **999** in the UK.',
    'These lines listen, day and night, and cost nothing: **116 123** in the UK, Ireland and many countries of Europe, **988** in the US and Canada. Your place here is kept.',
  ].join('\n\n'),
  de: [
    'Das klingt sehr schwer, und es ist wichtiger als jede Lektion. Ich bin ein Programm und kann dir nicht so helfen wie ein Mensch.',
    'Bitte sprich heute mit jemandem, dem du vertraust: Eltern, Freunden, einer Lehrkraft, einem Arzt. Wenn du jetzt in Gefahr bist, ruf den Notruf **112**.',
    'Es kostet nichts: die Telefonseelsorge, Tag und Nacht, **0800 1110111** (Österreich **142**, Schweiz **143**), und für Kinder und Jugendliche die Nummer gegen Kummer **116 111** (Österreich und Schweiz **147**). Dein Platz hier bleibt dir.',
  ].join('\n\n'),
}
