import type { ArcPhase } from '../contracts/arc.ts'
import { languageOfTag } from '../domain/language/languages.ts'
import type { QuestionAction } from './question-view.ts'

/** What the bot says by itself, in HTML; everything about a topic is said by the topic's tutor. */
export interface Words {
  linked: string
  linkedAlready: string
  codeUnknown: string
  howToLink: string
  help: string
  noTopic: string
  choose: string
  noneOpen: string
  newHow: string
  notCovered: string
  begun: (topic: string) => string
  back: (topic: string) => string
  closed: (topic: string) => string
  nothingOpen: string
  onlyText: string
  answered: string
  notOpen: string
  gone: string
  practice: string
  program: string
  example: (input: string, output: string) => string
  action: Record<QuestionAction, string>
  phase: Record<ArcPhase, string>
  commands: { topics: string; new: string; help: string }
}

const EN: Words = {
  linked:
    'This chat is yours now. Choose a topic, or begin one with /new and what you want to learn.',
  linkedAlready:
    'This chat is linked already. If you meant to link it anew, ask for a new code in Meno, under your settings.',
  codeUnknown:
    'This code is not known, or its ten minutes are over. Ask for a new one in Meno, under your settings.',
  howToLink:
    'I do not know you yet. Open Meno, choose Telegram in your settings, and send me the code that it shows: /start and the code.',
  help: '/topics lists your topics, /new and a topic begins another. Anything else goes to the topic in hand; a reply goes to the question you reply to. You can also say: hint, explain again, skip, pause.',
  noTopic: 'No topic is chosen. /topics lists yours, /new and a topic begins one.',
  choose: 'Your topics:',
  noneOpen: 'You have no open topic. Begin one with /new and what you want to learn.',
  newHow: 'Write /new and what you want to learn, or take a course:',
  notCovered: 'No course covers that. These are there:',
  begun: (topic) => `<b>${topic}</b>: we begin.`,
  back: (topic) => `<b>${topic}</b>`,
  closed: (topic) => `<b>${topic}</b> is closed. /topics lists what is open, /new begins another.`,
  nothingOpen: 'No question is open. Write to me whenever you like.',
  onlyText: 'I can only read text. Please write me your answer, or take a button.',
  answered: 'That question is answered already.',
  notOpen: 'That question is not open any more. The last one in the chat is.',
  gone: 'That is not there any more.',
  practice: 'Practice is on the page of this topic.',
  program: 'Write your program and send it as one message.',
  example: (input, output) => `${input === '' ? 'No input' : `Input ${input}`} → ${output}`,
  action: { hint: 'Hint', skip: 'Skip', dont_know: 'I don’t know' },
  phase: {
    PENDING: 'about to begin',
    DIAGNOSING: 'level check',
    PLANNING: 'planning',
    TEACHING: 'learning',
    QUIZZING: 'quiz',
    REVIEWING: 'reviews',
    COMPLETED: 'complete',
    ABANDONED: 'closed',
  },
  commands: {
    topics: 'Choose one of your topics',
    new: 'Begin a topic: /new linear equations',
    help: 'What you can say',
  },
}

const DE: Words = {
  linked:
    'Dieser Chat gehört jetzt zu dir. Wähle ein Thema, oder beginne eines mit /new und dem, was du lernen willst.',
  linkedAlready:
    'Dieser Chat ist schon verbunden. Um ihn neu zu verbinden, brauchst du einen neuen Code aus den Einstellungen von Meno.',
  codeUnknown:
    'Diesen Code kenne ich nicht, oder seine zehn Minuten sind um. In Meno bekommst du in den Einstellungen einen neuen.',
  howToLink:
    'Ich kenne dich noch nicht. Öffne Meno, wähle in den Einstellungen Telegram und schick mir den Code, der dort steht: /start und den Code.',
  help: '/topics zeigt deine Themen, /new mit einem Thema beginnt ein neues. Alles andere geht an das Thema, an dem du bist; eine Antwort auf eine Frage geht an diese Frage. Du kannst auch sagen: Tipp, erklär es noch mal, überspringen, Pause.',
  noTopic: 'Es ist kein Thema gewählt. /topics zeigt deine, /new mit einem Thema beginnt eines.',
  choose: 'Deine Themen:',
  noneOpen: 'Du hast kein offenes Thema. Beginne eines mit /new und dem, was du lernen willst.',
  newHow: 'Schreib /new und was du lernen willst, oder nimm einen Kurs:',
  notCovered: 'Dafür gibt es keinen Kurs. Diese gibt es:',
  begun: (topic) => `<b>${topic}</b>: Wir fangen an.`,
  back: (topic) => `<b>${topic}</b>`,
  closed: (topic) =>
    `<b>${topic}</b> ist abgeschlossen. /topics zeigt, was offen ist, /new beginnt ein neues Thema.`,
  nothingOpen: 'Es ist keine Frage offen. Schreib mir, wann immer du willst.',
  onlyText: 'Ich kann nur Text lesen. Bitte schreib mir deine Antwort, oder nimm einen Knopf.',
  answered: 'Diese Frage ist schon beantwortet.',
  notOpen: 'Diese Frage ist nicht mehr offen. Es gilt die letzte im Chat.',
  gone: 'Das gibt es nicht mehr.',
  practice: 'Geübt wird auf der Seite dieses Themas.',
  program: 'Schreib dein Programm und schick es als eine Nachricht.',
  example: (input, output) => `${input === '' ? 'Ohne Eingabe' : `Eingabe ${input}`} → ${output}`,
  action: { hint: 'Tipp', skip: 'Überspringen', dont_know: 'Weiß ich nicht' },
  phase: {
    PENDING: 'beginnt gleich',
    DIAGNOSING: 'Einstufung',
    PLANNING: 'Planung',
    TEACHING: 'Lernen',
    QUIZZING: 'Fragen',
    REVIEWING: 'Wiederholungen',
    COMPLETED: 'fertig',
    ABANDONED: 'abgeschlossen',
  },
  commands: {
    topics: 'Eines deiner Themen wählen',
    new: 'Ein Thema beginnen: /new lineare Gleichungen',
    help: 'Was du sagen kannst',
  },
}

/** The bot's words in the language of a tag; English where there are none in it. */
export const wordsIn = (tag: string): Words => (languageOfTag(tag) === 'de' ? DE : EN)
