import type { Unit } from '../../../contracts/course-pack.ts'
import type { PracticeProblem } from '../../../contracts/practice.ts'
import type { AnswerKey } from '../../../domain/answers/answer-key.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'
import type { StepContext } from '../arc/context.ts'

/** From easy to hard; as many as a session in an arc has at most. */
const WANTED = ['easy', 'medium', 'medium', 'hard', 'hard'] as const

/** A problem with the key by which code judges it. */
export type KeyedProblem = PracticeProblem & { answer_key: AnswerKey }

/**
 * Problems of a unit that the learner has not seen in this arc: written answers only, for a choice is no practice.
 * @param seed makes the choice repeatable
 */
export function problemsOfUnit(
  unit: Unit,
  before: StepContext['asked'],
  seed: number,
): KeyedProblem[] {
  const isWritten = ({ format }: { format: string }) => format === 'short_answer'
  const written: Unit = {
    ...unit,
    questions: unit.questions.filter(isWritten),
    templates: unit.templates.filter(isWritten),
  }
  const seen = new Set(before.map(({ source }) => source))
  return chooseQuestions(written, before, WANTED, seed).flatMap(
    ({ source, text, expected, hints, key }) =>
      source === null || key === null || key.type === 'program' || seen.has(source)
        ? []
        : [
            {
              id: source,
              text,
              correct_answer: expected,
              hints,
              tags: unit.tags,
              answer_key: key,
            },
          ],
  )
}

/** Questions that were asked before, to be practised where there are no new ones. */
export function problemsAskedBefore(
  asked: { id: string; text: string; expected: string; hints: string[]; key: AnswerKey }[],
): KeyedProblem[] {
  return asked.slice(0, WANTED.length).map(({ id, text, expected, hints, key }) => ({
    ...{ id, text, hints, tags: [] },
    correct_answer: expected,
    answer_key: key,
  }))
}
