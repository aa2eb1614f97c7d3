import { default_w, forgetting_curve } from 'ts-fsrs'
import { expect, test } from 'vitest'
import { loadFitter } from '../../src/activities/memory/fit-weights.ts'
import { seededRandom } from '../../src/domain/random/seeded-random.ts'
import { fitMemory } from '../../src/domain/spaced-repetition/fitting.ts'
import { type FsrsMemory, fsrsStep } from '../../src/domain/spaced-repetition/fsrs.ts'
import type { DailyReview } from '../../src/domain/spaced-repetition/review-log.ts'

const DAY_MS = 86_400_000

/** Somebody who forgets much faster than most, from the first answer on (w0–w3) and after each review (w8). */
const FORGETFUL = default_w.map((weight, index) => {
  if (index < 4) return weight * 0.25
  return index === 8 ? weight - 0.8 : weight
})

/** The reviews of a memory that works by these weights, asked when the default ones say so. */
function remembered(weights: readonly number[], cards: number, seed: number): DailyReview[][] {
  const random = seededRandom(seed)
  return Array.from({ length: cards }, (_, card) => {
    let at = (card % 60) * DAY_MS
    let quality = [1, 3, 4, 4, 5][Math.floor(random() * 5)] ?? 4
    let memory: FsrsMemory = fsrsStep(null, quality, 0, { weights })
    let shown: FsrsMemory = fsrsStep(null, quality, 0)
    const reviews = [{ at, quality, elapsedDays: 0 }]
    for (let n = 0; n < 8; n += 1) {
      const elapsedDays = Math.max(1, Math.round(shown.scheduledDays * (0.5 + random())))
      const isKnown = random() < forgetting_curve(weights, elapsedDays, memory.stability)
      quality = isKnown ? (random() < 0.2 ? 3 : 4) : 1
      at += elapsedDays * DAY_MS
      reviews.push({ at, quality, elapsedDays })
      memory = fsrsStep(memory, quality, elapsedDays, { weights })
      shown = fsrsStep(shown, quality, elapsedDays)
    }
    return reviews
  })
}

/** Somebody whose knowledge comes as it does to most, and grows little with each review. */
const SLOW = default_w.map((weight, index) => (index === 8 ? weight - 1 : weight))

/** Somebody whose knowledge stays long once it is there: asked at the default dates, they miss little to fit by. */
const RETENTIVE = default_w.map((weight, index) => {
  if (index < 4) return weight * 3
  return index === 8 ? weight + 0.5 : weight
})

/** Mean log loss of what weights foresee of each review but the first, by the curve of ts-fsrs itself. */
function lossOf(weights: readonly number[], series: readonly DailyReview[][]): number {
  const losses = series.flatMap((reviews) => {
    let memory: FsrsMemory | null = null
    return reviews.flatMap(({ quality, elapsedDays }) => {
      const before = memory
      memory = fsrsStep(before, quality, elapsedDays, { weights })
      if (!before) return []
      const chance = forgetting_curve(weights, elapsedDays, before.stability)
      return [-Math.log(quality >= 3 ? chance : 1 - chance)]
    })
  })
  return losses.reduce((sum, loss) => sum + loss, 0) / losses.length
}

test.each([
  { who: 'forgets fast', weights: FORGETFUL, seed: 5 },
  { who: 'forgets fast, of another log', weights: FORGETFUL, seed: 17 },
  { who: 'grows slowly', weights: SLOW, seed: 7 },
  { who: 'grows slowly, of another log', weights: SLOW, seed: 23 },
])(
  'weights fitted to a memory that $who foresee reviews they have not seen far better than the default ones',
  async ({ weights, seed }) => {
    const fit = await loadFitter()
    if (!fit) throw new Error('the optimizer is not installed')
    const found = await fitMemory(remembered(weights, 300, seed), fit)
    expect(found?.reviews).toBe(2_400)
    expect(found?.heldOut).toBeGreaterThan(450)
    expect(found?.logLoss).toBeLessThan(found?.defaultLogLoss ?? 0)
    const fitted = found?.weights ?? []
    expect(fitted).toHaveLength(21)

    // Concepts that neither the fitting nor the choice of weights has seen.
    const unseen = remembered(weights, 300, seed + 1_000)
    const [before, after, best] = [default_w, fitted, weights].map((by) => lossOf(by, unseen)) as [
      number,
      number,
      number,
    ]
    expect(best).toBeLessThan(before)
    // Most of what there is to win over the default ones is won.
    expect((before - after) / (before - best)).toBeGreaterThan(0.7)
  },
)

test.each([
  { who: 'like most', weights: default_w },
  { who: 'that stays long', weights: RETENTIVE },
])('a memory $who is not foreseen worse for having been fitted', async ({ weights }) => {
  const fit = await loadFitter()
  if (!fit) throw new Error('the optimizer is not installed')
  for (const seed of [9, 31]) {
    const found = await fitMemory(remembered(weights, 150, seed), fit)
    const unseen = remembered(weights, 300, seed + 1_000)
    const kept = found?.weights ?? default_w
    expect(lossOf(kept, unseen) - lossOf(default_w, unseen)).toBeLessThan(0.01)
  }
})

test('of too few reviews nothing is fitted, and no fitter asked', async () => {
  const ask = () => Promise.reject(new Error('asked'))
  expect(await fitMemory(remembered(FORGETFUL, 20, 1), ask)).toBeNull()
})
