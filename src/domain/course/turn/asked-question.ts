/**
 * What the tutor asked in its last words in a thread, where code can tell what the reply means. Nothing is counted of it:
 * tiers move by drills and exams alone.
 */
export type AskedQuestion =
  /** Which of two statements is true: an idea of the unit, and the belief behind a mistake. */
  | { kind: 'statements'; unitId: string; tag: string; idea: string; isFirstTrue: boolean }
  /** A written question of the unit's bank. */
  | { kind: 'question'; unitId: string; source: string }
  /** Whether to go on with a unit, or with an exercise on it. */
  | { kind: 'offer'; unitId: string; of: 'exercise' | 'unit' }
  /** Which unit is meant. */
  | { kind: 'units'; unitIds: readonly string[] }
