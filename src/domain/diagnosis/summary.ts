import type { Language } from '../language/languages.ts'
import { isPassed } from '../mastery/quality.ts'
import { labelKey } from '../mind-map/label.ts'
import type { Diagnosis, Difficulty, InventoryConcept } from './diagnosis.ts'
import { DIFFICULTIES } from './inventory.ts'
import { type ConceptEstimate, inferMastery } from './mastery-inference.ts'

export type LearnerLevel = 'beginner' | 'intermediate' | 'advanced'

/** From this probability on a concept counts as known. */
const KNOWN = 0.5
/** Concepts named in one recommendation. */
const NAMED_MAX = 3

const LEVEL_TO_LEARN: Record<Difficulty, LearnerLevel> = {
  beginner: 'beginner',
  intermediate: 'intermediate',
  expert: 'advanced',
}

export interface DiagnosisSummary {
  /** What was measured, in rank order, with what all answers together say of it. */
  results: { label: string; quality: number; inferred: number }[]
  level: LearnerLevel
  gaps: string[]
  recommendations: string[]
}

/** What a diagnosis found (seed 003). */
export function diagnosisSummary(diagnosis: Diagnosis): DiagnosisSummary {
  return {
    results: probeResults(diagnosis),
    level: learnerLevel(diagnosis),
    gaps: prerequisiteGaps(diagnosis),
    recommendations: recommendations(diagnosis),
  }
}

/** The probed concepts in rank order, what was measured beside what is inferred. */
export function probeResults(diagnosis: Diagnosis): DiagnosisSummary['results'] {
  return inferMastery(diagnosis).flatMap(({ label, measured, inferred }) =>
    measured === null ? [] : [{ label, quality: measured, inferred }],
  )
}

/**
 * The learner's level (seed 003): that of the easiest concepts of which, on average, less than half
 * is known; advanced if there are none, beginner if nothing was asked.
 */
export function learnerLevel(diagnosis: Diagnosis): LearnerLevel {
  const estimates = inferMastery(diagnosis)
  if (estimates.every(({ measured }) => measured === null)) return 'beginner'
  for (const difficulty of DIFFICULTIES) {
    const chances = estimates
      .filter((_, index) => diagnosis.concepts[index]?.difficulty === difficulty)
      .map(({ inferred }) => inferred)
    const known = chances.reduce((sum, chance) => sum + chance, 0)
    if (known < KNOWN * chances.length) return LEVEL_TO_LEARN[difficulty]
  }
  return 'advanced'
}

/**
 * Labels of the concepts that hold the learner back (seed 003): not known, though all they build on
 * is, and needed for other concepts. In rank order. Where no prerequisites are known, the easier
 * level stands for what the harder one needs.
 */
export function prerequisiteGaps(diagnosis: Diagnosis): string[] {
  const { concepts } = diagnosis
  const needed = new Set(concepts.flatMap((concept) => concept.prerequisites.map(labelKey)))
  const hardest = Math.max(...concepts.map(levelOf))
  return readyToLearn(concepts, inferMastery(diagnosis))
    .filter((concept) =>
      needed.size > 0 ? needed.has(labelKey(concept.label)) : levelOf(concept) < hardest,
    )
    .map(({ label }) => label)
}

interface Words {
  start(concepts: string): string
  allKnown: string
  lookAgain(concepts: string): string
  passOver(concepts: string): string
  and: string
}

const WORDS: Record<Language, Words> = {
  en: {
    start: (concepts) => `Start with ${concepts}.`,
    allKnown: 'Everything asked for seems known: a harder goal may suit you better.',
    lookAgain: (concepts) => `Look again at ${concepts}: the answer does not fit the others.`,
    passOver: (concepts) => `Pass quickly over ${concepts}.`,
    and: 'and',
  },
  de: {
    start: (concepts) => `Beginne mit ${concepts}.`,
    allKnown: 'Alles, was gefragt war, scheint bekannt: Vielleicht passt ein höheres Ziel besser.',
    lookAgain: (concepts) =>
      `Sieh dir ${concepts} noch einmal an: Die Antwort passt nicht zu den anderen.`,
    passOver: (concepts) => `Über ${concepts} kannst du schnell hinweggehen.`,
    and: 'und',
  },
}

/** What to do next, in plain sentences of a language; empty only for an empty inventory (seed 003). */
export function recommendations(diagnosis: Diagnosis, language: Language = 'en'): string[] {
  const { concepts } = diagnosis
  if (concepts.length === 0) return []
  const estimates = inferMastery(diagnosis)
  const gaps = prerequisiteGaps(diagnosis)
  const ready = readyToLearn(concepts, estimates).map(({ label }) => label)
  const odd = estimates.filter(
    ({ inferred, measured }) => measured !== null && isPassed(measured) !== inferred >= KNOWN,
  )
  const right = estimates.filter(
    ({ inferred, measured }) => measured !== null && isPassed(measured) && inferred >= KNOWN,
  )
  const first = gaps.length > 0 ? gaps : ready
  const words = WORDS[language]
  const list = (labels: readonly string[]) => named(labels, words.and)
  return [
    first.length > 0 ? words.start(list(first)) : words.allKnown,
    ...(odd.length > 0 ? [words.lookAgain(list(labelsOf(odd)))] : []),
    ...(right.length > 0 ? [words.passOver(list(labelsOf(right)))] : []),
  ]
}

/** Concepts not known whose prerequisites are; without prerequisites, those of the easiest level. */
function readyToLearn(
  concepts: readonly InventoryConcept[],
  estimates: readonly ConceptEstimate[],
): InventoryConcept[] {
  const unknown = concepts.filter((_, index) => (estimates[index]?.inferred ?? 0) < KNOWN)
  const unknownLabels = new Set(unknown.map(({ label }) => labelKey(label)))
  const structured = concepts.some(({ prerequisites }) => prerequisites.length > 0)
  const easiest = Math.min(...unknown.map(levelOf))
  return unknown.filter((concept) =>
    structured
      ? !concept.prerequisites.some((label) => unknownLabels.has(labelKey(label)))
      : levelOf(concept) === easiest,
  )
}

function levelOf({ difficulty }: InventoryConcept): number {
  return DIFFICULTIES.indexOf(difficulty)
}

function labelsOf(estimates: readonly ConceptEstimate[]): string[] {
  return estimates.map(({ label }) => label)
}

/** "A", "A and B", "A, B and C"; at most three, the easiest. */
function named(labels: readonly string[], and: string): string {
  const few = labels.slice(0, NAMED_MAX)
  const last = few[few.length - 1] ?? ''
  return few.length > 1 ? `${few.slice(0, -1).join(', ')} ${and} ${last}` : last
}
