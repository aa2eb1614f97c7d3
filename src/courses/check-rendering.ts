import type { BankQuestion, Course, Unit } from '../contracts/course-pack.ts'
import { checkedDraws, keyFormulas } from './check-questions.ts'

/** Signs that a number was put where its sign, or a factor 1 or 0, should not be written. */
const CLUMSY = /[+-]\s*-|[+-] 0(?![.\d])|(?<![\d.\w}])[01][a-z]/

/**
 * Every formula of a course that does not render, and every drawn question with a formula nobody
 * would write (`1x`, `+ -3`), in words.
 */
export async function checkRendering(course: Course): Promise<string[]> {
  const { default: katex } = await import('katex')
  const rendered = new Map<string, string | null>()
  const fault = (formula: string, displayMode: boolean): string | null => {
    const known = rendered.get(formula)
    if (known !== undefined) return known
    let problem: string | null = null
    try {
      katex.renderToString(formula, { displayMode, throwOnError: true, strict: 'error' })
    } catch (error) {
      problem = error instanceof Error ? error.message : String(error)
    }
    rendered.set(formula, problem)
    return problem
  }
  const inGlossary = (course.glossary ?? []).flatMap(({ term, means }) =>
    renderFaults(`glossary, ${term}`, means, fault),
  )
  const inUnits = course.units.flatMap((unit) => [
    ...[...unitTexts(unit), ...unit.questions.flatMap(questionTexts)].flatMap(([where, text]) =>
      renderFaults(where, text, fault),
    ),
    ...checkedDraws(unit)
      .flatMap(questionTexts)
      .flatMap(([where, text]) => [
        ...renderFaults(where, text, fault),
        ...formulasOf(text)
          .formulas.filter(({ formula }) => CLUMSY.test(formula))
          .map(({ formula }) => `${where}: "${formula}" is not how it is written`),
      ]),
  ])
  return [...inGlossary, ...inUnits]
}

function renderFaults(
  where: string,
  text: string,
  fault: (formula: string, displayMode: boolean) => string | null,
): string[] {
  const { formulas, rest } = formulasOf(text)
  const unpaired = rest.includes('$') ? [`${where}: a $ has no partner`] : []
  const faults = formulas.flatMap(({ formula, display }) => {
    const problem = fault(formula, display)
    return problem === null ? [] : [`${where}: "${formula}" does not render: ${problem}`]
  })
  return [...unpaired, ...faults]
}

/** The formulas of a Markdown text, and the text without them and without code. */
function formulasOf(text: string) {
  const formulas: { formula: string; display: boolean }[] = []
  const prose = text
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    .replace(/(`+)[^`][\s\S]*?\1/g, '')
    .replaceAll('\\$', '')
  const rest = prose.replace(/\$\$([\s\S]+?)\$\$|\$([^$]+?)\$/g, (_, display, inline) => {
    formulas.push({ formula: (display ?? inline).trim(), display: display !== undefined })
    return ''
  })
  return { formulas, rest }
}

type Located = [where: string, text: string]

function unitTexts(unit: Unit): Located[] {
  const examples = [unit.workedExample, ...unit.workedExamples].flatMap((example) => [
    example.problem,
    ...example.steps,
    example.answer,
  ])
  const { fadedExample: faded } = unit
  const open = faded ? [faded.problem, ...faded.steps, faded.question, faded.solution] : []
  const exams = unit.exams.flatMap(({ questionId, questionLatex, options, memo }) =>
    [questionLatex, ...options.map((option) => option.text), memo].map(
      (text): Located => [questionId, text],
    ),
  )
  const misconceptions = unit.misconceptions.flatMap((one) => [one.description, one.remedy])
  return [
    [`${unit.unitId} lesson`, unit.lesson],
    ...[unit.title, unit.anchor, ...unit.keyIdeas].map((text): Located => [unit.unitId, text]),
    ...[...examples, ...open].map((text): Located => [`${unit.unitId} example`, text]),
    ...misconceptions.map((text): Located => [`${unit.unitId} misconceptions`, text]),
    ...exams,
    ...(unit.programs ?? []).flatMap(({ id, question, hints }) =>
      [question, ...hints].map((text): Located => [id, text]),
    ),
  ]
}

function questionTexts({ id, text, options = [], answer, hints, solution }: BankQuestion) {
  const keys = keyFormulas(answer).map((formula) => `$${formula}$`)
  const texts = [text, ...options.map((option) => option.text), ...keys, ...hints, solution]
  return texts.map((one): Located => [id, one])
}
