import type { CaseFault, FailedCase, Refusal } from '../domain/answers/program.ts'
import type { Language } from '../domain/language/languages.ts'

interface ProgramWords {
  unreadable(line: string, reason: string): string
  hiddenTest: string
  withoutInput: string
  runWith: string
  expected: string
  gave: string
  gaveNothing: string
  /** How a line is named within a sentence, at its start, and in brackets after it. */
  line: { within(line: number): string; atStart(line: number): string; after(line: number): string }
  faults: Record<CaseFault['kind'], (told: Told) => string>
  refusals: Record<Refusal, (name: string) => string>
}

/** A fault with its places and its messages as they are told. */
interface Told {
  /** Before what is said of the line, and after it. */
  at: string
  where: string
  /** What Python says of it, as code. */
  message: string
}

const EN: ProgramWords = {
  unreadable: (line, reason) =>
    `Python cannot read this program: ${line}${reason}. Nothing is counted; mend it and send it again.`,
  hiddenTest: 'This is one of the hidden tests.',
  withoutInput: 'It was run without input.',
  runWith: 'It was run with:',
  expected: 'Expected:',
  gave: 'Your program gave:',
  gaveNothing: 'Your program printed nothing.',
  line: {
    within: (line) => `line ${line}: `,
    atStart: (line) => `Line ${line}: `,
    after: (line) => ` (line ${line})`,
  },
  faults: {
    differs: () => 'The program runs, but its result is not the one asked for.',
    'returned-nothing': () =>
      'The function gives back `None`. A result has to be handed back with `return`; `print` only shows it.',
    unreadable: ({ at, message }) => `Python cannot read the program: ${at}${message}.`,
    error: ({ at, message }) => `The program stopped with an error: ${at}${message}.`,
    refused: ({ message }) => message,
    'out-of-memory': ({ where }) =>
      `The program used more memory than the 64 MB it may have${where}. Does something in it grow without end?`,
    'too-deep': ({ where }) =>
      `A function calls itself again and again without coming to an end${where}.`,
    'no-more-input': ({ where }) =>
      `The program asks for more input than there is${where}: \`input()\` is called too often.`,
    'too-much-output': ({ where }) =>
      `The program prints without end${where}, or far more than was asked for, so it was stopped.`,
    'missing-function': () =>
      'The function that the question asks for is not there. Is its name spelled as in the question, and does its `def` begin at the left edge?',
    'timed-out': () =>
      'The program did not finish within 2 seconds, so it was stopped. Is there a loop that never ends?',
    crashed: () => 'The program broke the Python it was run with, so it was stopped.',
  },
  refusals: {
    files: () => 'Programs cannot use files here; work with what is given to the program.',
    network: () => 'Programs cannot use the network here.',
    processes: () => 'Programs cannot start other programs here.',
    host: (name) => `${name} is not available here.`,
    import: (name) => `The module ${name} is not available here.`,
  },
}

