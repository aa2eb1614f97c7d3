import type { Course, Unit } from '../../../contracts/course-pack.ts'
import { passageIn, workedExamples } from '../../offline/explanations.ts'
import type { TurnContext } from './turn.ts'

/** Words of an explanation, with those of a question to follow within what a turn may say. */
const MOST_WORDS = 130

const wordsOf = (text: string) => text.match(/\S+/g)?.length ?? 0

/** A text with what it is taken from. */
export interface Explanation {
  unit: Unit
  text: string
}

/**
 * What the course has to say to the student's words that was not said lately: the passages that fit them, best first,
 * and the worked examples and the ideas of the unit that the best one is from. Whoever asks how to do something gets the
 * examples with their method first, and whoever asks for an example nothing else.
 */
export function explanations(
  context: TurnContext,
  focus: Unit,
  wanted: 'words' | 'method' | 'example',
): Explanation[] {
  const { course, spoken = 'en' } = context
  const { unitContentChunks, recentMessages } = context.context
  // A list of mistakes tells what is not so.
  const told = unitContentChunks.filter(({ chunkType }) => chunkType !== 'misconception')
  const passages = told.flatMap(({ unitId, section, text }): Explanation[] => {
    const unit = unitIn(course, unitId)
    return unit ? [{ unit, text: passageIn(spoken, { section, text: shortened(text) }, unit) }] : []
  })
  const about = target(context, passages, focus)
  const examples = workedExamples(about, spoken).map((text) => ({ unit: about, text }))
  const ideas = {
    unit: about,
    text: about.keyIdeas
      .slice(0, 3)
      .map((idea) => `- ${idea}`)
      .join('\n'),
  }
  const own = passages.filter(({ unit }) => unit === about)
  const ordered = {
    words: [...own, ...examples, ideas],
    method: [...examples, ...own, ideas],
    example: examples,
  }[wanted]
  const said = recentMessages.map(({ text }) => text).join('\n')
  return ordered.filter(({ text }) => wordsOf(text) <= MOST_WORDS && !said.includes(text))
}

/** The unit that the words, or those before them, are about as far as it may be spoken of; else the best passage's. */
function target(
  { course, policy, mappedUnits }: TurnContext,
  passages: Explanation[],
  focus: Unit,
) {
  const [best] = mappedUnits.filter(({ unitId }) => policy.scopedUnitIds.includes(unitId))
  return (best && unitIn(course, best.unitId)) ?? passages[0]?.unit ?? focus
}

const unitIn = (course: Course, id: string): Unit | null =>
  course.units.find(({ unitId }) => unitId === id) ?? null

/** Whole paragraphs, as many as fit. */
function shortened(text: string): string {
  const paragraphs = text.split(/\n{2,}/)
  const kept: string[] = []
  for (const paragraph of paragraphs) {
    if (kept.length > 0 && wordsOf([...kept, paragraph].join(' ')) > MOST_WORDS - 10) break
    kept.push(paragraph)
  }
  return kept.join('\n\n')
}
