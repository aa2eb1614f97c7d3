import type { BankQuestion, Unit } from '../../../contracts/course-pack.ts'
import { bankQuestionOf } from '../../../courses/asked-question.ts'
import { drawQuestion } from '../../../courses/templates.ts'
import { ANSWER_BLANK } from '../../../domain/course/drills/answer-blank.ts'
import { shownAs } from '../../../domain/course/drills/drill-grade.ts'

/** A drill out of a course pack, with all that is needed to grade it. */
export interface CourseDrill {
  source: string
  prompt: string
  questionLatex: string
  question: BankQuestion
}

/**
 * Drills of a unit in the order of a seed, each drawn afresh from a template, or from the question bank where no
 * template has an open answer; those whose prompt and question are in `shown` come last.
 */
export function drawDrills(
  unit: Unit,
  seed: number,
  count: number,
  shown: ReadonlySet<string> = new Set(),
): CourseDrill[] {
  const templates = unit.templates.filter(({ format }) => format === 'short_answer')
  const bank = unit.questions.filter(({ format }) => format === 'short_answer')
  const drills: CourseDrill[] = []
  for (let n = 0; n < count * 3 && templates.length > 0; n += 1) {
    const template = templates[(seed + n) % templates.length]
    if (template) drills.push(courseDrill(drawQuestion(template, ((seed + n) % 1_000_000) + 1)))
  }
  for (let n = 0; n < bank.length; n += 1) {
    const question = bank[(seed + n) % bank.length]
    if (question) drills.push(courseDrill(question))
  }
  const isNew = (drill: CourseDrill) => !shown.has(shownAs(drill))
  return [...drills.filter(isNew), ...drills.filter((drill) => !isNew(drill))].slice(0, count)
}

/** The drill a source names, as it was; null when the course no longer has it. */
export function drillFrom(unit: Unit, source: string): CourseDrill | null {
  const question = bankQuestionOf(unit, source)
  return question && courseDrill(question)
}

function courseDrill(question: BankQuestion): CourseDrill {
  const { text } = question
  const [, before, formula, rest] = /^([^$]*[^$\s])\s*\$([^$]+)\$([.:]?)$/s.exec(text.trim()) ?? []
  const shown =
    before !== undefined && formula !== undefined && rest !== undefined
      ? { prompt: before, questionLatex: formula.trim() }
      : { prompt: text, questionLatex: ANSWER_BLANK }
  return { source: question.id, ...shown, question }
}