const DE: ProgramWords = {
  unreadable: (line, reason) =>
    `Python kann dieses Programm nicht lesen: ${line}${reason}. Gezählt wird nichts; bessere es aus und schick es noch einmal ab.`,
  hiddenTest: 'Das ist einer der verborgenen Tests.',
  withoutInput: 'Es lief ohne Eingabe.',
  runWith: 'Es lief mit dieser Eingabe:',
  expected: 'Erwartet:',
  gave: 'Dein Programm ergab:',
  gaveNothing: 'Dein Programm hat nichts ausgegeben.',
  line: {
    within: (line) => `Zeile ${line}: `,
    atStart: (line) => `Zeile ${line}: `,
    after: (line) => ` (Zeile ${line})`,
  },
  faults: {
    differs: () => 'Das Programm läuft, aber sein Ergebnis ist nicht das verlangte.',
    'returned-nothing': () =>
      'Die Funktion gibt `None` zurück. Ein Ergebnis gibt man mit `return` zurück; `print` zeigt es nur an.',
    unreadable: ({ at, message }) => `Python kann das Programm nicht lesen: ${at}${message}.`,
    error: ({ at, message }) => `Das Programm brach mit einem Fehler ab: ${at}${message}.`,
    refused: ({ message }) => message,
    'out-of-memory': ({ where }) =>
      `Das Programm brauchte mehr als die 64 MB Speicher, die es haben darf${where}. Wächst darin etwas ohne Ende?`,
    'too-deep': ({ where }) =>
      `Eine Funktion ruft sich immer wieder selbst auf und kommt zu keinem Ende${where}.`,
    'no-more-input': ({ where }) =>
      `Das Programm verlangt mehr Eingaben, als da sind${where}: \`input()\` wird zu oft aufgerufen.`,
    'too-much-output': ({ where }) =>
      `Das Programm gibt ohne Ende etwas aus${where}, oder viel mehr als verlangt, deshalb wurde es angehalten.`,
    'missing-function': () =>
      'Die verlangte Funktion fehlt. Ist ihr Name so geschrieben wie in der Frage, und beginnt ihr `def` ganz links?',
    'timed-out': () =>
      'Das Programm war nach 2 Sekunden nicht fertig, deshalb wurde es angehalten. Gibt es eine Schleife, die nie endet?',
    crashed: () => 'Das Programm hat das Python, in dem es lief, zum Absturz gebracht.',
  },
  refusals: {
    files: () =>
      'Programme können hier keine Dateien benutzen; arbeite mit dem, was das Programm bekommt.',
    network: () => 'Programme können hier nicht ins Netz.',
    processes: () => 'Programme können hier keine anderen Programme starten.',
    host: (name) => `${name} gibt es hier nicht.`,
    import: (name) => `Das Modul ${name} gibt es hier nicht.`,
  },
}

const WORDS: Record<Language, ProgramWords> = { en: EN, de: DE }

/** What a learner hears of a program that cannot be read: no answer is counted. */
export function programUnreadable(
  p: { reason: string; line: number | null },
  language: Language,
): string {
  const words = WORDS[language]
  return words.unreadable(p.line === null ? '' : words.line.within(p.line), inline(p.reason))
}

/** What a learner hears of the test that their program fails. */
export function programFailed(
  { fault, input, hidden, expected, got }: FailedCase,
  language: Language,
): string {
  const words = WORDS[language]
  const sentence = [faultIn(words, fault), ...(hidden ? [words.hiddenTest] : [])].join(' ')
  const tried = [
    input === '' ? words.withoutInput : `${words.runWith}\n\n${block(input)}`,
    ...(expected === undefined ? [] : [`${words.expected}\n\n${block(expected)}`]),
    ...(got === undefined
      ? []
      : [got === '' ? words.gaveNothing : `${words.gave}\n\n${block(got)}`]),
  ]
  return [sentence, ...tried].join('\n\n')
}

/** One sentence, as a beginner can use it. */
function faultIn(words: ProgramWords, fault: CaseFault): string {
  const line = 'line' in fault ? fault.line : null
  const at = line === null ? '' : words.line.within(line)
  const where = line === null ? '' : words.line.after(line)
  return words.faults[fault.kind]({ at, where, message: messageOf(words, fault) })
}

function messageOf({ line, refusals }: ProgramWords, fault: CaseFault): string {
  switch (fault.kind) {
    case 'unreadable':
      return inline(fault.message)
    case 'error':
      return inline(errorText(fault))
    case 'refused': {
      const at = fault.line === null ? '' : line.atStart(fault.line)
      return `${at}${refusals[fault.what](inline(fault.name))}`
    }
    default:
      return ''
  }
}

const errorText = ({ name, message }: { name: string; message: string }) =>
  message === '' ? name : `${name}: ${message}`

/** Text of the learner's program, as code: whatever stands in it is shown and nothing more. */
function inline(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().replaceAll('`', 'ˋ')
  return line === '' ? '' : `\`${line}\``
}

function block(text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `${fence}text\n${text}\n${fence}`
}
