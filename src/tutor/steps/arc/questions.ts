import type { QuizQuestion } from '../../../contracts/llm.ts'
import type { AnswerKey } from '../../../domain/answers/answer-key.ts'
import { judgeAnswer } from '../../../domain/answers/judge.ts'
import { normalText } from '../../../domain/answers/normal-text.ts'
import { readNumber } from '../../../domain/notation/numbers.ts'
import type { Reading } from '../../step.ts'
import type { TutorQuestion } from './context.ts'
import { keyFaults, withoutLetter, withSoundHelp } from './question-checks.ts'

type Option = { id: string; text: string }

const MAX_HINTS = 3
const MAX_MISTAKES = 3

/** What makes questions of a model unusable; none when all can be asked. What is wrong with their help alone is no fault. */
export function questionFaults(wires: readonly QuizQuestion[]): string[] {
  return wires.flatMap((wire, index) => {
    const reading = readQuestion(wire, null)
    return reading.ok ? [] : reading.violations.map((fault) => `question ${index + 1}: ${fault}`)
  })
}

/**
 * What of the help that belongs to every question is missing, or is of no use: worth asking for once more. The question
 * can be asked without.
 */
export function helpMissing(wires: readonly QuizQuestion[]): string[] {
  return tutorQuestions(wires, null).flatMap(({ hints, solution, mistakes }, index) => {
    const missing = [
      ...(hints.length === 0 ? ['hints that do not contain the answer'] : []),
      ...(solution === null ? ['a solution that ends with expected_answer'] : []),
      ...(mistakes.length === 0 ? ['mistakes that are wrong answers, each with why'] : []),
    ]
    return missing.length > 0 ? [`question ${index + 1} lacks ${missing.join(', ')}.`] : []
  })
}

/** The questions of an answer without faults; `concept` is what they were asked for. */
export function tutorQuestions(
  wires: readonly QuizQuestion[],
  concept: string | null,
): TutorQuestion[] {
  return wires.flatMap((wire) => {
    const reading = readQuestion(wire, concept)
    return reading.ok ? [withSoundHelp(reading.output)] : []
  })
}

function readQuestion(wire: QuizQuestion, concept: string | null): Reading<TutorQuestion> {
  const question: TutorQuestion = {
    concept: concept ?? wire.concept_name,
    text: wire.question_text,
    format: wire.format,
    options: null,
    key: null,
    expected: wire.expected_answer,
    criteria: wire.scoring_criteria,
    difficulty: wire.difficulty,
    hints: (wire.hints ?? []).slice(0, MAX_HINTS),
    solution: wire.solution?.trim() || null,
    mistakes: (wire.mistakes ?? [])
      .slice(0, MAX_MISTAKES)
      .map(({ answer, why }) => ({ answer, remedy: why })),
    source: null,
  }
  if (wire.format === 'short_answer') {
    return sound({ ...question, key: shortAnswerKey(wire.expected_answer) })
  }
  const options = withIds(wire.options ?? [])
  if (options.length < 2) return refused('a multiple_choice question needs options.')
  if (
    new Set(options.map((option) => normalText(option.text) || option.text)).size < options.length
  ) {
    return refused('two options say the same.')
  }
  const right = optionMeant(wire.expected_answer, options)
  if (!right) return refused('expected_answer is none of the options.')
  const key: AnswerKey = { type: 'choice', correct: right.id }
  const mistakes = question.mistakes.flatMap((mistake) => {
    const option = optionMeant(mistake.answer, options)
    return option ? [{ ...mistake, answer: option.id }] : []
  })
  return sound({ ...question, options, key, expected: right.text, mistakes })
}

function sound(question: TutorQuestion): Reading<TutorQuestion> {
  const violations = keyFaults(question)
  return violations.length > 0 ? { ok: false, violations } : { ok: true, output: question }
}

/** Code judges numbers; the form that an expression has to take is known to the criteria alone, so the model grades it. */
function shortAnswerKey(expected: string): AnswerKey | null {
  const value = withoutLetter(expected)
  return readNumber(value) === null ? null : { type: 'number', value }
}

/** Options get the ids a, b, c…; letters that the model wrote in front of all of them are taken off. */
function withIds(texts: readonly string[]): Option[] {
  const options = texts.map((text, index) => ({
    id: String.fromCharCode(97 + index),
    text: text.trim(),
  }))
  const lettered = options.map(({ id, text }) => ({
    id,
    match: /^\(?([a-z])[).:]\s+(\S.*)$/is.exec(text),
  }))
  if (!lettered.every(({ id, match }) => match?.[1]?.toLowerCase() === id)) return options
  return lettered.map(({ id, match }) => ({ id, text: match?.[2] ?? '' }))
}

/** The option that is meant, by its text first: a letter may itself be an option's text. */
function optionMeant(expected: string, options: Option[]): Option | null {
  const exact = options.find((option) => option.text === expected.trim())
  if (exact) return exact
  const key: AnswerKey = { type: 'choice', correct: '' }
  const { value } = judgeAnswer(expected, key, { text: '', options })
  return options.find((option) => option.id === value) ?? null
}

function refused(violation: string): Reading<never> {
  return { ok: false, violations: [violation] }
}
