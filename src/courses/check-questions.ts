import { BankQuestion, type TemplateKind, type Unit } from '../contracts/course-pack.ts'
import type { AnswerKey } from '../domain/answers/answer-key.ts'
import { judgeAnswer } from '../domain/answers/judge.ts'
import { checkMistakes } from './check-mistakes.ts'
import { repeated } from './check-structure.ts'
import { fulfilsCheck } from './key-relation.ts'
import { type DrawnQuestion, drawQuestion } from './templates.ts'

type Question = Omit<BankQuestion, 'id'> & { id: string }

const QUESTIONS_PER_DIFFICULTY = 2
const CHECKED_DRAWS = 60
const COUNTED_DRAWS = 200
const DISTINCT_TEXTS = 30

/** What is wrong with a unit's question bank and templates, in words. */
export function checkQuestions(unit: Unit): string[] {
  return [
    ...checkSpread(unit),
    ...unit.questions.flatMap((question) => [
      ...checkQuestion(question, unit),
      ...checkHints(question),
      ...repeated(question.mistakes.map(({ answer }) => answer)).map(
        (answer) => `${question.id}: the mistake "${answer}" is named twice`,
      ),
    ]),
    ...unit.templates.flatMap((template) => checkDraws(template, unit)),
    ...checkFadedExample(unit),
  ]
}

/** The questions every template of the unit gives for the seeds that are checked in full. */
export function checkedDraws(unit: Unit): DrawnQuestion[] {
  return unit.templates.flatMap((template) => draws(template, CHECKED_DRAWS).questions)
}

function checkSpread(unit: Unit): string[] {
  const problems: string[] = []
  for (const difficulty of ['easy', 'medium', 'hard'] as const) {
    const count = unit.questions.filter((question) => question.difficulty === difficulty).length
    if (count < QUESTIONS_PER_DIFFICULTY) {
      problems.push(
        `${unit.unitId}: ${count} ${difficulty} questions, at least ${QUESTIONS_PER_DIFFICULTY} are needed`,
      )
    }
  }
  const open = unit.questions.filter((question) => question.format !== 'multiple_choice')
  if (open.length * 2 < unit.questions.length) {
    problems.push(`${unit.unitId}: more than half of the questions are multiple choice`)
  }
  const tags = unit.misconceptions.map((misconception) => misconception.tag)
  return [
    ...problems,
    ...repeated(tags).map((tag) => `${unit.unitId}: two misconceptions have the tag ${tag}`),
  ]
}

function checkDraws(template: Unit['templates'][number], unit: Unit): string[] {
  const { questions, problems } = draws(template, COUNTED_DRAWS)
  const texts = new Set(questions.map((question) => question.text))
  if (problems.length === 0 && texts.size < DISTINCT_TEXTS) {
    problems.push(
      `${template.id}: ${texts.size} different questions, at least ${DISTINCT_TEXTS} are needed`,
    )
  }
  const faults = questions.slice(0, CHECKED_DRAWS).flatMap((question) => {
    const { params: _, ...bankQuestion } = question
    const shape = BankQuestion.safeParse(bankQuestion)
    const shapeFaults = shape.success ? [] : [`${question.id}: ${shape.error.message}`]
    return [
      ...shapeFaults,
      ...checkQuestion(question, unit, template.kind),
      ...checkHints(question),
      ...checkRelation(template, question),
    ]
  })
  return [...problems, ...faults]
}

function draws(template: Unit['templates'][number], count: number) {
  const questions: DrawnQuestion[] = []
  try {
    for (let seed = 1; seed <= count; seed++) questions.push(drawQuestion(template, seed))
    return { questions, problems: [] as string[] }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { questions, problems: [`${template.id}: cannot be drawn: ${reason}`] }
  }
}

function checkRelation(template: Unit['templates'][number], question: DrawnQuestion): string[] {
  try {
    if (fulfilsCheck(template, question)) return []
    return [`${question.id}: the key does not fulfil "${template.check}"`]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [`${question.id}: "${template.check}" cannot be worked out: ${reason}`]
  }
}

