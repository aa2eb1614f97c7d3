import type { Course, Unit } from '../../contracts/course-pack.ts'
import { picturesInWords } from '../../contracts/plot.ts'
import type { Language } from '../../domain/language/languages.ts'
import type { ErrorPattern } from '../../domain/learning-cycle/error-pattern.ts'
import type { SolvedExample } from '../../domain/practice/state.ts'
import type { AskedQuestion } from '../steps/arc/context.ts'
import { lessonWords } from './lesson-words.ts'
import { chooseQuestions } from './question-choice.ts'
import { courseTerms, subjectWords } from './subject-words.ts'

type Example = Unit['workedExample']

/** The worked example of a unit as Markdown. */
export const workedExample = (unit: Unit, language: Language): string =>
  worked(unit.workedExample, language)

/** All worked examples of a unit as Markdown. */
export const workedExamples = (unit: Unit, language: Language): string[] =>
  [unit.workedExample, ...unit.workedExamples].map((example) => worked(example, language))

const numbered = (steps: readonly string[]) =>
  steps.map((step, i) => `${i + 1}. ${step}`).join('\n')

/** How the worked example of a unit is named among the passages of its material. */
const WORKED_EXAMPLE = 'Worked example'

/** A passage of a unit's material as it is told. */
export const passageIn = (
  language: Language,
  { section, text }: { section: string; text: string },
  unit: Unit | null,
): string =>
  unit && section === WORKED_EXAMPLE ? workedExample(unit, language) : `**${section}.** ${text}`

function worked({ problem, steps, answer }: Example, language: Language): string {
  const words = lessonWords(language)
  return `${words.workedExample} ${problem}\n\n${numbered(steps)}\n\n${words.answer} ${answer}`
}

/** A question with its solution, as an example. */
const solved = (question: string, solution: string, language: Language): string =>
  `${lessonWords(language).anExample} ${question}\n\n${solution}`

/** An example as Markdown; one that is worded already stays as it is. */
export function exampleIn(language: Language, example: SolvedExample | string): string {
  if (typeof example === 'string') return example
  return 'steps' in example
    ? worked(example, language)
    : solved(example.problem, example.solution, language)
}

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
  language: Language,
): string {
  const words = lessonWords(language)
  const missed = questions
    .flatMap(({ text, solution }) =>
      solution === null ? [] : [`${words.youMet(text)}\n\n${words.stepByStep(solution)}`],
    )
    .slice(0, 1)
  const remedies = input.errors.map(({ suggestedRemediation }) => `- ${suggestedRemediation}`)
  return [
    ...missed,
    ...(remedies.length > 0 ? [`${words.watchOut}\n\n${remedies.join('\n')}`] : []),
    `${words.inShort} ${inShort(unit)}`,
  ].join('\n\n')
}

/**
 * Another example at every showing: those of the course in turn, then questions of the unit with their solutions.
 * @param open the source of the question that is open, which is no example
 */
export function anotherExample(
  unit: Unit,
  showing: number,
  language: Language,
  open: string | null = null,
): string {
  const examples = [unit.workedExample, ...unit.workedExamples]
  const example = examples[showing - 1]
  if (example) return worked(example, language)
  const wanted = Array.from({ length: showing - examples.length }, () => 'medium' as const)
  const question = chooseQuestions(unit, [], wanted, 0, open ? [open] : []).at(-1)
  return question?.solution
    ? solved(question.text, question.solution, language)
    : workedExample(unit, language)
}

/** What else there is to say of the concept in hand, and how. */
interface Telling {
  language: Language
  /** How often it was told before. */
  times: number
  /** The source of the question that is open, which is no example. */
  open: string | null
}

/** How many ways there are to tell of a concept in between. */
const WAYS = 3

/** How problems of a unit are gone about where no hint is left: the steps of its worked example, and other ways in turn. */
export function methodOf(unit: Unit, telling: Telling): string {
  const { language, times } = telling
  const words = lessonWords(language)
  if (times % WAYS !== 0) return `${words.noFurtherHint}\n\n${explainedAgain(unit, telling)}`
  const { problem, steps } = unit.workedExample
  const method = `${words.method(problem)}\n\n${numbered(steps)}`
  return times === 0 ? method : `${method}\n\n${words.ifItDoesNotCome}`
}

