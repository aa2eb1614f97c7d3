/** Reads the name that an answer gives: the word that is missing in a line of code, a method, an error. */
import { codeForm, withoutMarks } from './judge-code.ts'

const ARTICLE = '(?:the|an?|eine?[nmr]?|de[rnm]|die|das)'
const KIND =
  '(?:missing|right|correct|built-in|python|fehlende[nrs]?|richtige[nrs]?|method|function|key ?word|word|command|operator|sign|symbol|statement|type|data type|name|error|exception|methode|funktion|befehl|(?:schlüssel)?wort|operator|zeichen|anweisung|(?:daten)?typ|fehler|schleife)'
const BEFORE = new RegExp(
  `^(?:${[
    "(?:you|we|i|one|it|they|python)(?:'d| would| will| can| should| must| have to| has to| need to| could)* (?:uses?|calls?|needs?|writes?|puts?|types?|takes?)",
    '(?:use|using|call|fill in|write|put|with|by using|by)',
    '(?:it|python|the program|this) (?:raises|throws|gives|stops with|ends with|starts with|begins with|is)',
    "(?:raises|throws|you get|there is|(?:it|that)(?: is|'?s) called|called|es heißt|sie heißt|man muss|du musst)",
    '(?:man|ich|du|wir)(?: würde[nt]?| kann| muss)? (?:nimmt|nehmen?|nimmst|benutz(?:t|en?)|verwende[nt]?|schreib(?:t|en?)|brauch(?:t|en?))',
    '(?:nimm|benutze?|verwende|schreibe?|mit|durch|es gibt|es kommt|ich würde)',
    '(?:da|hier|es|dort) (?:fehlt|muss|gehört|kommt)',
    '(?:sie|er|es|das programm) (?:beginnt|endet|bricht ab|stoppt) mit',
    `${ARTICLE}(?: ${KIND})+(?: is(?: called)?| would be| heißt| ist| lautet|:)?`,
    `(?:${KIND} )*${KIND}(?: is| heißt| ist|:)?`,
    ARTICLE,
  ].join('|')})\\s+(?=\\S)`,
  'iu',
)
const BEHIND = new RegExp(
  `(?<=\\S)(?:${[
    '[\\s-]+(?:methods?|function|key ?word|command|operator|sign|symbol|statement|loop|clause|branch|block|exception|type|word)',
    '[\\s-]+(?:methode|funktion|befehl|schleife|zweig|operator|anweisung|typ|zeichen)',
    ' (?:is|gets|was) (?:missing|raised|thrown|used|needed|called)',
    ' (?:goes|belongs|comes|is) (?:in )?(?:there|here|in)',
    ' (?:fehlt|kommt (?:da )?hin|(?:nehmen|benutzen|verwenden|schreiben|hin)(?: hin)?)',
  ].join('|')})$`,
  'iu',
)

/** The text without the words that only say that a name follows: "use the append method" → "append". */
export function withoutNaming(text: string): string {
  let said = text.trim()
  for (let before = ''; before !== said; ) {
    before = said
    said = said.replace(BEFORE, '').replace(BEHIND, '').trim()
  }
  return said
}

const GAP = /_{3,}/g
/** What a list, a dictionary or a text is called where any will do. */
const ANY_RECEIVER =
  /^(?:(?:my|the|some|your)?_?(?:list[e1-9]?|lst|array|arr|dict|dictionary|str|string|text|object|obj)|[a-z]|xs)$/i
const CALL = /^(?:([a-z_]\w*)?\.)?([a-z_]\w*)\s*(?:\(\s*([^()]*?)\s*\))?;?$/i
const ERROR_MESSAGE = /^([a-z]+Error):.*$/is

/**
 * Whether an answer gives an accepted name in a line of code: the line with its gap filled, or any part of it around the
 * gap; a method behind a list ("list.append"); a call with its argument ("append(x)"); an error with its message. `unclear`
 * where the name stands in another call, or beside another answer; null where it does not stand.
 */
export function namedIn(
  text: string,
  accepted: readonly string[],
  questionText: string,
): 'right' | 'unclear' | null {
  const names = accepted.filter((name) => !/[()]/.test(name)).map((name) => name.replace(/^\./, ''))
  if (names.some((name) => fillsGap(text, name, questionText))) return 'right'
  const said = withoutNaming(withoutMarks(text))
  const isName = (word: string) => names.some((name) => sameWord(name, word))
  const [, error] = ERROR_MESSAGE.exec(said) ?? []
  if (error !== undefined && isName(error)) return 'right'
  const offered = said.split(/ (?:or|and|oder|und) /i)
  if (offered.length > 1 && offered.some((one) => isName(withoutNaming(one)))) return 'unclear'
  const isCallable = accepted.some((name) => /^\w+\(\s*\)$/.test(name))
  const [, receiver, name = '', given] = CALL.exec(said) ?? []
  if (!isCallable || !isName(name)) return isCallable && callsAny(said, isName) ? 'unclear' : null
  const fits =
    (receiver === undefined || isReceiver(receiver, questionText)) &&
    (given === undefined || isPlaceholder(given, questionText))
  return fits ? 'right' : 'unclear'
}

/** Whether a text is part of a program of the question with the name in its gap, the gap included. */
function fillsGap(text: string, name: string, questionText: string): boolean {
  const said = comparable(withoutMarks(text).replace(/;\s*$/, ''))
  const gaps = [...questionText.matchAll(GAP)].length
  if (gaps === 0 || said.length <= name.length) return false
  const program = /```\w*\n([\s\S]*?)```/.exec(questionText)?.[1] ?? ''
  const pieces = program.split(GAP)
  const filled = comparable(pieces.join(name))
  return pieces.slice(1).some((_, at) => {
    const end = comparable(pieces.slice(0, at + 1).join(name) + name).length
    const start = end - comparable(name).length
    return placesOf(said, filled).some((from) => from <= start && from + said.length >= end)
  })
}

/** Where a text stands in a program, no word cut. */
function placesOf(text: string, program: string): number[] {
  const found: number[] = []
  for (let at = program.indexOf(text); at >= 0; at = program.indexOf(text, at + 1)) {
    const isCut =
      /\w\w/.test(program.slice(Math.max(0, at - 1), at + 1).padStart(2)) ||
      /\w\w/.test(program.slice(at + text.length - 1, at + text.length + 1))
    if (!isCut) found.push(at)
  }
  return found
}

const comparable = (code: string): string => codeForm(code).replaceAll("'", '"').toLowerCase()

const sameWord = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const callsAny = (said: string, isName: (word: string) => boolean): boolean =>
  [...said.matchAll(/(?<![\w])(\w+)\s*\(/g)].some(([, word = '']) => isName(word))

function isReceiver(receiver: string, questionText: string): boolean {
  const own = /([A-Za-z_]\w*)\._{3,}/.exec(questionText)?.[1]
  return ANY_RECEIVER.test(receiver) || (own !== undefined && sameWord(own, receiver))
}

/** Nothing, or one name that stands for any value; a text of the question without its quotes is none. */
const isPlaceholder = (given: string, questionText: string): boolean =>
  /^(?:\.{3}|…|[a-z_]\w*)?$/i.test(given) && (given === '' || !questionText.includes(`"${given}"`))
