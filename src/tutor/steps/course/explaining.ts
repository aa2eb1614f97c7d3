import type { Course, Unit } from '../../../contracts/course-pack.ts'
import { workedExample } from '../../offline/explanations.ts'
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
 * and the worked example and the ideas of the unit that the best one is from. Whoever asks how to do something gets the
 * example with its method first.
 */
export function explanations(context: TurnContext, focus: Unit, asksHow: boolean): Explanation[] {
  const { course } = context
  const { unitContentChunks, recentMessages } = context.context
  // A list of mistakes tells what is not so.
  const told = unitContentChunks.filter(({ chunkType }) => chunkType !== 'misconception')
  const passages = told.flatMap(({ unitId, section, text }): Explanation[] => {
    const unit = unitIn(course, unitId)
    return unit ? [{ unit, text: `**${section}.** ${shortened(text)}` }] : []
  })
  const about = target(context, passages, focus)
  const example = { unit: about, text: workedExample(about) }
  const ideas = {
    unit: about,
    text: about.keyIdeas
      .slice(0, 3)
      .map((idea) => `- ${idea}`)
      .join('\n'),
  }
  const own = passages.filter(({ unit }) => unit === about)
  const ordered = asksHow ? [example, ...own, ideas] : [...own, example, ideas]
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
