import type { Course, Unit } from '../../contracts/course-pack.ts'
import type { ErrorPattern } from '../../domain/learning-cycle/error-pattern.ts'
import type { AskedQuestion } from '../steps/arc/context.ts'
import { chooseQuestions } from './question-choice.ts'

type Example = Unit['workedExample']

/** The worked example of a unit as Markdown. */
export const workedExample = (unit: Unit): string => worked(unit.workedExample)

const numbered = (steps: readonly string[]) =>
  steps.map((step, i) => `${i + 1}. ${step}`).join('\n')

const worked = ({ problem, steps, answer }: Example): string =>
  `**Worked example.** ${problem}\n\n${numbered(steps)}\n\n**Answer:** ${answer}`

export function keyIdeas(unit: Unit): string {
  return unit.keyIdeas.map((idea) => `- ${idea}`).join('\n')
}

/** What a lesson says in one sentence: its last paragraph that begins so; else its first key idea. */
function inShort(unit: Unit): string {
  const found = /^\*\*In short:?\*\*:?\s*(.+?)$/ms.exec(unit.lesson)
  return found?.[1]?.split('\n\n')[0]?.trim() ?? unit.keyIdeas[0] ?? unit.title
}

/**
 * The second lesson on a unit and later ones: the questions that were missed, worked step by step, what was seen in the
 * mistakes, and the lesson folded to its summary.
 */
export function lessonAgain(
  unit: Unit,
  {
    questions,
    input,
  }: { questions: readonly AskedQuestion[]; input: { errors: readonly ErrorPattern[] } },
): string {
  const missed = questions
    .filter(({ solution }) => solution !== null)
    .slice(0, 1)
    .map(({ text, solution }) => `You met this question: ${text}\n\nStep by step: ${solution}`)
  const remedies = input.errors.map(({ suggestedRemediation }) => `- ${suggestedRemediation}`)
  return [
    ...missed,
    ...(remedies.length > 0 ? [`**Watch out for this**\n\n${remedies.join('\n')}`] : []),
    `**In short:** ${inShort(unit)}`,
  ].join('\n\n')
}

/**
 * Another example at every showing: those of the course in turn, then questions of the unit with their solutions.
 * @param open the source of the question that is open, which is no example
 */
export function anotherExample(unit: Unit, showing: number, open: string | null = null): string {
  const examples = [unit.workedExample, ...unit.workedExamples]
  const example = examples[showing - 1]
  if (example) return worked(example)
  const wanted = Array.from({ length: showing - examples.length }, () => 'medium' as const)
  const question = chooseQuestions(unit, [], wanted, 0, open ? [open] : []).at(-1)
  return question?.solution
    ? `**An example.** ${question.text}\n\n${question.solution}`
    : worked(unit.workedExample)
}

/** How problems of a unit are gone about: the steps of its worked example. */
export function methodOf(unit: Unit): string {
  const { problem, steps } = unit.workedExample
  return `There is no further hint, but this is how such a problem is done. Take this one: ${problem}\n\n${numbered(steps)}`
}

/** An explanation in between, each time another: the ideas, the method, what often goes wrong, an example. */
export function explainedAgain(unit: Unit, times: number, open: string | null): string {
  const traps = unit.misconceptions.map(({ remedy }) => `- ${remedy}`).join('\n')
  const ways = [
    `**${unit.title}**, in short: ${inShort(unit)}\n\n${keyIdeas(unit)}`,
    anotherExample(unit, times + 1, open),
    `What to keep in mind:\n\n${traps}`,
  ]
  const way = ways[times % ways.length] ?? ''
  return times < ways.length
    ? way
    : `${way}\n\nIf it does not come, say “show me” for the solution, or “skip this concept”.`
}

/** The key ideas of a unit, in answer to a question that no passage of its lesson fits. */
export const aboutUnit = (unit: Unit): string =>
  `What the lesson says about **${unit.title}**:\n\n${keyIdeas(unit)}`

const WORD = /\p{L}{3,}/gu
/** Words that say nothing about what a question is about. */
const COMMON = new Set(
  'the and for are but not you your what which why how does can could would should when where who this that these those with from have has had will was were there here then than them they she him her its our out into about again mean means need want tell explain show know understand use used using get got make made please number numbers'.split(
    ' ',
  ),
)

const stem = (word: string) => word.replace(/(?:ing|ed|es|s|ly|ion|ions)$/, '')

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(WORD) ?? []).filter((word) => !COMMON.has(word)).map(stem)

/**
 * The passage of the course that fits a question: of the unit in hand first, else of the whole course; null where no word
 * of it is found anywhere.
 */
export function passageFor(course: Course, unit: Unit | null, question: string): string | null {
  const asked = new Set(wordsOf(question))
  if (asked.size === 0) return null
  const passages = course.units.flatMap((each) =>
    passagesOf(each).map((text) => ({ unit: each, text, words: new Set(wordsOf(text)) })),
  )
  const weight = (word: string) =>
    Math.log(passages.length / (1 + passages.filter(({ words }) => words.has(word)).length))
  const weights = new Map([...asked].map((word) => [word, Math.max(0.1, weight(word))]))
  const scored = passages.map((passage) => {
    const found = [...asked].filter((word) => passage.words.has(word))
    const score = found.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)
    const here = passage.unit.unitId === unit?.unitId ? HERE : 1
    return { ...passage, score: (score * here) / Math.sqrt(20 + passage.words.size) }
  })
  const [best] = scored.sort((a, b) => b.score - a.score)
  if (!best || best.score === 0) return null
  return best.unit.unitId === unit?.unitId
    ? best.text
    : `That belongs to **${best.unit.title}**:\n\n${best.text}`
}

/** What the unit in hand says counts more than what another one does. */
const HERE = 2

/** The paragraphs of a lesson, formulas and code with the sentence before them, and its key ideas. */
function passagesOf(unit: Unit): string[] {
  const blocks = unit.lesson.split(/\n\s*\n/).filter((block) => !/^#/.test(block.trim()))
  const passages: string[] = []
  for (const block of blocks) {
    const joins = /^\s*(?:\$\$|```|\||[-*] |\d+\. )/.test(block)
    const before = passages.at(-1)
    if (joins && before !== undefined) passages[passages.length - 1] = `${before}\n\n${block}`
    else passages.push(block)
  }
  return [...passages, ...unit.misconceptions.map(({ remedy }) => remedy)]
}
