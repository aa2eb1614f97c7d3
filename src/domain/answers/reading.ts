import { lettersOf, readExpression } from '../notation/expression.ts'
import { latexOf } from '../notation/latex.ts'
import { MAX_ANSWER_LENGTH, plainMath } from '../notation/plain-math.ts'
import { asksSomething } from '../talk/commands.ts'
import { withoutHedges } from '../talk/hedges.ts'
import { readAmount } from './amount.ts'
import type { AnswerKey, AskedQuestion } from './answer-key.ts'
import { codeForm, withoutMarks } from './judge-code.ts'
import { coordinatesIn } from './judge-pair.ts'
import { chosenOption } from './judge-words.ts'
import { lettersInQuestion, withoutLeadIn } from './question-text.ts'
import { solutionsIn } from './solution-set.ts'
import { conclusion, sidesOf, stepsOf } from './worked-line.ts'

const RELATIONS: Record<string, string> = { '<=': '\\le', '>=': '\\ge', '!=': '\\ne' }

/**
 * What code understands of an answer, as Markdown with `$LaTeX$`: told before the answer is sent, or with a verdict. It
 * knows the kind of answer that is asked for and never the key, so it gives nothing away. Null where nothing is read.
 */
export function readingOf(
  text: string,
  kind: AnswerKey['type'],
  question: AskedQuestion,
): string | null {
  if (text.length > MAX_ANSWER_LENGTH) return null
  const said = withoutHedges(text)
  if (said === '' || asksSomething(text, said)) return null
  switch (kind) {
    case 'number':
      return numberIn(said, question)
    case 'expression':
      return inMaths(relationIn(sidesOf(conclusion(said)).at(-1) ?? '', question))
    case 'equation':
    case 'inequality':
      return inMaths(relationIn(stepsOf(said).at(-1) ?? '', question))
    case 'set':
      return listed(solutionsIn(said), question, '\\{', '\\}')
    case 'pair':
      return pairIn(said, question)
    case 'choice':
      return optionIn(said, question)
    case 'code':
      return `\`${codeForm(withoutMarks(said))}\``
    case 'text':
      return withoutLeadIn(said)
  }
}

function numberIn(said: string, { text: questionText }: AskedQuestion): string | null {
  const amount = readAmount(said, { questionText })
  if (amount === null || amount === 'other-letter') return null
  const tree = readExpression(amount.numeral.text)
  return tree ? inMaths(latexOf(tree)) : amount.numeral.text
}

/** Expressions joined by =, < and the like; an interval is no expression and is given back as it was written. */
function relationIn(said: string, question: AskedQuestion): string | null {
  const pieces = plainMath(withoutLeadIn(said)).split(/(<=|>=|!=|=|<|>)/)
  const read = pieces.map((piece, at) =>
    at % 2 === 1 ? (RELATIONS[piece] ?? piece) : mathsIn(piece, question),
  )
  return read.includes(null) ? null : read.join(' ')
}

function mathsIn(text: string, question: AskedQuestion): string | null {
  const known = lettersInQuestion(question.text)
  const tree = readExpression(text)
  if (tree === null || /[a-zA-Z]{4}/.test(text.replace(/sqrt/g, ''))) return null
  return [...lettersOf(tree)].every((letter) => known.size === 0 || known.has(letter))
    ? latexOf(tree)
    : null
}

function pairIn(said: string, question: AskedQuestion): string | null {
  const [reading] = coordinatesIn(withoutLeadIn(conclusion(said)))
  if (reading === undefined) return null
  const { names, parts } = reading
  if (names === null) return listed(parts, question, '(', ')')
  const named = parts.map((part, at) => {
    const value = mathsIn(part, question)
    return value === null || names[at] === undefined ? null : `${names[at]} = ${value}`
  })
  return named.includes(null) ? null : inMaths(named.join(',\\; '))
}

function listed(
  parts: string[],
  question: AskedQuestion,
  open: string,
  close: string,
): string | null {
  const read = parts.map((part) => mathsIn(part, question))
  return parts.length === 0 || read.includes(null)
    ? null
    : inMaths(`${open}${read.join(';\\; ')}${close}`)
}

function optionIn(said: string, { options = [] }: AskedQuestion): string | null {
  const id = chosenOption(withoutLeadIn(said), options)
  return options.find((option) => option.id.toLowerCase() === id)?.text ?? null
}

function inMaths(latex: string | null): string | null {
  return latex === null || latex === '' ? null : `$${latex}$`
}

/** The kinds of answers that are written, and not chosen or run. */
export type WrittenKind = Exclude<AnswerKey['type'], 'choice'>

/** The kind of answer that a question's key asks for; none where an option is chosen, a program is run, or nothing is known. */
export function writtenKind(key: unknown): { answerKind?: WrittenKind } {
  const type = (key as { type?: string } | null)?.type
  if (type === undefined || type === 'choice' || type === 'program') return {}
  return { answerKind: type as WrittenKind }
}
