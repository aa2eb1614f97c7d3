import type { AnswerKey } from '../../../domain/answers/answer-key.ts'
import { textKey } from '../../../domain/answers/program.ts'
import { readNumber } from '../../../domain/notation/numbers.ts'
import { type Mentions, reveals } from '../../../domain/practice/reveals.ts'
import type { StepContext, TutorQuestion } from './context.ts'

const LOOKS_LIKE_FORMULA = /[\d+\-*/^√]/
const WORD = /(?!sqrt|frac|cdot|left|right|pi\b|sin|cos|tan|log|ln|exp|abs)[a-z]{3,}/i

/** Whether a text is a formula and no words. */
export const isFormula = (text: string): boolean =>
  LOOKS_LIKE_FORMULA.test(text) && !WORD.test(text)

/** The key by which a text gives the answer away: that of the right option, where there are options. */
function tellingKey({ key: asked, expected }: TutorQuestion): AnswerKey {
  const key = textKey(asked)
  if (key && key.type !== 'choice') return key
  if (readNumber(expected) !== null) return { type: 'number', value: expected }
  return isFormula(expected)
    ? { type: 'expression', value: expected }
    : { type: 'text', accepted: [expected] }
}

/** The number of an item of a list says nothing. */
const ITEM_NUMBER = /^[ \t]*\d+[.)](?=\s)/gm

/** Whether a text for the learner contains the answer of the question. */
export const tells = (question: TutorQuestion, text: string, mentions?: Mentions): boolean =>
  reveals(text.replace(ITEM_NUMBER, ''), tellingKey(question), question.text, mentions)

/**
 * Whether the learner could take the answer of the step's question from a text: it contains it, names the right option
 * by its letter, or says an answer in words in other words.
 */
export function givesAway(
  { questions: [question], message }: StepContext,
  text: string,
  mentions?: Mentions,
): boolean {
  if (!question) return false
  if (tells(question, text, mentions)) return true
  if (question.key?.type === 'choice') return namesOption(text, question.key.correct)
  return question.key === null && (ANNOUNCED.test(text) || retells(question, text, message?.text))
}

function namesOption(text: string, id: string): boolean {
  const letter = id.toUpperCase()
  return [
    new RegExp(`\\b(?:option|choice|letter|buchstabe)\\s+\\W*${id}\\b`, 'i'),
    // A small letter could be the article.
    new RegExp(`\\b(?:[Aa]nswer|Antwort|Lösung)\\s*(?:is|ist|lautet|:)\\s*\\W*${letter}\\b`),
    new RegExp(`(?<![\\p{L}\\d])${id}\\)`, 'iu'),
  ].some((named) => named.test(text))
}

/** Where the answer is a sentence, what follows such words is the answer, however it is put. */
const ANNOUNCED =
  /\b(?:right|correct|expected|complete|full|model) (?:answer|solution|reason|word|term)(?: here| would| should)? (?:is|was|be|reads)\b|\b(?:richtige|korrekte|erwartete|vollständige) (?:Antwort|Lösung|Begründung)(?: hier)? (?:ist|war|wäre|lautet|heißt)\b/i

const WORDS = /\p{L}{4,}|\d+/gu
const EMPTY =
  /^(?:also|because|from|have|that|them|then|there|they|this|when|with|aber|dann|dass|eine?[mnrs]?|nicht|oder|sind|weil|wenn|wird)$/
/** Forms of a word begin alike. */
const STEM = 5
/** So many words of an answer have to be there, and so large a part of them. */
const LEAST_WORDS = 3
const MOST = 0.75

/** Whether a text says the words of the answer that stand neither in the question nor in what the learner wrote. */
function retells({ text: asked, expected }: TutorQuestion, text: string, said = ''): boolean {
  const known = stems(`${asked} ${said}`)
  const wanted = [...stems(expected)].filter((word) => !known.has(word))
  const there = stems(text)
  const told = wanted.filter((word) => there.has(word))
  return told.length >= LEAST_WORDS && told.length >= MOST * wanted.length
}

const stems = (text: string): Set<string> =>
  new Set(
    (text.toLowerCase().match(WORDS) ?? [])
      .filter((word) => !EMPTY.test(word))
      .map((word) => word.slice(0, STEM)),
  )
