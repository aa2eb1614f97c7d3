import type { Unit } from '../../../contracts/course-pack.ts'
import { textKey } from '../../../domain/answers/program.ts'
import type { Question } from '../../../domain/arc/question.ts'
import { keyOf } from '../../../domain/practice/key-of.ts'
import { reveals } from '../../../domain/practice/reveals.ts'
import type { SmallerQuestion } from '../../../domain/practice/state.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'

/** Easier questions of its kind that a problem has ready. */
const EASIER = ['easy', 'easy'] as const

/**
 * Smaller questions for a problem of a unit: the first step of its solution, where that can be read off, then easier
 * problems of its kind.
 * @param taken texts that are not to come again; those that are used are added
 */
export function smallerQuestions(
  unit: Unit,
  problem: Question,
  taken: Set<string>,
  seed: number,
): SmallerQuestion[] {
  const of = textKey(problem.key)
  const before = [...taken].map((text) => ({ id: text, source: null, text, quality: null }))
  const used = unit.questions.filter(({ text }) => taken.has(text)).map(({ id }) => id)
  const easier = chooseQuestions(unit, before, EASIER, seed, used).flatMap(
    ({ text, expected, key: asked, difficulty }): SmallerQuestion[] => {
      const key = textKey(asked)
      if (key === null || taken.has(text)) return []
      if (of && reveals(text, of, problem.text)) return []
      taken.add(text)
      const isEasier = problem.difficulty !== 'easy' && difficulty === 'easy'
      const lead = `Here is ${isEasier ? 'an easier' : 'another'} one of its kind`
      return [{ question: `${lead}: ${text}`, expected, key }]
    },
  )
  const first = firstStep(problem)
  return first ? [first, ...easier] : easier
}

/** "Subtracting $5$ gives $3x = 15$, …": the step is named, and what it gives is asked. */
const NAMED_STEP = /^(\p{Lu}\p{Ll}+ing\b[^=]{2,70}?) gives \$([^$=]+=[^$=]+)\$/u
/** "$77 - 32 = 45$ and …": a sum by itself. */
const RECKONING = /^(?:\p{L}+ )?\$([^$=\p{L}]+)=\s*(-?[\d.]+)\$/u

function firstStep({ solution, key: asked, text }: Question): SmallerQuestion | null {
  const key = textKey(asked)
  if (solution === null || key === null) return null
  const [, step, equation] = NAMED_STEP.exec(solution) ?? []
  if (step !== undefined && equation !== undefined) {
    const value = equation.trim()
    const question = `What is the first step? Begin like this: ${step.toLowerCase()}. Which equation does that give?`
    return usable({ question, expected: `$${value}$`, key: { type: 'equation', value } })
  }
  const [, sum, result] =
    RECKONING.exec(solution.replaceAll('\\cdot', '×').replaceAll('\\div', '÷')) ?? []
  if (sum === undefined || result === undefined) return null
  const shown = sum.trim().replaceAll('×', '\\cdot').replaceAll('÷', '\\div')
  return usable({
    question: `A first step: what is $${shown}$?`,
    expected: result,
    key: keyOf(result),
  })

  function usable(smaller: SmallerQuestion): SmallerQuestion | null {
    const givesAway = key !== null && reveals(`${smaller.question} ${smaller.expected}`, key, text)
    return givesAway ? null : smaller
  }
}
