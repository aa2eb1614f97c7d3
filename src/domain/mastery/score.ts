const WEIGHTS = [1, 2, 4, 8, 16]

/** How many of the latest responses the score looks at. */
const SCORED_RESPONSES = WEIGHTS.length

/**
 * The mastery score, 0..1: the latest five teach and review qualities, oldest first, weighted 1,
 * 2, 4, 8, 16 towards the newest; fewer responses use the heaviest weights; 0 without any.
 * One division of integers, so scores that are equal as fractions are equal as numbers.
 */
export function masteryScore(qualities: readonly number[]): number {
  const { gained, possible } = weigh(qualities)
  return possible === 0 ? 0 : gained / possible
}

/** Whether the score over the qualities is at least `part / whole`, compared in integers. */
export function scoreReaches(qualities: readonly number[], part: number, whole: number): boolean {
  const { gained, possible } = weigh(qualities)
  return possible > 0 && gained * whole >= part * possible
}

/**
 * What a diagnosis alone is worth (seed 000: conservative, never 1.0): 0.3, 0.5, 0.7 for the
 * qualities 3, 4, 5, and 0 below.
 */
export function seedScore(quality: number): number {
  if (quality >= 5) return 0.7
  if (quality === 4) return 0.5
  return quality === 3 ? 0.3 : 0
}

function weigh(qualities: readonly number[]): { gained: number; possible: number } {
  const latest = qualities.slice(-SCORED_RESPONSES)
  const weights = WEIGHTS.slice(SCORED_RESPONSES - latest.length)
  let gained = 0
  let possible = 0
  for (const [index, weight] of weights.entries()) {
    gained += weight * (latest[index] ?? 0)
    possible += weight * 5
  }
  return { gained, possible }
}