/** An explanation in between, each time another: the ideas, the method, what often goes wrong, an example. */
export function explainedAgain(unit: Unit, { language, times, open }: Telling): string {
  const words = lessonWords(language)
  const traps = unit.misconceptions.map(({ remedy }) => `- ${remedy}`).join('\n')
  const ways = [
    unitInShort(unit, language),
    anotherExample(unit, times + 1, language, open),
    `${words.keepInMind}\n\n${traps}`,
  ]
  const way = ways[times % WAYS] ?? ''
  return times < WAYS ? way : `${way}\n\n${words.ifItDoesNotCome}`
}

const unitInShort = (unit: Unit, language: Language): string =>
  `${lessonWords(language).titleInShort(unit.title)} ${inShort(unit)}\n\n${keyIdeas(unit)}`

/** The unit in short whose title has a word that is asked about; null where none has. */
function aboutNamed(course: Course, asked: ReadonlySet<string>, language: Language): string | null {
  const isNamed = ({ title }: Unit) => subjectWords(title).some((word) => asked.has(word))
  const unit = course.units.find(isNamed)
  return unit ? unitInShort(unit, language) : null
}

/**
 * The passage of the course that fits a question: of the unit in hand first, else of the whole course; null where none
 * does. Half of what is asked about has to be found, with a word of what the course teaches, or several words: a single
 * one may be a coincidence.
 */
export function passageFor(
  course: Course,
  unit: Unit | null,
  question: string,
  language: Language,
): string | null {
  const asked = new Set(subjectWords(question))
  if (asked.size === 0) return null
  const terms = courseTerms(course)
  const passages = passagesIn(course)
  const weight = (word: string) =>
    Math.log(passages.length / (1 + passages.filter(({ words }) => words.has(word)).length))
  const weights = new Map([...asked].map((word) => [word, Math.max(0.1, weight(word))]))
  const isPointed = (found: readonly string[]) =>
    found.length >= asked.size / 2 && found.some((word) => terms.has(word))
  const scored = passages.flatMap((passage) => {
    const found = [...asked].filter((word) => passage.words.has(word))
    if (found.length < ENOUGH && !isPointed(found)) return []
    const score = found.reduce((sum, word) => sum + (weights.get(word) ?? 0), 0)
    const here = passage.unit.unitId === unit?.unitId ? HERE : 1
    return [{ ...passage, score: (score * here) / Math.sqrt(20 + passage.words.size) }]
  })
  const [best] = scored.sort((a, b) => b.score - a.score)
  if (!best) return aboutNamed(course, asked, language)
  return best.unit.unitId === unit?.unitId
    ? best.text
    : `${lessonWords(language).belongsTo(best.unit.title)}\n\n${best.text}`
}

/** So many words in common are no coincidence. */
const ENOUGH = 2
/** What the unit in hand says counts more than what another one does. */
const HERE = 2

interface Passage {
  unit: Unit
  text: string
  /** The words of the subject in it, by their stems. */
  words: ReadonlySet<string>
}

const readCourses = new WeakMap<Course, readonly Passage[]>()

/** All that a course's lessons say, in passages; a course is cut up once. */
function passagesIn(course: Course): readonly Passage[] {
  const read = readCourses.get(course)
  if (read) return read
  const passages = course.units.flatMap((unit) =>
    passagesOf(unit).map((text) => ({
      unit,
      text,
      words: new Set(subjectWords(picturesInWords(text))),
    })),
  )
  readCourses.set(course, passages)
  return passages
}

/** The paragraphs of a lesson, formulas and code with the sentence before them, and its key ideas. */
function passagesOf(unit: Unit): string[] {
  const blocks = unit.lesson.split(/\n\s*\n/).filter((block) => !/^#/.test(block.trim()))
  const passages: string[] = []
  for (const block of blocks) {
    const joins = /^\s*(?:\$\$|```|!\[|\||[-*] |\d+\. )/.test(block)
    const before = passages.at(-1)
    if (joins && before !== undefined) passages[passages.length - 1] = `${before}\n\n${block}`
    else passages.push(block)
  }
  return [...passages, ...unit.misconceptions.map(({ remedy }) => remedy)]
}
