import type { Unit } from '../../../contracts/course-pack.ts'
import { textKey } from '../../../domain/answers/program.ts'
import type { Question } from '../../../domain/arc/question.ts'
import { keyOf } from '../../../domain/practice/key-of.ts'
import { reveals } from '../../../domain/practice/reveals.ts'
import type { SmallerQuestion } from '../../../domain/practice/state.ts'
import { chooseQuestions } from '../../offline/question-choice.ts'
import { practiceWords } from './practice-words.ts'

type Level = Question['difficulty']

/** Easier questions of its kind that a problem has ready. */
const EASIER = ['easy', 'easy'] as const

/** The levels below each. */
const BELOW: Record<Level, readonly Level[]> = {
  easy: [],
  medium: ['easy'],
  hard: ['easy', 'medium'],
}

/**
 * Smaller questions for a problem of a unit: the first step of its solution, where that can be read off, then problems of a
 * lower level; where there is neither, another one of its level and its kind.
 * @param taken texts that are not to come again; those that are used are added
 */
export function smallerQuestions(
  unit: Unit,
  problem: Question,
  taken: Set<string>,
  seed: number,
): SmallerQuestion[] {
  const first = firstStep(problem)
  const below = BELOW[problem.difficulty]
  const easier = siblings(unit, problem, taken, seed, {
    kind: 'easier',
    fits: ({ difficulty }) => below.includes(difficulty),
  })
  if (first) return [first, ...easier]
  if (easier.length > 0) return easier
  return siblings(unit, problem, taken, seed, {
    kind: 'another',
    fits: ({ difficulty, text }) =>
      difficulty === problem.difficulty && isAlike(text, problem.text),
  })
}

interface Sought {
  kind: 'easier' | 'another'
  fits: (question: Pick<Question, 'difficulty' | 'text'>) => boolean
}

/** Other questions of the unit that are sought, and give nothing away. */
function siblings(
  unit: Unit,
  problem: Question,
  taken: Set<string>,
  seed: number,
  { kind, fits }: Sought,
): SmallerQuestion[] {
  const of = textKey(problem.key)
  const before = [...taken].map((text) => ({ id: text, source: null, text, quality: null }))
  const used = unit.questions.filter(({ text }) => taken.has(text)).map(({ id }) => id)
  const sought: Unit = {
    ...unit,
    questions: unit.questions.filter(fits),
    // A template's questions differ in their numbers alone.
    templates: unit.templates.filter(({ difficulty, text }) => fits({ difficulty, text })),
  }
  return chooseQuestions(sought, before, EASIER, seed, used).flatMap(
    ({ text: question, expected, key: asked }): SmallerQuestion[] => {
      const key = textKey(asked)
      if (key === null || taken.has(question)) return []
      if (of && reveals(question, of, problem.text)) return []
      taken.add(question)
      return [{ question, kind, expected, key }]
    },
  )
}

/** Whether two questions ask for the same to be done: "Work out $…$" is no story about degrees. */
const isAlike = (a: string, b: string): boolean => askedToDo(a) === askedToDo(b)

/** How a question begins, up to its formula or its program. */
function askedToDo(text: string): string {
  const [lead = ''] = text.split(/\$|`|\{\{/, 1)
  return lead.trim().toLowerCase()
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
    return usable({
      ...{ question: step.toLowerCase(), kind: 'step', expected: `$${value}$` },
      key: { type: 'equation', value },
    })
  }
  const [, sum, result] =
    RECKONING.exec(solution.replaceAll('\\cdot', '×').replaceAll('\\div', '÷')) ?? []
  if (sum === undefined || result === undefined) return null
  const shown = sum.trim().replaceAll('×', '\\cdot').replaceAll('÷', '\\div')
  return usable({ question: `$${shown}$`, kind: 'sum', expected: result, key: keyOf(result) })

  function usable(smaller: SmallerQuestion): SmallerQuestion | null {
    const put = practiceWords('en').smaller(smaller)
    const givesAway = key !== null && reveals(`${put} ${smaller.expected}`, key, text)
    return givesAway ? null : smaller
  }
}
