import type { Course, QuestionTemplate, Unit } from '../../contracts/course-pack.ts'
import { askedQuestion, bankQuestionOf } from '../../courses/asked-question.ts'
import { drawQuestion } from '../../courses/templates.ts'
import type { StepContext, TutorQuestion } from '../steps/arc/context.ts'

type Difficulty = TutorQuestion['difficulty']
type Asked = StepContext['asked'][number]

/** A draw of a template is named by the template and its seed, so that it can be drawn again. */
const drawSource = (templateId: string, seed: number) => `${templateId}#${seed}`

/**
 * A question that was missed, asked again: its template drawn with other numbers, or a sibling of its difficulty; never
 * word for word what was asked before.
 */
export function askedAnew(
  unit: Unit,
  missed: { source: string | null; difficulty: Difficulty },
  before: readonly Asked[],
  seed: number,
): TutorQuestion | null {
  const [id] = missed.source?.split('#') ?? []
  const template = unit.templates.find((candidate) => candidate.id === id)
  const texts = new Set(before.map(({ text }) => text))
  const drawn = template && draw(unit, template, texts, seed)
  return drawn ?? chooseQuestions(unit, before, [missed.difficulty], seed)[0] ?? null
}

function sameAgain(unit: Unit, source: string): TutorQuestion | null {
  const question = bankQuestionOf(unit, source)
  return question && askedQuestion(unit, question, source)
}

/**
 * Chooses questions of a unit that were not asked yet, in the wanted difficulties as far as there are any:
 * bank questions first, then draws of templates; only when neither is left, one that was missed, and last any.
 * @param seed makes the choice repeatable
 */
export function chooseQuestions(
  unit: Unit,
  before: readonly Asked[],
  wanted: readonly Difficulty[],
  seed: number,
  exclude: readonly string[] = [],
): TutorQuestion[] {
  const used = new Set([...before.flatMap(({ source }) => source ?? []), ...exclude])
  const texts = new Set(before.map(({ text }) => text))
  const chosen: TutorQuestion[] = []
  wanted.forEach((difficulty, place) => {
    const turn = seed + place * 7919
    const question =
      fromBank(unit, used, difficulty, turn) ??
      fromTemplates(unit, texts, difficulty, turn) ??
      missedBefore(unit, before, chosen) ??
      fromBank(unit, new Set(chosen.flatMap(({ source }) => source ?? [])), difficulty, turn)
    if (!question) return
    if (question.source) used.add(question.source)
    texts.add(question.text)
    chosen.push(question)
  })
  return chosen
}

const DISTANCE: Record<Difficulty, number> = { easy: 0, medium: 1, hard: 2 }

/** The nearest difficulties first; among equals the seed decides. */
function nearest<T extends { difficulty: Difficulty }>(
  items: readonly T[],
  difficulty: Difficulty,
  seed: number,
): T[] {
  const distance = (item: T) => Math.abs(DISTANCE[item.difficulty] - DISTANCE[difficulty])
  const least = Math.min(...items.map(distance))
  const best = items.filter((item) => distance(item) === least)
  const start = best.length === 0 ? 0 : Math.abs(seed) % best.length
  return [...best.slice(start), ...best.slice(0, start)]
}

function fromBank(
  unit: Unit,
  used: ReadonlySet<string>,
  difficulty: Difficulty,
  seed: number,
): TutorQuestion | null {
  const unseen = unit.questions.filter(({ id }) => !used.has(id))
  const [question] = nearest(unseen, difficulty, seed)
  return question ? askedQuestion(unit, question, question.id) : null
}

const DRAWS = 40

function fromTemplates(
  unit: Unit,
  texts: ReadonlySet<string>,
  difficulty: Difficulty,
  seed: number,
): TutorQuestion | null {
  const templates: QuestionTemplate[] = nearest(unit.templates, difficulty, seed)
  for (const template of templates) {
    const question = draw(unit, template, texts, seed)
    if (question) return question
  }
  return null
}

/** A draw of a template that was not asked yet; null where none is found. */
function draw(
  unit: Unit,
  template: QuestionTemplate,
  texts: ReadonlySet<string>,
  seed: number,
): TutorQuestion | null {
  for (let count = 0; count < DRAWS; count += 1) {
    const drawSeed = Math.abs(seed + count * 104_729) % 1_000_003
    const question = drawQuestion(template, drawSeed)
    if (!texts.has(question.text)) {
      return askedQuestion(unit, question, drawSource(template.id, drawSeed))
    }
  }
  return null
}

function missedBefore(
  unit: Unit,
  before: readonly Asked[],
  chosen: readonly TutorQuestion[],
): TutorQuestion | null {
  for (const { source, quality } of before) {
    if (source === null || quality === null || quality >= 3) continue
    if (chosen.some((question) => question.source === source)) continue
    const again = sameAgain(unit, source)
    if (again) return again
  }
  return null
}

/** The unit a concept label names, or null. */
export function unitByLabel(course: Course, label: string): Unit | null {
  const wanted = label.trim().toLowerCase()
  return course.units.find((unit) => unit.title.trim().toLowerCase() === wanted) ?? null
}
