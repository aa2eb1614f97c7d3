import type { Language } from '../language/languages.ts'

/** What the course tutor's rules say in words of their own; `title` is a unit's, `tier` an exam question's. */
export interface CourseWords {
  right: string
  notRight: string
  notQuite: string
  closeNotYet: string
  allRight: string
  notCounted: string
  gradedAlready: string
  tooOld: string
  hereIsAFresh: string
  freshExercise(title: string): string
  passedAlready: string
  locked: string
  unavailable: string
  openAgain(exam: { tier: string; title: string } | null): string
  /** Said where a model's answer cannot be used, around the course's material. */
  staySocratic(title: string): string
  oneExercise(title: string): string
  mainIdea: string
}

const EN: CourseWords = {
  right: 'Right.',
  notRight: 'Not right.',
  notQuite: 'Not quite.',
  closeNotYet: 'Close, but not it yet.',
  allRight: 'That is all right.',
  notCounted:
    'I could not read that as an answer, so nothing was counted. Give the result by itself, without words around it, and check again.',
  gradedAlready: 'This drill is graded already; ask for another one.',
  tooOld: 'This drill is more than 24 hours old.',
  hereIsAFresh: 'Here is a fresh one.',
  freshExercise: (title) =>
    `That exercise was from another day. Here is a fresh one on **${title}**.`,
  passedAlready: 'This question is passed already.',
  locked: 'This question is locked.',
  unavailable: 'The tutor cannot answer at the moment; nothing was counted. Please try again.',
  openAgain: (exam) => {
    const about = exam ? `the ${exam.tier} exam question on **${exam.title}**` : 'an exam question'
    return `A lock has ended: ${about} is open again. Do a drill to warm up, or go straight back to it.`
  },
  staySocratic: (title) =>
    `Let us stay with ${title} for a moment. What is the first step you would try, and why?`,
  oneExercise: (title) => `Here is one short exercise on ${title}.`,
  mainIdea: 'In one sentence, what is the main idea?',
}

/** The tiers of exam questions in German. */
export const TIERS_DE: Readonly<Record<string, string>> = {
  bronze: 'Bronze',
  silver: 'Silber',
  gold: 'Gold',
}

const DE: CourseWords = {
  right: 'Richtig.',
  notRight: 'Das stimmt nicht.',
  notQuite: 'Nicht ganz.',
  closeNotYet: 'Nah dran, aber noch nicht ganz.',
  allRight: 'Das macht nichts.',
  notCounted:
    'Das konnte ich nicht als Antwort lesen, es wurde also nichts gezählt. Schreib nur das Ergebnis, ohne Worte drumherum, und lass es noch einmal prüfen.',
  gradedAlready: 'Diese Übung ist schon bewertet; lass dir eine andere geben.',
  tooOld: 'Diese Übung ist älter als 24 Stunden.',
  hereIsAFresh: 'Hier ist eine neue.',
  freshExercise: (title) =>
    `Diese Übung war von einem anderen Tag. Hier ist eine neue zu **${title}**.`,
  passedAlready: 'Diese Frage hast du schon bestanden.',
  locked: 'Diese Frage ist gesperrt.',
  unavailable:
    'Der Tutor kann im Augenblick nicht antworten; es wurde nichts gezählt. Bitte versuch es noch einmal.',
  openAgain: (exam) => {
    const about = exam
      ? `Die Prüfungsfrage (${TIERS_DE[exam.tier] ?? exam.tier}) zu **${exam.title}**`
      : 'Eine Prüfungsfrage'
    return `Eine Sperre ist vorbei: ${about} ist wieder offen. Mach zum Aufwärmen eine Übung, oder geh gleich zu ihr zurück.`
  },
  staySocratic: (title) =>
    `Bleiben wir noch kurz bei ${title}. Welchen Schritt würdest du als ersten versuchen, und warum?`,
  oneExercise: (title) => `Hier ist eine kurze Übung zu ${title}.`,
  mainIdea: 'Was ist in einem Satz der Grundgedanke?',
}

const WORDS: Record<Language, CourseWords> = { en: EN, de: DE }

/** The words of the course tutor's rules in a language. */
export const courseWords = (language: Language): CourseWords => WORDS[language]
