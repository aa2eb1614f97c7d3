import type { Language } from '../../domain/language/languages.ts'

/** What stands around the texts of a course where no model speaks; `title` is a unit's, `course` a course's. */
export interface LessonWords {
  workedExample: string
  answer: string
  anExample: string
  youMet(question: string): string
  stepByStep(solution: string): string
  watchOut: string
  inShort: string
  titleInShort(title: string): string
  keepInMind: string
  ifItDoesNotCome: string
  method(problem: string): string
  noFurtherHint: string
  belongsTo(title: string): string
  moreIn(title: string): string
  nothingFound(course: string): string
  seenInAnswers: string
  lookAgain: string
}

const EN: LessonWords = {
  workedExample: '**Worked example.**',
  answer: '**Answer:**',
  anExample: '**An example.**',
  youMet: (question) => `You met this question: ${question}`,
  stepByStep: (solution) => `Step by step: ${solution}`,
  watchOut: '**Watch out for this**',
  inShort: '**In short:**',
  titleInShort: (title) => `**${title}**, in short:`,
  keepInMind: 'What to keep in mind:',
  ifItDoesNotCome: 'If it does not come, say “show me” for the solution, or “skip this concept”.',
  method: (problem) =>
    `There is no further hint, but this is how such a problem is done. Take this one: ${problem}`,
  noFurtherHint: 'There is no further hint, but this may help.',
  belongsTo: (title) => `That belongs to **${title}**:`,
  moreIn: (title) => `There is more on it in **${title}**.`,
  nothingFound: (course) =>
    `I found nothing about that in the course *${course}*. Ask about one of its concepts, or say “plan” to see what comes next.`,
  seenInAnswers: 'What I saw in your answers:',
  lookAgain: 'Have a look at the worked example again, and at each step of your own answers.',
}

const DE: LessonWords = {
  workedExample: '**Beispiel, Schritt für Schritt.**',
  answer: '**Antwort:**',
  anExample: '**Ein Beispiel.**',
  youMet: (question) => `Diese Frage hattest du: ${question}`,
  stepByStep: (solution) => `Schritt für Schritt: ${solution}`,
  watchOut: '**Achte darauf**',
  inShort: '**Kurz gesagt:**',
  titleInShort: (title) => `**${title}**, kurz gesagt:`,
  keepInMind: 'Was du dir merken kannst:',
  ifItDoesNotCome:
    'Wenn es nicht gelingt, schreib „zeig mir die Lösung“ oder „dieses Thema überspringen“.',
  method: (problem) =>
    `Einen weiteren Tipp gibt es nicht, aber so löst man eine solche Aufgabe. Zum Beispiel diese: ${problem}`,
  noFurtherHint: 'Einen weiteren Tipp gibt es nicht, aber das könnte helfen.',
  belongsTo: (title) => `Das gehört zu **${title}**:`,
  moreIn: (title) => `Mehr dazu steht in **${title}**.`,
  nothingFound: (course) =>
    `Dazu habe ich im Kurs *${course}* nichts gefunden. Frag nach einem seiner Themen, oder schreib „Plan“, um zu sehen, was als Nächstes kommt.`,
  seenInAnswers: 'Das ist mir an deinen Antworten aufgefallen:',
  lookAgain: 'Sieh dir das Beispiel noch einmal an, und jeden Schritt deiner eigenen Antworten.',
}

const WORDS: Record<Language, LessonWords> = { en: EN, de: DE }

/** The words around the texts of a course, in a language. */
export const lessonWords = (language: Language): LessonWords => WORDS[language]
