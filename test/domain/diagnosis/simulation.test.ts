import { expect, test } from 'vitest'
import { simulate } from '../../../bench/diagnosis/simulation.ts'

const BAYES = 'bisection read by Bayes'
const PLAIN = 'plain bisection, below the frontier known'
const STANDARD = 'standard: bisection, then information'
const THOROUGH = 'thorough: bisection, then information'

test('over 300 simulated learners, inference and further probes classify more right', () => {
  const strategies = [PLAIN, BAYES, STANDARD, THOROUGH] as const
  const scores = simulate({
    maps: 50,
    learnersOfAKind: 2,
    rating: 'as written',
    seed: 11,
    strategies,
  })
  const share = (name: (typeof strategies)[number]) => scores.get(name)?.share ?? 0
  expect(share(STANDARD)).toBeGreaterThanOrEqual(0.84)
  expect(share(THOROUGH)).toBeGreaterThanOrEqual(0.87)
  expect(share(BAYES)).toBeGreaterThan(share(PLAIN))
  expect(share(STANDARD)).toBeGreaterThan(share(BAYES))
  expect(share(THOROUGH)).toBeGreaterThan(share(STANDARD))
}, 120_000)
