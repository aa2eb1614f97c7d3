import { readNumberWords } from '../notation/number-words.ts'
import { readNumber } from '../notation/numbers.ts'
import { isRemark, saysNothingOf, standsAmong } from '../talk/talk.ts'
import type { AskedQuestion, ChoiceKey, Judgement, TextKey } from './answer-key.ts'
import { codeForm, withoutMarks } from './judge-code.ts'
import { normalText } from './normal-text.ts'
import { pastedTheQuestion, withoutLeadIn, writtenForm } from './question-text.ts'
import { namedIn, withoutNaming } from './said-name.ts'

type Option = { id: string; text: string }

const OPTION_ID =
  /^(?:option|choice|answer|letter|antwort|möglichkeit|auswahl|variante|buchstabe)?\s*\(?([a-z])[).:]?$/i
const OPTION_PLACE =
  /^(?:(?:the|die|das|der|den|option|answer|number|nummer|antwort|möglichkeit|nr\.?|no\.?|#) ?)*(\d|\p{L}+?)(?:(?<=\d)(?:\.|\)|st|nd|rd|th))?(?: (?:one|option|answer|choice|antwort|möglichkeit|auswahl|variante))?$/iu
/** Ordinals by the place they name; "last" is counted from the end. */
const ORDINALS = [
  /^(?:first|erste[nrs]?)$/i,
  /^(?:second|zweite[nrs]?)$/i,
  /^(?:third|dritte[nrs]?)$/i,
  /^(?:fourth|vierte[nrs]?)$/i,
  /^(?:fifth|fünfte[nrs]?)$/i,
  /^(?:sixth|sechste[nrs]?)$/i,
]
const NUMBERED = /option|answer|numm?b?er|antwort|möglichkeit|\bn[ro]\b/i
const LAST = /^(?:last|letzte[nrs]?)$/i
const ID_AND_TEXT = /^\(?([a-z])[).:]\s*(.+)$/is
const MAX_MATCHED_LENGTH = 200
/** A repetition of a repetition can take for ever on a text that does not match. */
const NESTED_REPETITION = /\([^)]*[+*{][^)]*\)\s*[+*{]/
const MIN_SPELLED_LETTERS = 5
const MAX_WORDS_BEYOND_KEY = 2

/**
 * Judges a choice by option id ("b", "B)", "option b"), by option text, or by a number equal to that of one option only.
 * Without options in the question, only an id can be read.
 */
export function judgeChoice(text: string, key: ChoiceKey, question: AskedQuestion): Judgement {
  const options = question.options ?? []
  const said = withoutLeadIn(text)
  const id = options.length > 0 ? chosenOption(said, options) : bareId(said)
  if (id === null) {
    const pasted = pastedTheQuestion(text, question.text)
    return { verdict: 'unjudged', reason: pasted ? 'pasted-question' : 'no-such-option' }
  }
  return id === key.correct.toLowerCase()
    ? { verdict: 'correct', value: id, reason: 'chosen' }
    : { verdict: 'wrong', value: id, reason: 'other-option' }
}

/**
 * Judges words: exact after normalising, or by the key's pattern; one slip of spelling is `close`. Prose much longer
 * than any accepted answer may still be right in other words: code does not decide it.
 */
export function judgeText(text: string, key: TextKey, question: AskedQuestion): Judgement {
  const accepted = key.accepted.flatMap((one) => [normalForm(one), normalForm(inWords(one))])
  const said = withoutLeadIn(text)
  const name = withoutNaming(said)
  const value = normalForm(name)
  const forms = [normalForm(text), normalForm(said), value]
  if (forms.some((form) => accepted.includes(form))) {
    return { verdict: 'correct', value, reason: 'accepted' }
  }
  if (key.pattern !== undefined) {
    const pattern = wholePattern(key.pattern)
    if (pattern === null) return { verdict: 'unjudged', value, reason: 'bad-key' }
    if (value.length <= MAX_MATCHED_LENGTH && forms.some((form) => pattern.test(form))) {
      return { verdict: 'correct', value, reason: 'pattern' }
    }
  }
  if (value === '') return { verdict: 'unjudged', reason: 'unreadable' }
  if (pastedTheQuestion(text, question.text)) {
    return { verdict: 'unjudged', value, reason: 'pasted-question' }
  }
  const named = namedIn(said, key.accepted, question.text)
  if (named === 'right') return { verdict: 'correct', value, reason: 'accepted' }
  if (named === 'unclear') return { verdict: 'unjudged', value, reason: 'ambiguous' }
  if (accepted.some((one) => isOneSlip(value, one))) {
    return { verdict: 'close', value, reason: 'spelling' }
  }
  const longest = Math.max(...accepted.map(wordCount))
  if (wordCount(value) > longest + MAX_WORDS_BEYOND_KEY) {
    return { verdict: 'unjudged', value, reason: 'prose' }
  }
  const isTalk = (one: string) => saysNothingOf(one, key.accepted, question.text)
  if (standsAmong(text, key.accepted)) return { verdict: 'unjudged', value, reason: 'prose' }
  if (isTalk(text) && (isTalk(name) || (name !== text && isRemark(text, name)))) {
    return { verdict: 'unjudged', value, reason: 'talk' }
  }
  return { verdict: 'wrong', value, reason: 'not-accepted' }
}

/** Words as they are compared: `normalText`, numbers in digits, a call without its empty brackets. */
function normalForm(text: string): string {
  const words = normalText(text.replace(/(?<=\w)\(\s*\)/g, '')).split(' ')
  return words.map((word) => readWholeWord(word) ?? word).join(' ')
}

function readWholeWord(word: string): string | null {
  const value = /^\p{L}{3,}$/u.test(word) ? readNumberWords(word) : null
  return value !== null && Number.isInteger(value) ? String(value) : null
}

/** "KeyError" as two words. */
function inWords(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
}

function bareId(said: string): string | null {
  return OPTION_ID.exec(said)?.[1]?.toLowerCase() ?? null
}

/** The id of the option a text names by its words, letter or place; null where it names none, or two. */
export function chosenOption(said: string, options: Option[]): string | null {
  const id = bareId(said)
  const byId = options.find((option) => option.id.toLowerCase() === id)
  if (byId) return byId.id.toLowerCase()
  const [, namedId, rest] = ID_AND_TEXT.exec(said) ?? []
  const named = options.find((option) => option.id.toLowerCase() === namedId?.toLowerCase())
  if (named && rest !== undefined && optionByText(rest, options) === named) {
    return named.id.toLowerCase()
  }
  return (optionByText(said, options) ?? optionByPlace(said, options))?.id.toLowerCase() ?? null
}

/** "2", "number two", "the second one": the second option, where no option is that number itself. */
function optionByPlace(said: string, options: Option[]): Option | null {
  const named = OPTION_PLACE.exec(said)?.[1]
  if (named === undefined) return null
  if (LAST.test(named)) return options.at(-1) ?? null
  const ordinal = ORDINALS.findIndex((form) => form.test(named)) + 1
  if (ordinal > 0) return options[ordinal - 1] ?? null
  const isCounted = /^\d$/.test(named) || named === said || NUMBERED.test(said)
  const place = isCounted ? readNumber(named) : null
  if (place === null || options.some(({ text }) => isSameNumber(text, String(place)))) return null
  return options[place - 1] ?? null
}

function optionByText(said: string, options: Option[]): Option | null {
  const form = writtenForm(said)
  const normal = normalText(said)
  const signs = codeForm(withoutMarks(said))
  const sayings = [
    (option: Option) => codeForm(withoutMarks(option.text)) === signs,
    (option: Option) => writtenForm(option.text) === form,
    (option: Option) => normal !== '' && normalText(option.text) === normal,
    (option: Option) => isSameNumber(option.text, said),
  ]
  for (const says of sayings) {
    const found = options.filter(says)
    if (found.length > 1) return null
    if (found[0]) return found[0]
  }
  return null
}

function isSameNumber(a: string, b: string): boolean {
  const [left, right] = [readNumber(a), readNumber(b)]
  if (left === null || right === null) return false
  return Math.abs(left - right) <= 1e-9 * Math.max(Math.abs(left), Math.abs(right))
}

function wholePattern(pattern: string): RegExp | null {
  if (NESTED_REPETITION.test(pattern)) return null
  try {
    return new RegExp(`^(?:${pattern})$`, 'iu')
  } catch {
    return null
  }
}

function wordCount(text: string): number {
  return text.split(' ').length
}

/** One letter more, less or other, or two neighbours exchanged, in an answer of five letters or more. */
function isOneSlip(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < MIN_SPELLED_LETTERS || /\d/.test(a + b)) return false
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && left === [...right].reverse().join('')
}
