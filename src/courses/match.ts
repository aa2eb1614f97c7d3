import type { Course, Unit } from '../contracts/course-pack.ts'

export interface TopicMatch {
  course: Course
  /** The units that are meant, in the course's order; empty when the whole course is. */
  unitIds: string[]
}

/** Below this score, 0..1, a course or a unit is not what the topic means. */
const MATCH_MIN = 0.5

/** Units this close to the best one are meant as well. */
const MATCH_TOLERANCE = 0.15

const FILLERS = new Set(
  `a about an and as at basic beginner by can class course do explain for from get good grade help
  how i improve in intro introduction into is it learn lesson like master math mathematic me more my
  need of on or please practice practise revise some study teach than that the them these thing this
  to topic topics tutorial understand up us use using want what when why with you`
    .split(/\s+/)
    .map(stem),
)

/**
 * The course, or the units of one, that a learner's topic names: by course id, title and aliases,
 * and by the title, aliases and tags of units. Case, plurals, endings and small typos do not
 * matter. The score is the overlap of words (Dice), rare words weighing more; the whole course wins
 * a tie, then the course given first.
 * @returns null when nothing comes close
 */
export function matchTopic(topic: string, courses: readonly Course[]): TopicMatch | null {
  const words = wordsOf(topic)
  const vocabulary = vocabularyOf(courses)
  let best: (TopicMatch & { score: number }) | null = null
  for (const course of courses) {
    const match = matchCourse(words, course, vocabulary)
    if (match.score >= MATCH_MIN && match.score > (best?.score ?? 0)) best = match
  }
  return best && { course: best.course, unitIds: best.unitIds }
}

function matchCourse(words: readonly string[], course: Course, vocabulary: Vocabulary) {
  const phrases = coursePhrases(course)
  const whole = bestOverlap(words, phrases, vocabulary)
  const courseWords = new Set(phrases.flat())
  const rest = words.filter((word) => !courseWords.has(vocabulary.spelling(word)))
  const unitWords = rest.length > 0 ? rest : words
  const scores = course.units.map((unit) => ({
    unitId: unit.unitId,
    score: bestOverlap(unitWords, unitPhrases(unit), vocabulary),
  }))
  const top = Math.max(0, ...scores.map(({ score }) => score))
  if (whole >= top) return { course, unitIds: [], score: whole }
  const least = Math.max(MATCH_MIN, top - MATCH_TOLERANCE)
  const unitIds = scores.filter(({ score }) => score >= least).map(({ unitId }) => unitId)
  return { course, unitIds, score: top }
}

function coursePhrases(course: Course): string[][] {
  return [course.courseId, course.title, ...course.aliases].map(wordsOf)
}

function unitPhrases(unit: Unit): string[][] {
  return [unit.unitId, unit.title, ...unit.aliases, ...unit.tags].map(wordsOf)
}

function bestOverlap(words: readonly string[], phrases: string[][], vocabulary: Vocabulary) {
  return Math.max(0, ...phrases.map((phrase) => overlap(words, phrase, vocabulary)))
}

/** Twice the weight of the common words over the weight of all; 1 for the same words. */
function overlap(words: readonly string[], phrase: readonly string[], vocabulary: Vocabulary) {
  const weigh = (all: readonly string[]) =>
    all.reduce((sum, word) => sum + vocabulary.weight(word), 0)
  const spelt = words.map(vocabulary.spelling)
  const common = spelt.filter((word) => phrase.includes(word))
  const total = weigh(spelt) + weigh(phrase)
  return total === 0 ? 0 : (2 * weigh(common)) / total
}

interface Vocabulary {
  /** The known word that is meant, or the word itself. */
  spelling: (word: string) => string
  /** More for a word that few units use. */
  weight: (word: string) => number
}

function vocabularyOf(courses: readonly Course[]): Vocabulary {
  const uses = new Map<string, number>()
  const phrasesOf = (course: Course) => [coursePhrases(course), ...course.units.map(unitPhrases)]
  const entries = courses.flatMap(phrasesOf)
  for (const phrases of entries) {
    for (const word of new Set(phrases.flat())) uses.set(word, (uses.get(word) ?? 0) + 1)
  }
  const known = [...uses.keys()].sort()
  const spellings = new Map(known.map((word) => [word, word]))
  return {
    spelling: (word) => {
      const spelling = spellings.get(word) ?? nearest(word, known)
      spellings.set(word, spelling)
      return spelling
    },
    weight: (word) => Math.log(1 + entries.length / (uses.get(word) ?? 1)),
  }
}

/** The known word with the fewest slips, at most 1 in 5 to 7 letters and 2 in more. */
function nearest(word: string, known: readonly string[]): string {
  const allowed = word.length < 5 ? 0 : word.length < 8 ? 1 : 2
  const near = known
    .map((other) => ({ other, slips: editDistance(word, other) }))
    .filter(({ other, slips }) => slips <= allowed && other.length > 3)
    .sort((a, b) => a.slips - b.slips)
  return near[0]?.other ?? word
}

/** Letters inserted, left out, replaced, or swapped with their neighbour (optimal alignment). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (rows[i - 1]?.[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const gap = Math.min(rows[i - 1]?.[j] ?? 0, row[j - 1] ?? 0) + 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : gap
      row.push(Math.min(replaced, gap, swap))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

function wordsOf(phrase: string): string[] {
  const words = phrase.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const telling = words.map(stem).filter((word) => word.length > 1 && !FILLERS.has(word))
  return [...new Set(telling)]
}

/** The word without the ending of a plural, of a verb's form, or a last e. */
function stem(word: string): string {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|ss|x|z)es$/, '$1')
    .replace(/([^s])s$/, '$1')
  const base = singular.replace(/(?<=.{4})(ing|ed)$/, '')
  return base.replace(/(?<=.{3})e$/, '')
}
