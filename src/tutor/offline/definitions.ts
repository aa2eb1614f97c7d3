import type { Course, GlossaryTerm, Unit } from '../../contracts/course-pack.ts'
import type { Language } from '../../domain/language/languages.ts'
import { lessonWords } from './lesson-words.ts'

/** What comes before the word that is asked about. */
const ASKS =
  /^(?:(?:so|ok|okay|but|and|hey|wait|sorry|um|uh)[\s,]+)*(?:what do you mean by|what(?:['’]?s| is| are| does| do| was)|define|definition of|(?:what(?:['’]?s| is) )?(?:the )?meaning of|(?:please )?explain|tell me what|i (?:don['’]?t|do not) (?:know|understand) what|was (?:ist|sind|bedeutet|heißt))\s+(?:meant by\s+|a\s+|an\s+|the\s+|ein\s+|eine\s+|der\s+|die\s+|das\s+)*/i
/** What comes after it. */
const TRAILS =
  /(?:\s+(?:do|does|even|actually|really|again|please|pls|mean(?:s|ing)?|called|is|are|for|stand(?:s)? for|here|in (?:maths?|algebra|python|programming|code|this|english)))*\s*[?.!…]*$/i

const plain = (word: string): string =>
  word
    .toLowerCase()
    .replace(/[`"“”'’]/g, '')
    .replace(/\(\)$/, '')
    .replace(/[-\s]+/g, ' ')
    .trim()

/** The singular of a word as a learner may have written it. */
const singulars = (word: string): string[] => [
  word,
  word.replace(/s$/, ''),
  word.replace(/es$/, ''),
  word.replace(/ies$/, 'y'),
]

/**
 * What a word of the course means, where a learner asks just that ("whats a fraction?"), with the unit it belongs to if
 * that is not the one in hand; null for any other question, and for a word that the course does not explain.
 */
export function definitionFor(
  course: Course,
  said: string,
  here: Unit | null,
  language: Language,
): string | null {
  const asked = ASKS.exec(said.trim())
  if (!asked) return null
  const found = termOf(course, said.trim().slice(asked[0].length).replace(TRAILS, ''))
  if (!found) return null
  const unit = course.units.find(({ unitId }) => unitId === found.unit)
  const more = unit && unit !== here ? `\n\n${lessonWords(language).moreIn(unit.title)}` : ''
  return `${found.means}${more}`
}

function termOf({ glossary = [] }: Course, word: string): GlossaryTerm | null {
  const wanted = new Set(singulars(plain(word)))
  const names = ({ term, also }: GlossaryTerm) => [term, ...also].map(plain)
  return glossary.find((each) => names(each).some((name) => wanted.has(name))) ?? null
}
