import type { MasteryStatus } from '../mind-map/mind-map.ts'

/** How firmly a concept is known: passed its quiz or placed, reviewed with success at least once, mastered. */
export type Band = 'new' | 'learned' | 'memory' | 'mastered'

export interface Banded {
  masteryStatus: MasteryStatus
  repetitions: number
  placed: boolean
}

/** Passing the quiz is the first repetition, a check of a placed concept counts as two. */
const REVIEWED = 2

export function bandOf({ masteryStatus, repetitions, placed }: Banded): Band {
  if (masteryStatus === 'mastered') return 'mastered'
  if (masteryStatus === 'reviewing') return repetitions >= REVIEWED ? 'memory' : 'learned'
  return placed ? 'learned' : 'new'
}

/** Concepts by how firmly they are known; each counts for the weaker kinds too. */
export interface Progress {
  learned: number
  inMemory: number
  mastered: number
  total: number
}

/** The progress of groups of concepts that stand alike. */
export function progressOf(concepts: Iterable<Banded & { count?: number }>): Progress {
  const progress = { learned: 0, inMemory: 0, mastered: 0, total: 0 }
  for (const concept of concepts) {
    const { count = 1 } = concept
    const band = bandOf(concept)
    progress.total += count
    if (band !== 'new') progress.learned += count
    if (band === 'memory' || band === 'mastered') progress.inMemory += count
    if (band === 'mastered') progress.mastered += count
  }
  return progress
}
