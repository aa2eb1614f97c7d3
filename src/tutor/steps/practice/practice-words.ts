import type { Language } from '../../../domain/language/languages.ts'
import type { SmallerKind, SmallerQuestion } from '../../../domain/practice/state.ts'
import type { SmallTalk } from '../../../domain/practice/turn.ts'
import { ASIDES } from '../../aside-words.ts'
import { DISTRESS } from '../../distress.ts'

/** Which problem of how many; `total` null where more may follow. */
export interface Place {
  number: number
  total: number | null
}

/** What the problem tutor says in words of its own. */
export interface PracticeWords {
  again(problem: string): string
  withThat(problem: string): string
  close: string
  notQuite: string
  notYet: string
  checkLastStep: string
  lookAgain: string
  nothingOnThat: string
  stepRight: string
  thanksForExplaining: string
  leaveExplanation: string
  thisIsHow: string
  skipped: string
  unread: string
  unreadAgain: string
  thatIsIt: string
  rightExplain: string
  rightDone: string
  rightInvite: string
  howYourOwn: string
  noProblem: string
  howBefore: string
  comeBack: string
  hardThisIsHow: string
  solutionAbove: string
  anotherStep: string
  smallerStep: string
  sayShow: string
  writeDown: string
  toldTeacher: string
  smaller(asked: Pick<SmallerQuestion, 'question' | 'kind'>): string
  hint(text: string): string
  everyHint: string
  allTheHelp(showsSolution: boolean): string
  whereabouts: Readonly<Record<string, string>>
  late: Readonly<Record<'correct' | 'close' | 'wrong_operation' | 'other', string>>
  stepAnswer(expected: string): string
  skipOffer: string
  solution(text: string): string
  over: string
  next(problem: string): string
  mayHelp(text: string): string
  talk: Readonly<Record<Exclude<SmallTalk, 'leave' | 'plan'>, string>>
  leave(place: Place | null): string
  plan(place: Place): string
}

type ByKind = Record<SmallerKind, (question: string) => string>

const putAs =
  (words: ByKind): PracticeWords['smaller'] =>
  ({ question, kind }) =>
    kind === undefined ? question : words[kind](question)

const EN: PracticeWords = {
  again: (problem) => `The problem again: ${problem}`,
  withThat: (problem) => `With that in mind: ${problem}`,
  close: 'Close, but not quite.',
  notQuite: 'Not quite.',
  notYet: 'Not yet.',
  checkLastStep: 'Check your last step.',
  lookAgain: 'Look again at what is asked, and at the signs.',
  nothingOnThat:
    'I have nothing else on that here. Say “stuck” for a smaller step, or “skip” to leave this one.',
  stepRight: 'Good, that step is right.',
  thanksForExplaining: 'Thank you for explaining.',
  leaveExplanation: 'All right, we leave the explanation.',
  thisIsHow: 'All right. This is how it goes.',
  skipped: 'All right, we skip this one.',
  unread:
    'I cannot read that as an answer, so it does not count as an attempt. You can write just your answer, or say “stuck” or “skip”.',
  unreadAgain:
    'That I cannot read as an answer either, and it does not count. A guess is welcome; “explain” tells you what the lesson says, and “stop” keeps your place for later.',
  thatIsIt: 'Yes, that is the answer.',
  rightExplain: 'That is right! Explain in a sentence or two how you got there.',
  rightDone: 'That is right, well done!',
  rightInvite: 'That is right, well done! If you like, tell me how you got there.',
  howYourOwn: 'And how did you get your own answer?',
  noProblem: 'There is no problem open at the moment.',
  howBefore: 'Before we go on: how did you get your answer?',
  comeBack: 'Let us come back to it.',
  hardThisIsHow: 'This one is hard. This is how it goes.',
  solutionAbove: 'The solution stands above. Write down its answer, or say “skip” to go on.',
  anotherStep: 'Let us take another step.',
  smallerStep: 'Let us take a smaller step.',
  sayShow: 'You can also say “show me” and see how it goes.',
  writeDown: 'Write down what you know, and what is asked for.',
  toldTeacher: 'I have told your teacher that this one is hard.',
  smaller: putAs({
    easier: (question) => `Here is an easier one of its kind: ${question}`,
    another: (question) => `Here is another one of its kind: ${question}`,
    step: (step) =>
      `What is the first step? Begin like this: ${step}. Which equation does that give?`,
    sum: (sum) => `A first step: what is ${sum}?`,
  }),
  hint: (text) => `Hint: ${text}`,
  everyHint: 'You have had every hint. This is how such a problem is done.',
  allTheHelp: (showsSolution) =>
    `You have had all the help that I have for this one. Try again, or say ${
      showsSolution ? '“show me” for the solution, or “skip”' : '“skip” to leave it'
    }.`,
  whereabouts: {
    'sign error': 'Look at the sign once more.',
    'place value': 'Look where the decimal point belongs.',
    'inverted fraction': 'Look what is divided by what.',
    'opposite operation': 'Look which operation is asked for.',
    'ignored a sign': 'One of the signs has got lost.',
    'off by one': 'You are very near: count once more.',
  },
  late: {
    correct: 'About your earlier answer: it was right!',
    close: 'About your earlier answer: it was close, but not quite right.',
    wrong_operation: 'About your earlier answer: it was not right yet.',
    other: 'About your earlier message: I have read it now.',
  },
  stepAnswer: (expected) => `The answer to that step is ${expected}.`,
  skipOffer: 'If you would rather leave this one, say “skip”.',
  solution: (text) => `**Solution.** ${text}`,
  over: 'That was the last problem of this session.',
  next: (problem) => `Next problem: ${problem}`,
  mayHelp: (text) => `What may help: ${text}`,
  talk: {
    thanks: 'You are welcome.',
    greeting: 'Hello! I am a tutor made of software.',
    fine: 'Good.',
    upset:
      'That is frustrating, and it happens to everybody who learns. Say “stuck” for a smaller step, “skip” to leave this one, or “stop” for a break.',
    other: 'Of course. Say “skip”, and we go on with the next problem.',
    tired:
      'Fair enough. A break helps more than one more problem: say “stop”, and I keep your place. Or “skip” leaves this one.',
    distress: DISTRESS.en,
    ...ASIDES.en,
    know_this: 'Then show me: write down the answer. “Skip” goes on to the next one.',
    contest:
      'I check answers by rule, and it may be that I read yours wrongly. Write it once more in another form, as short as you can.',
    resume: 'On we go.',
  },
  leave: (place) => {
    if (place === null) return 'All right. See you next time!'
    const at = place.total === null ? '' : ` at problem ${place.number} of ${place.total}`
    return `All right, enough for now. We pause${at}; your place is kept, and any message goes on from there.`
  },
  plan: ({ number, total }) =>
    total === null
      ? 'We take one problem after the other.'
      : `This is problem ${number} of ${total}.`,
}