/** The open step is judged as a question is. */
function checkFadedExample({ unitId, fadedExample }: Unit): string[] {
  if (!fadedExample) return []
  const { question: text, answer } = fadedExample
  return keyAnswers(answer)
    .filter((given) => judgeAnswer(given, answer, { text }).verdict !== 'correct')
    .map((given) => `${unitId} faded example: "${given}" should be right`)
}

function checkQuestion(question: Question, unit: Unit, kind?: TemplateKind): string[] {
  const problems = [
    ...checkFormat(question),
    ...rightAnswers(question)
      .filter((answer) => verdict(question, answer) !== 'correct')
      .map((answer) => `"${answer}" should be right and is judged ${verdict(question, answer)}`),
    ...question.mistakes
      .filter(({ answer }) => verdict(question, answer) === 'correct')
      .map(({ answer }) => `the mistake "${answer}" is judged correct`),
    ...question.mistakes
      .filter(({ tag }) => !unit.misconceptions.some((misconception) => misconception.tag === tag))
      .map(({ tag }) => `${tag} is no misconception of the unit`),
    ...(kind === 'find_mistake' ? [] : checkMistakes(question, unit)),
    ...keyFormulas(question.answer)
      .filter((formula) => /sqrt\s*\(|\*/.test(formula))
      .map((formula) => `the key "${formula}" is shown as it is: write it as a formula`),
  ]
  return problems.map((problem) => `${question.id}: ${problem}`)
}

function checkFormat({ format, options = [], answer, mistakes }: Question): string[] {
  const ids = options.map((option) => option.id)
  const problems = [
    ...repeated(ids).map((id) => `two options have the id ${id}`),
    ...repeated(options.map(({ text }) => text)).map((text) => `two options read "${text}"`),
  ]
  if (format === 'short_answer') {
    if (options.length > 0) problems.push('a short answer has options')
    if (answer.type === 'choice') problems.push('a short answer has the key of a choice')
    return problems
  }
  if (options.length === 0) problems.push('a multiple choice has no options')
  if (answer.type !== 'choice') return [...problems, 'a multiple choice needs the key of a choice']
  const chosen = [answer.correct, ...mistakes.map((mistake) => mistake.answer)]
  const stray = chosen.filter((id) => !ids.includes(id))
  return [...problems, ...stray.map((id) => `"${id}" is none of the options`)]
}

function rightAnswers({ answer, accepted }: Question): string[] {
  return [...keyAnswers(answer), ...accepted]
}

function keyAnswers(key: AnswerKey): string[] {
  switch (key.type) {
    case 'choice':
      return [key.correct]
    case 'set':
      return [key.values.join(', ')]
    case 'text':
      return key.accepted
    case 'number':
      return key.unit === undefined ? [key.value] : [key.value, `${key.value} ${key.unit}`]
    default:
      return [key.value]
  }
}

/** The parts of a key that are formulas. */
export function keyFormulas(key: AnswerKey): string[] {
  if (key.type === 'choice' || key.type === 'text' || key.type === 'code') return []
  return key.type === 'set' ? key.values : [key.value]
}

function verdict(question: Question, answer: string) {
  const { text, options } = question
  return judgeAnswer(answer, question.answer, { text, options }).verdict
}

/** A hint may repeat what the question says, never what it asks for. */
function checkHints({ id, text, options = [], answer, accepted, hints }: Question): string[] {
  const correct = answer.type === 'choice' ? answer.correct : undefined
  const answers = correct
    ? options.filter((option) => option.id === correct).map((option) => option.text)
    : [...keyAnswers(answer), ...accepted]
  return hints.flatMap((hint, index) =>
    answers
      .filter((given) => !bare(text).includes(bare(given)) && tells(bare(hint), bare(given)))
      .map((given) => `${id}: hint ${index + 1} gives the answer "${given}" away`),
  )
}

function tells(hint: string, answer: string): boolean {
  const literal = answer.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w.^{\\\\-])${literal}(?![\\w{]|\\.\\d)`).test(hint)
}

function bare(text: string): string {
  return text
    .toLowerCase()
    .replace(/[$`*]/g, '')
    .replace(/\s*([-+=<>/^(),])\s*/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}
