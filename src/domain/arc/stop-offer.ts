import type { Language } from '../language/languages.ts'
import type { Question } from './question.ts'

const STOP_OR_GO_ON: Record<Language, { text: string; goOn: string; stop: string }> = {
  en: {
    text: 'That was a good stretch of questions. Shall we go on, or is it enough for now?',
    goOn: 'Go on',
    stop: 'Enough for now',
  },
  de: {
    text: 'Das waren jetzt einige Fragen. Machen wir weiter, oder reicht es für heute?',
    goOn: 'Weitermachen',
    stop: 'Für heute genug',
  },
}

/** The question whether to go on or to stop, after a good stretch of questions. */
export function stopOrGoOn(language: Language): Question {
  const { text, goOn, stop } = STOP_OR_GO_ON[language]
  const options = [
    { id: 'go_on', text: goOn },
    { id: 'stop', text: stop },
  ]
  return { ...CHOICE, text, options }
}

const CHOICE: Question = {
  concept: '',
  text: '',
  format: 'multiple_choice',
  options: null,
  key: null,
  expected: '',
  criteria: '',
  difficulty: 'easy',
  hints: [],
  solution: null,
  mistakes: [],
  source: null,
}

/** What a reply to it chooses, by an option's id, letter, number or words; null: it is something else. */
export function choiceIn(text: string): 'go_on' | 'stop' | null {
  const isQuestion = /\?\s*$/.test(text)
  if (!isQuestion && (STOP.test(text) || (ENOUGH.test(text) && !DENIED.test(text)))) return 'stop'
  return GO_ON.test(text) || (!isQuestion && DENIED.test(text)) ? 'go_on' : null
}

const STOP =
  /^\s*(?:[b2]\s*$|(?:no|nope|nah|nein|nö|nee)\b(?!.*\b(?:on|going|continue|weiter|stop|enough|genug)\b)|not now\b|later\b|tomorrow\b|morgen\b|später\b|that'?s it\b)/i
/** Said anywhere, as whoever has had enough says it: "I think that is enough for today". */
const ENOUGH =
  /\b(?:enough|stop|genug|schluss|reicht'?s?|aufhören|(?:done|finished|fertig) (?:for|für) (?:now|today|heute|jetzt))\b/i
const DENIED =
  /\b(?:not|isn'?t|don'?t|never|nicht|nie|kein\w*) (?:\p{L}+ ){0,2}(?:enough|stop|genug|schluss|reicht|aufhören)\b|\breicht (?:\p{L}+ ){0,2}nicht\b/iu
const GO_ON =
  /^\s*(?:[a1]\b|go_on\b|go on\b|yes\b|ok\b|ja\b|weiter|(?:no|nein),? (?:\p{L}+ ){0,3}(?:go on|keep going|continue|weiter)\b)/iu
