import { InlineKeyboard } from 'grammy'
import type { PendingQuestion } from '../contracts/arc.ts'
import { escaped, plainLine, telegramHtml } from '../markup/telegram-html.ts'
import type { Words } from './words.ts'

/** What is shown of a question. */
export type ShownQuestion = Pick<PendingQuestion, 'id' | 'kind' | 'text' | 'options' | 'program'>

/** A message in pieces, the buttons below the last. */
export interface Shown {
  pieces: string[]
  buttons: InlineKeyboard | null
}

/** A longer option is not readable on a button: it stands in the text, and its button has the letter. */
const LONGEST_ON_BUTTON = 36
/** Two of these stand side by side. */
const SHORT = 12
const LETTERS_IN_ROW = 5

/** What the button of an option carries back; 64 bytes at most. */
const optionButton = (questionId: string, index: number): string => `q:${questionId}:${index}`

/** What else can be done about an open question by a button. */
const QUESTION_ACTIONS = ['hint', 'skip', 'dont_know'] as const
export type QuestionAction = (typeof QUESTION_ACTIONS)[number]

/** What the button of such an action carries back; 64 bytes at most. */
const actionButton = (questionId: string, action: QuestionAction): string =>
  `do:${questionId}:${action}`

/** A probe of the level check has no hints, and "I don't know" is an answer to it. */
const actionsOf = (kind: PendingQuestion['kind']): readonly QuestionAction[] =>
  kind === 'choice' ? [] : kind === 'diagnostic' ? ['dont_know'] : ['hint', 'skip']

/** A question with its options on buttons, and below them what else can be done about it. */
export function showQuestion(question: ShownQuestion, words: Words): Shown {
  const { pieces, buttons } = withOptions(question, words)
  const actions = actionsOf(question.kind)
  if (actions.length === 0) return { pieces, buttons: question.options?.length ? buttons : null }
  if (question.options?.length) buttons.row()
  for (const action of actions)
    buttons.text(words.action[action], actionButton(question.id, action))
  return { pieces, buttons }
}

function withOptions(
  { id, text, options = [], program }: ShownQuestion,
  words: Words,
): { pieces: string[]; buttons: InlineKeyboard } {
  const pieces = telegramHtml(text)
  if (program) pieces.push(...programText(program, words))
  const labels = options.map((option) => labelOf(option))
  const buttons = new InlineKeyboard()
  if (options.length === 0) return { pieces, buttons }
  if (labels.every((label) => label.length <= LONGEST_ON_BUTTON)) {
    const inRow = labels.every((label) => label.length <= SHORT) ? 2 : 1
    for (const [index, label] of labels.entries()) {
      if (index > 0 && index % inRow === 0) buttons.row()
      buttons.text(label, optionButton(id, index))
    }
    return { pieces, buttons }
  }
  for (const [index, option] of options.entries()) {
    if (index > 0 && index % LETTERS_IN_ROW === 0) buttons.row()
    buttons.text(nameOf(option.id, index), optionButton(id, index))
  }
  const list = options.map(
    (option, index) => `<b>${escaped(nameOf(option.id, index))})</b> ${inLine(option.text)}`,
  )
  return { pieces: joined([...pieces, ...list]), buttons }
}

type Option = NonNullable<ShownQuestion['options']>[number]

const isLetter = (id: string): boolean => /^[a-z]$/.test(id)

const nameOf = (id: string, index: number): string =>
  isLetter(id) ? id : String.fromCharCode(97 + index)

/** An option as a button has it: `a) 3`, or its words alone where its id is no letter. */
export function labelOf({ id, text }: Option): string {
  const words = plainLine(text)
  return isLetter(id) ? `${id}) ${words}` : words
}

const inLine = (text: string): string => telegramHtml(text)[0] ?? ''

/** Parts drawn together as far as a message holds them. */
function joined(parts: readonly string[]): string[] {
  const [first = '', ...rest] = parts
  const pieces = [first]
  for (const part of rest) {
    const longer = `${pieces.at(-1)}\n\n${part}`
    if (longer.length <= 4_000) pieces[pieces.length - 1] = longer
    else pieces.push(part)
  }
  return pieces
}

function programText(
  { starter, examples }: NonNullable<ShownQuestion['program']>,
  words: Words,
): string[] {
  const lines = examples.map(
    ({ input, output }) => `• ${words.example(inCode(input), inCode(output))}`,
  )
  const code = starter ? telegramHtml(`\`\`\`python\n${starter}\n\`\`\``) : []
  return joined([...code, lines.join('\n'), words.program].filter((part) => part !== ''))
}

const inCode = (text: string): string => (text === '' ? '' : `<code>${escaped(text)}</code>`)
