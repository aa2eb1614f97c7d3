import { readExpression, written } from '../notation/expression.ts'
import { MAX_ANSWER_LENGTH, plainMath } from '../notation/plain-math.ts'
import { normalText } from './normal-text.ts'

const RELATION = /(<=|>=|!=|=|<|>)/
const MATH_DELIMITER = /\${1,2}|\\[()[\]]/
/** Two or more letters are a word and end a formula, unless they are one of these or a product such as "xy". */
const WORD = /\b(?!(?:sqrt|abs|sin|cos|tan|log|ln|exp|pi)\b)[a-zA-Z]{3,}\b/g
const SHORT_WORD = /\b(?:an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we)\b/gi
const SENTENCE_SIGN = /[?!:;]|[.,](?=\s|$)/
/** What a learner may well answer although the question mentions it: a whole number, a letter. */
const TOO_PLAIN = /^(?:negate\()?\d*\)?$|^\w$/
const MIN_PASTED_WORDS = 4

/** Ways to begin an answer that say nothing themselves. */
const LEAD_IN =
  /^(?:so|then|(?:i think |i guess )?(?:it is|it's|its|that's|that is)|i (?:think|get|got|say|guess)|(?:the |my )?(?:final )?(?:answer|result|solution)(?: is|:| =)?|answer)\s*:?\s+/i

/**
 * Whether `text` only gives back what the question says: the whole question, at least four words of it in a row, or one
 * of its formulas, equations or sides of an equation. A whole number or a letter alone is never taken for a paste.
 */
export function pastedTheQuestion(text: string, questionText: string): boolean {
  if (text.length > MAX_ANSWER_LENGTH + questionText.length) return false
  const said = normalText(text)
  const asked = normalText(questionText)
  if (said === '' || asked === '') return false
  if (said === asked || pastedWords(said, asked)) return true
  return isFormulaOf(text, questionText)
}

/** One writing for formulas that differ in spaces, brackets and multiplication signs only. */
export function writtenForm(text: string): string {
  return plainMath(text.trim().replace(/[.,;!?]+$/, ''))
    .split(RELATION)
    .map((part) => {
      const tree = RELATION.test(part) ? null : readExpression(part)
      return tree ? written(tree) : part.replace(/\s+/g, '').toLowerCase()
    })
    .join('')
}

/** The text without "the answer is", "I got" and the like. */
export function withoutLeadIn(text: string): string {
  return text.trim().replace(/[‘’]/g, "'").replace(LEAD_IN, '').trim()
}

/**
 * The part of an answer that answers: in "f(x) = 3x + 6", "A = 12" or "3(x+2) = 3x + 6", where the left side names the
 * result or repeats the question's formula, the right side. Anything else is left whole.
 */
export function answeringPart(text: string, questionText: string): string {
  const said = withoutLeadIn(text)
  const sides = said.split(/(?<![<>!])=/)
  if (sides.length !== 2) return said
  const left = plainMath(sides[0] ?? '')
  const right = (sides[1] ?? '').trim()
  if (left === '') return right
  const name = /^([a-zA-Zα-ω])(?:'|_?\d)?(?: ?\(([a-zA-Z])\))?$/.exec(left)
  if (name) return plainMath(right).includes(name[1] ?? '') ? said : right
  return isFormulaOf(left, questionText) ? right : said
}

/** Whether a text is one of the question's formulas, or a side of one. */
export function isFormulaOf(text: string, questionText: string): boolean {
  const form = writtenForm(text)
  return !TOO_PLAIN.test(form) && formsIn(questionText).has(form)
}

function pastedWords(said: string, asked: string): boolean {
  const words = said.match(/\p{L}{2,}/gu) ?? []
  return words.length >= MIN_PASTED_WORDS && ` ${asked} `.includes(` ${said} `)
}

/** The letters of the question's formulas, small ones for capitals too. */
export function lettersInQuestion(questionText: string): Set<string> {
  const letters = formulasIn(questionText).map((formula) =>
    plainMath(formula).replace(/sqrt|abs|sin|cos|tan|log|ln|exp|pi/g, ' '),
  )
  const found = letters.join(' ').match(/[a-zA-Zα-ω]/g) ?? []
  return new Set(found.flatMap((letter) => [letter, letter.toLowerCase()]))
}

/** The written forms of the question's formulas and of their sides. */
function formsIn(questionText: string): Set<string> {
  const parts = formulasIn(questionText).flatMap((formula) => {
    const sides = plainMath(formula).split(RELATION)
    return [formula, ...sides.filter((side) => !RELATION.test(side))]
  })
  return new Set(parts.map(writtenForm).filter((form) => !TOO_PLAIN.test(form)))
}

function formulasIn(questionText: string): string[] {
  const pieces = questionText.split(MATH_DELIMITER)
  const delimited = pieces.length > 2 && pieces.length % 2 === 1
  return pieces.flatMap((piece, i) => (delimited && i % 2 === 1 ? [piece] : formulasInProse(piece)))
}

function formulasInProse(prose: string): string[] {
  return plainMath(prose)
    .replace(WORD, ';')
    .replace(SHORT_WORD, ';')
    .split(SENTENCE_SIGN)
    .map((piece) => piece.replace(/^\s*[aAI]\s+(?=\S)/, '').trim())
    .filter((piece) => piece !== '')
}
