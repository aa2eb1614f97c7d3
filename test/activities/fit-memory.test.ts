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

test('weights that are fitted to a memory foresee its later reviews better than the default ones', async () => {
  const fit = await loadFitter()
  if (!fit) throw new Error('the optimizer is not installed')
  const found = await fitMemory(remembered(FORGETFUL, 300, 5), fit)
  expect(found?.reviews).toBe(2_400)
  expect(found?.heldOut).toBeGreaterThan(450)
  expect(found?.weights).toHaveLength(21)
  expect(found?.logLoss).toBeLessThan(found?.defaultLogLoss ?? 0)
  expect(found?.weights?.[2]).toBeLessThan((default_w[2] ?? 0) / 2)
})

test('a memory like most keeps the default weights, or such as are better for it', async () => {
  const fit = await loadFitter()
  const found = fit && (await fitMemory(remembered(default_w, 150, 9), fit))
  expect(found).not.toBeNull()
  if (found?.weights) expect(found.logLoss).toBeLessThan(found.defaultLogLoss)
  else expect(found?.logLoss).toBeGreaterThanOrEqual(found?.defaultLogLoss ?? 1)
})

test('of too few reviews nothing is fitted, and no fitter asked', async () => {
  const ask = () => Promise.reject(new Error('asked'))
  expect(await fitMemory(remembered(FORGETFUL, 20, 1), ask)).toBeNull()
})
