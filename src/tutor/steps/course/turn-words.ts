import { TIERS_DE } from '../../../domain/course/words.ts'
import type { Language } from '../../../domain/language/languages.ts'
import type { Aside } from '../../../domain/talk/asides.ts'
import { ASIDES } from '../../aside-words.ts'
import { DISTRESS } from '../../distress.ts'

/** What the course tutor says in words of its own, where no model speaks; `title` is a unit's. */
export interface TurnWords {
  greeting(title: string): string
  thanks: string
  understood: string
  aboutTheTutor(title: string): string
  tired: string
  upset: string
  farewell: string
  distress: string
  asides: Readonly<Record<Aside, string>>
  good: string
  leaveIt(title: string): string
  offerExercise(title: string): string
  offerUnit(title: string): string
  notUnderstood: string
  doYouMean(first: string, second: string): string
  before(target: string, title: string): string
  whatDoYouGet: string
  nothingFound: string
  allSaid: string
  noOtherExample: string
  comesBefore(title: string): string
  nearest: string
  stepByStep: string
  toTheCard: string
  canCheck: string
  unasked: string
  allTheHelp: string
  exercise(title: string): string
  showMe: string
  onceMore(title: string): string
  exam(tier: string, title: string): string
  whichIsTrue(title: string, a: string, b: string): string
  letUsSee: string
}

const EN: TurnWords = {
  greeting: (title) => `Hello! We are at **${title}**. Ask me anything about it.`,
  thanks: 'You are welcome!',
  understood: 'Good.',
  aboutTheTutor: (title) =>
    `I am the tutor of this course: a program that explains, asks and checks. We are at **${title}**.`,
  tired: 'Fair enough. A break helps more than one more exercise; we go on whenever you like.',
  upset: 'That is frustrating, and it happens to everybody who learns. One small step, then.',
  distress: DISTRESS.en,
  asides: ASIDES.en,
  farewell: 'See you! Whenever you come back, we go on from here.',
  good: 'Good.',
  leaveIt: (title) =>
    `All right. Ask me whatever you like about **${title}**, or name another topic of the course.`,
  offerExercise: (title) => `Shall I give you an exercise on **${title}**?`,
  offerUnit: (title) => `Shall we go on with **${title}**, or have you another topic in mind?`,
  notUnderstood: 'I did not understand that.',
  doYouMean: (first, second) => `Do you mean a) **${first}**, or rather b) **${second}**?`,
  before: (target, title) => `Before **${target}** let us make sure of **${title}**.`,
  whatDoYouGet: 'What do you get?',
  nothingFound: 'I find nothing about that in this course.',
  allSaid: 'I have said what the course says to that. Let us look at it from another side.',
  noOtherExample: 'I have no other example of that here; doing one yourself helps most now.',
  comesBefore: (title) => `**${title}** comes before that.`,
  nearest: 'The nearest that the course has to that:',
  stepByStep: 'Once more, step by step.',
  toTheCard:
    'Put your answer into the exercise itself and press “Check answer”: there it is checked, and there it counts.',
  canCheck: 'I can check answers to exercises.',
  unasked: 'That looks like an answer, but I have asked nothing that it would fit.',
  allTheHelp:
    'That is all the help I have for this exercise. Write “I don’t know” into it and press “Check answer”: then you see how it goes. Or take another one.',
  exercise: (title) => `Here is a short exercise on **${title}**.`,
  showMe: 'Then show me.',
  onceMore: (title) => `Let us look at **${title}** once more.`,
  exam: (tier, title) =>
    `You are ready for a ${tier} exam question on **${title}**. Take your time: a wrong answer locks it for a day.`,
  whichIsTrue: (title, a, b) =>
    `Which of these is true of **${title}**?\n\na) ${a}\n\nb) ${b}\n\nAnswer with a or b.`,
  letUsSee: 'Let us see:',
}

const DE: TurnWords = {
  greeting: (title) => `Hallo! Wir sind bei **${title}**. Frag mich dazu, was du willst.`,
  thanks: 'Gern geschehen!',
  understood: 'Gut.',
  aboutTheTutor: (title) =>
    `Ich bin der Tutor dieses Kurses: ein Programm, das erklärt, fragt und prüft. Wir sind bei **${title}**.`,
  tired:
    'Das verstehe ich. Eine Pause hilft oft mehr als noch eine Übung; wir machen weiter, wann du willst.',
  upset: 'Das ist ärgerlich, und es geht jedem so, der lernt. Gehen wir einen kleinen Schritt.',
  distress: DISTRESS.de,
  asides: ASIDES.de,
  farewell: 'Bis bald! Wann immer du zurückkommst, machen wir hier weiter.',
  good: 'Gut.',
  leaveIt: (title) =>
    `In Ordnung. Frag mich zu **${title}**, was du willst, oder nenne ein anderes Thema des Kurses.`,
  offerExercise: (title) => `Soll ich dir eine Übung zu **${title}** geben?`,
  offerUnit: (title) => `Machen wir mit **${title}** weiter, oder meinst du ein anderes Thema?`,
  notUnderstood: 'Das habe ich nicht verstanden.',
  doYouMean: (first, second) => `Meinst du a) **${first}** oder eher b) **${second}**?`,
  before: (target, title) => `Vor **${target}** sehen wir nach, ob **${title}** sitzt.`,
  whatDoYouGet: 'Was kommt heraus?',
  nothingFound: 'Dazu finde ich in diesem Kurs nichts.',
  allSaid: 'Was der Kurs dazu sagt, habe ich gesagt. Sehen wir es von einer anderen Seite an.',
  noOtherExample:
    'Ein anderes Beispiel habe ich dazu hier nicht; am meisten hilft jetzt, selbst eines zu rechnen.',
  comesBefore: (title) => `**${title}** kommt davor.`,
  nearest: 'Am nächsten kommt dem im Kurs:',
  stepByStep: 'Noch einmal, Schritt für Schritt.',
  toTheCard:
    'Schreib deine Antwort in die Übung selbst und drück auf „Antwort prüfen“: Dort wird sie geprüft, und dort zählt sie.',
  canCheck: 'Antworten auf Übungen kann ich prüfen.',
  unasked: 'Das sieht nach einer Antwort aus, aber ich habe nichts gefragt, wozu sie passt.',
  allTheHelp:
    'Mehr Hilfe habe ich zu dieser Übung nicht. Schreib „Ich weiß es nicht“ hinein und drück auf „Antwort prüfen“: Dann siehst du, wie es geht. Oder nimm eine andere.',
  exercise: (title) => `Hier ist eine kurze Übung zu **${title}**.`,
  showMe: 'Dann zeig es mir.',
  onceMore: (title) => `Sehen wir uns **${title}** noch einmal an.`,
  exam: (tier, title) =>
    `Du bist bereit für eine Prüfungsfrage (${TIERS_DE[tier] ?? tier}) zu **${title}**. Lass dir Zeit: Eine falsche Antwort sperrt sie für einen Tag.`,
  whichIsTrue: (title, a, b) =>
    `Was davon stimmt für **${title}**?\n\na) ${a}\n\nb) ${b}\n\nAntworte mit a oder b.`,
  letUsSee: 'Sehen wir nach:',
}

const WORDS: Record<Language, TurnWords> = { en: EN, de: DE }

/** The course tutor's words in a language. */
export const turnWords = (language: Language): TurnWords => WORDS[language]
