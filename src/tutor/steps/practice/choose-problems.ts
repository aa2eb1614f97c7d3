import type { Course, Unit } from '../../../contracts/course-pack.ts'
import type { AnswerKey } from '../../../domain/answers/answer-key.ts'
import { remedyOf } from '../../../domain/answers/foreseen-mistake.ts'
import { textKey } from '../../../domain/answers/program.ts'
import type { Question } from '../../../domain/arc/question.ts'
import { reveals } from '../../../domain/practice/reveals.ts'
import type { Problem, ProblemHelp, SolvedExample } from '../../../domain/practice/state.ts'
import { exampleIn } from '../../offline/explanations.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'
import type { StepContext } from '../arc/context.ts'
import { smallerQuestions } from './smaller-questions.ts'

/** From easy to hard; as many as a session in an arc has at most. */
const WANTED = ['easy', 'medium', 'medium', 'hard', 'hard'] as const

/**
 * Problems of a unit that the learner has not seen in this arc: written answers only, for a choice is no practice.
 * @param count at most five
 * @param seed makes the choice repeatable
 */
export function problemsOfUnit(
  { courseId, language }: Pick<Course, 'courseId' | 'language'>,
  unit: Unit,
  before: StepContext['asked'],
  seed: number,
  count: number = WANTED.length,
): Problem[] {
  const isWritten = ({ format }: { format: string }) => format === 'short_answer'
  const written: Unit = {
    ...unit,
    questions: unit.questions.filter(isWritten),
    templates: unit.templates.filter(isWritten),
  }
  const seen = new Set(before.map(({ source }) => source))
  const chosen = chooseQuestions(written, before, WANTED.slice(0, count), seed).filter(
    ({ source, key }) => source !== null && key !== null && !seen.has(source),
  )
  const taken = new Set([...before, ...chosen].map(({ text }) => text))
  return chosen.map((question, place) => {
    const smaller = smallerQuestions(written, question, taken, seed + place)
    const of = { courseId, unitId: unit.unitId, language }
    const method = methodFor(question, written, seed + place)
    const help = { ...helpOf(question), unit: of, smaller, method }
    return { ...problemOf(question), tags: unit.tags, help }
  })
}

/** Questions that were asked before, to be practised where there are no new ones. */
export function problemsAskedBefore(
  asked: { id: string; text: string; expected: string; hints: string[]; key: AnswerKey }[],
): Problem[] {
  return asked.slice(0, WANTED.length).map(({ id, text, expected, hints, key }) => ({
    ...{ id, text, hints, tags: [] },
    correct_answer: expected,
    answer_key: key,
  }))
}

/** Problems that a model has written for the session. */
export const problemsWritten = (questions: readonly Question[]): Problem[] =>
  questions.map((question) => ({
    ...problemOf({ ...question, source: null }),
    tags: [],
    help: {
      ...{ unit: null, solution: question.solution, smaller: [], method: null },
      mistakes: question.mistakes.flatMap(({ answer, remedy }) =>
        remedy ? [{ answer, remedy, tag: answer }] : [],
      ),
    },
  }))

const problemOf = ({ source, text, expected, hints, key }: Question) => ({
  id: source ?? text,
  text,
  correct_answer: expected,
  answer_key: textKey(key),
  hints,
})

/** What the author of a course has foreseen for a question. */
function helpOf({ solution, mistakes }: Question): Pick<ProblemHelp, 'solution' | 'mistakes'> {
  return {
    solution,
    mistakes: mistakes.flatMap(({ tag, ...mistake }) =>
      tag && remedyOf(mistake) ? [{ ...mistake, tag }] : [],
    ),
  }
}

/** How such a problem is done: the worked example of its unit, or another problem with its solution; never its own. */
function methodFor(
  { key, text, source }: Question,
  unit: Unit,
  seed: number,
): SolvedExample | null {
  const others = chooseQuestions(unit, [], ['medium', 'easy', 'hard'], seed, source ? [source] : [])
  const solved = others.flatMap(({ text: problem, solution }) =>
    solution === null ? [] : [{ problem, solution }],
  )
  const judged = textKey(key)
  const tells = (example: SolvedExample) =>
    judged === null || reveals(exampleIn('en', example), judged, text)
  return [unit.workedExample, ...solved].find((example) => !tells(example)) ?? null
}