const DE: PracticeWords = {
  again: (problem) => `Die Aufgabe noch einmal: ${problem}`,
  withThat: (problem) => `Und damit: ${problem}`,
  close: 'Nah dran, aber noch nicht ganz.',
  notQuite: 'Nicht ganz.',
  notYet: 'Noch nicht.',
  checkLastStep: 'Prüf deinen letzten Schritt.',
  lookAgain: 'Sieh noch einmal nach, was gefragt ist, und achte auf die Vorzeichen.',
  nothingOnThat:
    'Dazu habe ich hier sonst nichts. Schreib „ich komme nicht weiter“ für einen kleineren Schritt oder „überspringen“, um sie auszulassen.',
  stepRight: 'Gut, dieser Schritt stimmt.',
  thanksForExplaining: 'Danke für die Erklärung.',
  leaveExplanation: 'In Ordnung, lassen wir die Erklärung.',
  thisIsHow: 'In Ordnung. So geht es.',
  skipped: 'In Ordnung, diese lassen wir aus.',
  unread:
    'Das kann ich nicht als Antwort lesen, es zählt also nicht als Versuch. Schreib nur deine Antwort, oder „ich komme nicht weiter“ oder „überspringen“.',
  unreadAgain:
    'Auch das kann ich nicht als Antwort lesen, und es zählt nicht. Raten ist erlaubt; „erklär das“ zeigt dir, was die Lektion sagt, und mit „Pause“ merke ich mir, wo du bist.',
  thatIsIt: 'Ja, das ist die Antwort.',
  rightExplain: 'Das stimmt! Erkläre in ein, zwei Sätzen, wie du darauf gekommen bist.',
  rightDone: 'Das stimmt, gut gemacht!',
  rightInvite: 'Das stimmt, gut gemacht! Wenn du magst, erzähl mir, wie du darauf gekommen bist.',
  howYourOwn: 'Und wie bist du auf deine Antwort gekommen?',
  noProblem: 'Im Augenblick ist keine Aufgabe offen.',
  howBefore: 'Bevor wir weitermachen: Wie bist du auf deine Antwort gekommen?',
  comeBack: 'Zurück zur Aufgabe.',
  hardThisIsHow: 'Die ist schwer. So geht es.',
  solutionAbove:
    'Die Lösung steht oben. Schreib die Antwort auf, oder „überspringen“, um weiterzugehen.',
  anotherStep: 'Gehen wir noch einen Schritt.',
  smallerStep: 'Gehen wir einen kleineren Schritt.',
  sayShow: 'Du kannst auch „zeig mir die Lösung“ schreiben und sehen, wie es geht.',
  writeDown: 'Schreib auf, was du weißt und was gefragt ist.',
  toldTeacher: 'Ich habe deiner Lehrkraft gesagt, dass diese schwer ist.',
  smaller: putAs({
    easier: (question) => `Hier ist eine leichtere dieser Art: ${question}`,
    another: (question) => `Hier ist noch eine dieser Art: ${question}`,
    step: (step) => `Was ist der erste Schritt? Fang so an: ${step}. Welche Gleichung ergibt das?`,
    sum: (sum) => `Ein erster Schritt: Was ist ${sum}?`,
  }),
  hint: (text) => `Tipp: ${text}`,
  everyHint: 'Alle Tipps hattest du schon. So löst man eine solche Aufgabe.',
  allTheHelp: (showsSolution) =>
    `Mehr Hilfe habe ich zu dieser nicht. Versuch es noch einmal, oder schreib ${
      showsSolution ? '„zeig mir die Lösung“ oder „überspringen“' : '„überspringen“'
    }.`,
  whereabouts: {
    'sign error': 'Sieh dir das Vorzeichen noch einmal an.',
    'place value': 'Sieh nach, wohin das Komma gehört.',
    'inverted fraction': 'Sieh nach, was durch was geteilt wird.',
    'opposite operation': 'Sieh nach, welche Rechenart gefragt ist.',
    'ignored a sign': 'Eines der Vorzeichen ist verloren gegangen.',
    'off by one': 'Du bist ganz nah dran: Zähl noch einmal.',
  },
  late: {
    correct: 'Zu deiner Antwort von vorhin: Sie war richtig!',
    close: 'Zu deiner Antwort von vorhin: Sie war nah dran, aber nicht ganz richtig.',
    wrong_operation: 'Zu deiner Antwort von vorhin: Sie war noch nicht richtig.',
    other: 'Zu deiner Nachricht von vorhin: Ich habe sie jetzt gelesen.',
  },
  stepAnswer: (expected) => `Die Antwort auf diesen Schritt ist ${expected}.`,
  skipOffer: 'Wenn du diese lieber auslassen willst, schreib „überspringen“.',
  solution: (text) => `**Lösung.** ${text}`,
  over: 'Das war die letzte Aufgabe dieser Übung.',
  next: (problem) => `Nächste Aufgabe: ${problem}`,
  mayHelp: (text) => `Das könnte helfen: ${text}`,
  talk: {
    thanks: 'Gern geschehen.',
    greeting: 'Hallo! Ich bin ein Tutor aus Software.',
    fine: 'Gut.',
    upset:
      'Das ist ärgerlich, und es geht jedem so, der lernt. Schreib „ich komme nicht weiter“ für einen kleineren Schritt, „überspringen“, um sie auszulassen, oder „Pause“.',
    other: 'Gern. Schreib „überspringen“, dann geht es mit der nächsten Aufgabe weiter.',
    tired:
      'Das verstehe ich. Eine Pause hilft oft mehr als noch eine Aufgabe: Schreib „Pause“, und ich merke mir, wo du bist. Mit „überspringen“ lässt du diese aus.',
    distress: DISTRESS.de,
    ...ASIDES.de,
    know_this: 'Dann zeig es mir: Schreib die Antwort auf. Mit „überspringen“ kommt die nächste.',
    contest:
      'Ich prüfe Antworten nach festen Regeln, und es kann sein, dass ich deine falsch gelesen habe. Schreib sie noch einmal in anderer Form, so kurz du kannst.',
    resume: 'Weiter geht es.',
  },
  leave: (place) => {
    if (place === null) return 'In Ordnung. Bis zum nächsten Mal!'
    const at = place.total === null ? '' : ` bei Aufgabe ${place.number} von ${place.total}`
    return `In Ordnung, genug für jetzt. Wir machen${at} Pause; ich merke mir, wo du bist, und mit jeder Nachricht geht es dort weiter.`
  },
  plan: ({ number, total }) =>
    total === null
      ? 'Eine Aufgabe kommt nach der anderen.'
      : `Das ist Aufgabe ${number} von ${total}.`,
}

const WORDS: Record<Language, PracticeWords> = { en: EN, de: DE }

/** The problem tutor's words in a language. */
export const practiceWords = (language: Language): PracticeWords => WORDS[language]
